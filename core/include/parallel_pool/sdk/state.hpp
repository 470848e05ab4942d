// parallel_pool/sdk/state.hpp: saving and restoring an environment, the plugin's side.
//
//   void save(pp::StateWriter& out) const { out(position_, velocity_, frames_); }
//   void load(pp::StateReader& in) { in(position_, velocity_, frames_); }
//
// With these two members an environment offers the extension "pp.state/1" (a batch kernel's take
// the lane first). They name everything that decides the future and that the options do not, in one
// order. The lane's generator is saved by the SDK; a simulator's own is theirs, and `void
// reseed(uint64_t)` seeds that one within an episode, for simulate(seeds=...). load() may throw:
// the lane then counts as failed. `void copy_from(const Env& other)`, for an object, does in one
// process what load() of the other's save() does, where that takes long: clones are made by it. The
// host's checksum keeps damaged states away and not those that were made up: what finds memory is
// taken with in.between(cell_, 0, 63, "cell"). Bools and generators are checked anyway.
#ifndef PARALLEL_POOL_SDK_STATE_HPP_
#define PARALLEL_POOL_SDK_STATE_HPP_

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "parallel_pool/ext/state.h"
#include "parallel_pool/rng.hpp"
#include "parallel_pool/rng/random_state.hpp"
#include "parallel_pool/sdk/layout.hpp"
#include "parallel_pool/sdk/members.hpp"

namespace pp {

namespace detail {
// True for types that are written as their bytes: numbers, enums, arrays of them, generators. A
// struct is not: its padding is anything, and its pointers mean nothing elsewhere; name its
// members.
template <class T>
using IsGenerator = std::bool_constant<std::is_same_v<T, Rng> || std::is_same_v<T, RandomState>>;
template <class T>
struct IsPlain
    : std::bool_constant<std::is_arithmetic_v<T> || std::is_enum_v<T> || IsGenerator<T>::value> {};
template <class T, size_t N>
struct IsPlain<T[N]> : IsPlain<T> {};
template <class T, size_t N>
struct IsPlain<std::array<T, N>> : IsPlain<T> {};

// True for types of which not all bytes are values: bools, generators, arrays of them.
template <class T>
struct IsChecked : std::bool_constant<std::is_same_v<T, bool> || IsGenerator<T>::value> {};
template <class T, size_t N>
struct IsChecked<T[N]> : IsChecked<T> {};
template <class T, size_t N>
struct IsChecked<std::array<T, N>> : IsChecked<T> {};

// The type that is compared: a number itself, or that of an enumerator.
template <class T, bool = std::is_enum_v<T>>
struct NumberOf {
  static_assert(std::is_arithmetic_v<T>, "numbers lie between bounds");
  using type = T;
};
template <class T>
struct NumberOf<T, true> : std::underlying_type<T> {};
}  // namespace detail

// Writes the state in save(): out(x, y, z) appends values.
class StateWriter {
 public:
  // With `bytes` NULL it only counts.
  StateWriter(void* bytes, uint64_t capacity)
      : bytes_(static_cast<char*>(bytes)), capacity_(capacity) {}

  template <class... T>
  void operator()(const T&... values) {
    (write(values), ...);
  }
  void write_bytes(const void* data, size_t size) {
    if (bytes_ != nullptr) {
      if (size > capacity_ - size_) throw std::logic_error("the state grew while it was saved");
      if (size > 0) std::memcpy(bytes_ + size_, data, size);
    }
    size_ += size;
  }
  uint64_t size() const { return size_; }  // written so far

 private:
  template <class T>
  void write(const T& value) {
    static_assert(detail::IsPlain<T>::value, "write the members one by one");
    write_bytes(&value, sizeof value);
  }
  template <class T>
  void write(const std::vector<T>& values) {
    static_assert(detail::IsPlain<T>::value && !std::is_same_v<T, bool>);
    write(uint64_t{values.size()});
    write_bytes(values.data(), values.size() * sizeof(T));
  }
  void write(const std::string& text) {
    write(uint64_t{text.size()});
    write_bytes(text.data(), text.size());
  }

  char* bytes_;
  uint64_t capacity_;
  uint64_t size_ = 0;
};

// Reads the state in load(): in(x, y, z) takes values in the order in which they were written.
class StateReader {
 public:
  StateReader(const void* bytes, uint64_t size)
      : bytes_(static_cast<const char*>(bytes)), left_(size) {}

  // Throws std::invalid_argument when the state is too short.
  template <class... T>
  void operator()(T&... values) {
    (read(values), ...);
  }
  // Takes a number, or an enumerator, that has to lie in low .. high, because memory is found by
  // it, say: states come from files, and a file may be made up. Throws std::invalid_argument and
  // leaves `value` as it is.
  template <class T>
  void between(T& value, std::common_type_t<T> low, std::common_type_t<T> high, const char* name) {
    using Number = typename detail::NumberOf<T>::type;
    Number given{};
    read(given);
    const auto least = static_cast<Number>(low);
    const auto most = static_cast<Number>(high);
    if (!(given >= least && given <= most)) {
      refuse(std::string(name) + " is " + std::to_string(given) + ", expected " +
             std::to_string(least) + " .. " + std::to_string(most));
    }
    value = static_cast<T>(given);
  }
  void read_bytes(void* data, size_t size) {
    require(size);
    if (size > 0) std::memcpy(data, bytes_, size);
    bytes_ += size;
    left_ -= size;
  }
  uint64_t left() const { return left_; }
  size_t generators() const { return generators_; }  // taken so far

 private:
  void require(uint64_t size) const {
    if (size > left_) throw std::invalid_argument("the state is too short for this environment");
  }
  [[noreturn]] static void refuse(const std::string& what) {
    throw std::invalid_argument("the state is damaged or made up: " + what);
  }
  template <class T>
  void read(T& value) {
    static_assert(detail::IsPlain<T>::value, "read the members one by one");
    if constexpr (std::is_same_v<T, bool>) {
      // Any other byte in a bool is undefined behaviour.
      uint8_t byte = 0;
      read_bytes(&byte, 1);
      if (byte > 1) refuse("a bool is " + std::to_string(byte) + ", expected 0 or 1");
      value = byte != 0;
    } else if constexpr (detail::IsGenerator<T>::value) {
      T given = value;
      read_bytes(&given, sizeof given);
      if (!given.is_sound()) refuse("no seed leads to a random generator like this one");
      ++generators_;
      value = given;
    } else if constexpr (detail::IsChecked<T>::value) {  // an array
      for (auto& each : value) read(each);
    } else {
      read_bytes(&value, sizeof value);
    }
  }
  // Takes the length that was written; where only one is right, the caller checks.
  template <class T>
  void read(std::vector<T>& values) {
    static_assert(detail::IsPlain<T>::value && !std::is_same_v<T, bool>);
    values.resize(length(sizeof(T)));
    if constexpr (detail::IsChecked<T>::value) {
      for (T& each : values) read(each);
    } else {
      read_bytes(values.data(), values.size() * sizeof(T));
    }
  }
  void read(std::string& text) {
    text.resize(length(1));
    read_bytes(&text[0], text.size());
  }
  // Checked before anything is allocated for it.
  size_t length(size_t item) {
    uint64_t count = 0;
    read(count);
    if (count > left_ / item) require(left_ + 1);
    return static_cast<size_t>(count);
  }

  const char* bytes_;
  uint64_t left_;
  size_t generators_ = 0;
};

namespace detail {

// The names of the options that a restored state need not agree with.
template <class Set>
struct LocalOptions {
  static constexpr uint32_t size =
      std::apply([](const auto&... declared) { return (0u + ... + (declared.is_local ? 1u : 0u)); },
                 Set::declared.each);
  static constexpr std::array<const char*, size> names = std::apply(
      [](const auto&... declared) {
        std::array<const char*, size> names{};
        size_t n = 0;
        ((declared.is_local ? void(names[n++] = declared.told.name) : void()), ...);
        return names;
      },
      Set::declared.each);
  static constexpr const char* const* pointers = names.data();
};

// Detected on E&, used on const E&: a save() that is not const is an error, not an absence.
template <class E>
struct HasSave
    : std::bool_constant<takes_save<E, StateWriter&> || takes_save<E, uint32_t, StateWriter&>> {};
template <class E>
struct HasLoad
    : std::bool_constant<takes_load<E, StateReader&> || takes_load<E, uint32_t, StateReader&>> {};

// The extension of a shard class with `Rng& rng(lane)`, `save(lane, writer)`, `load(lane, reader)`
// and `host()`.
template <class E, class Shard>
struct StateExtension {
  static int64_t size(void* self, uint32_t lane) noexcept { return write(self, lane, nullptr, 0); }
  static int64_t save(void* self, uint32_t lane, void* bytes, uint64_t capacity) noexcept {
    return write(self, lane, bytes, capacity);
  }
  static int32_t load(void* self, uint32_t lane, const void* bytes, uint64_t size) noexcept {
    return read(self, lane, bytes, size, nullptr);
  }
  static int32_t load_seeded(void* self, uint32_t lane, const void* bytes, uint64_t size,
                             uint64_t seed) noexcept {
    return read(self, lane, bytes, size, &seed);
  }

  static int32_t copy(void* self, uint32_t lane, const void* other, uint32_t from) noexcept {
    auto& shard = *static_cast<Shard*>(self);
    return guarded(shard.host(), lane, 1, [&] {
      if constexpr (copies) shard.copy(lane, *static_cast<const Shard*>(other), from);
      return 0;
    });
  }

  static constexpr bool reseeds = takes_reseed<E, uint64_t> || takes_reseed<E, uint32_t, uint64_t>;
  // If the author's simulator draws nothing itself, the lane's generator is all.
  static constexpr bool seedable = reseeds || !(takes_seed<E, uint64_t> || from_seed<E>);
  static constexpr bool copies = requires(Shard& shard) { shard.copy(0u, shard, 0u); };
  using Local = LocalOptions<OptionsOf<E>>;
  static constexpr pp_state value = {sizeof(pp_state),
                                     Local::size,
                                     Local::pointers,
                                     &size,
                                     &save,
                                     &load,
                                     seedable ? &load_seeded : nullptr,
                                     copies ? &copy : nullptr};

 private:
  static int64_t write(void* self, uint32_t lane, void* bytes, uint64_t capacity) noexcept {
    auto& shard = *static_cast<Shard*>(self);
    return guarded(shard.host(), lane, int64_t{-1}, [&] {
      StateWriter writer(bytes, capacity);
      writer(shard.rng(lane));
      shard.save(lane, writer);
      return static_cast<int64_t>(writer.size());
    });
  }
  static int32_t read(void* self, uint32_t lane, const void* bytes, uint64_t size,
                      const uint64_t* seed) noexcept {
    auto& shard = *static_cast<Shard*>(self);
    return guarded(shard.host(), lane, 1, [&] {
      StateReader reader(bytes, size);
      Rng rng(0);
      reader(rng);
      shard.load(lane, reader);
      if (reader.left() != 0) {
        throw std::invalid_argument("the state is too long for this environment");
      }
      if (seed != nullptr) {
        rng = Rng(*seed);
        if constexpr (reseeds) {
          shard.reseed(lane, *seed);
        } else if (reader.generators() > 1) {
          throw std::logic_error(
              "it saves a generator of its own and has no `reseed` that seeds it");
        }
      }
      shard.rng(lane) = rng;
      return 0;
    });
  }
};

}  // namespace detail
}  // namespace pp
#endif  // PARALLEL_POOL_SDK_STATE_HPP_
