// parallel_pool/sdk/space.hpp: the types an author names observations, actions and info with.
//
//   pp::Box<float, 8>         numbers of that shape; pp::dynamic for sizes that options decide
//   pp::Scalar<double>        one number, Box<double>
//   pp::Discrete<4>           one integer 0 .. 3 (pp::Discrete<pp::dynamic>: describe() says)
//   pp::MultiDiscrete<3>, pp::MultiBinary<5>
//   pp::Text<96>              a text of at most 96 bytes
//   pp::Dict<pp::At<"position", float, 2>, pp::At<"mode", pp::Discrete<3>>, ...>
//   pp::Fields                arrays of which only the options know how many, and of which types
//
// Every space has `Ref`, through which an environment writes its row in place, and `Value`, what an
// action of that space is read as. Both are valid during the call only.
#ifndef PARALLEL_POOL_SDK_SPACE_HPP_
#define PARALLEL_POOL_SDK_SPACE_HPP_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "parallel_pool/abi.h"
#include "parallel_pool/dtypes.hpp"
#include "parallel_pool/sdk/spec.hpp"

namespace pp {

inline constexpr int64_t dynamic = -1;

namespace detail {
// The part of the layout that only describe() knows, for fields of one role.
struct Described {
  size_t players = 1;                    // their number, among whom rows are divided
  const size_t* player_bytes = nullptr;  // size of one player's part, by field
  size_t first_added = 0;                // the number of the first field that describe() added
  std::vector<uint32_t> added;           // the dtypes of those

  // Returns the number-th of those fields. Throws std::logic_error if none of type T is there.
  template <class T>
  size_t field(size_t number) const {
    if (number >= added.size() || added[number] != dtype_of<T>()) refuse(number, dtype_of<T>());
    return first_added + number;
  }

 private:
  [[noreturn]] void refuse(size_t number, uint32_t dtype) const {
    std::string text = "array " + std::to_string(number) + " of a pp::Fields is taken as ";
    const auto add = [&text](auto element) { text += element.name; };
    dtypes::visit(dtype, add);
    text += ", and describe() added " + std::to_string(added.size()) + ":";
    for (const uint32_t each : added) dtypes::visit(each, [&](auto e) { add((text += ' ', e)); });
    throw std::logic_error(text);
  }
};

// The place of one lane's rows: the row numbered `index` of every field of a call.
struct Row {
  void* const* field;
  const size_t* row_bytes;
  size_t index;
  const pp_lanes* late;        // not NULL: rows must be claimed before an output is touched
  const Described* described;  // the role's, or NULL if the types know all

  // The part of one player, for fields per player.
  Row of_player(size_t player) const {
    return Row{field, described->player_bytes, index * described->players + player, late,
               described};
  }

  void* output(size_t f) const {
    if (late != nullptr) late->claim_rows(late);
    return static_cast<char*>(field[f]) + index * row_bytes[f];
  }
  const void* input(size_t f) const {
    return static_cast<const char*>(field[f]) + index * row_bytes[f];
  }
};

// The place of a space in a row: Ref and Value of spaces with parts find those by it.
class Place {
 public:
  Place(const Row& row, size_t field) : row_(row), field_(field) {}

 protected:
  Row row_;
  size_t field_;  // the first of the space
};

}  // namespace detail

// Elements of one row. `T` is const for actions.
template <class T>
class Elements {
 public:
  Elements(T* data, size_t size) : data_(data), size_(size) {}
  T* data() const { return data_; }
  size_t size() const { return size_; }
  T& operator[](size_t i) const { return data_[i]; }
  T* begin() const { return data_; }
  T* end() const { return data_ + size_; }

 private:
  T* data_;
  size_t size_;
};

// A row that is found when it is first touched, so that a heavy environment can step first and take
// its row in the order of finishing (PP_ENV_LATE_ROWS).
template <class T>
struct ElementsRef : private detail::Place {
  using Place::Place;
  T* data() const { return static_cast<T*>(row_.output(field_)); }
  size_t size() const { return row_.row_bytes[field_] / sizeof(T); }
  T& operator[](size_t i) const { return data()[i]; }
  T* begin() const { return data(); }
  T* end() const { return data() + size(); }
};

// A space of one element: obs = 3.
template <class T>
struct ElementRef : ElementsRef<T> {
  using ElementsRef<T>::ElementsRef;
  const ElementRef& operator=(T value) const {
    *this->data() = value;
    return *this;
  }
};

// Numbers of that shape, in C order.
template <class T, int64_t... Shape>
struct Box {
  static_assert(
      ((Shape > 0 || Shape == dynamic) && ...),
      "a dimension of a space is 1 or more, or pp::dynamic where describe() says how many");
  using Element = T;
  using Ref = std::conditional_t<((Shape == 1) && ...), ElementRef<T>, ElementsRef<T>>;
  using Value = std::conditional_t<sizeof...(Shape) == 0, T, Elements<const T>>;
  static constexpr size_t n_field = 1;

  static void describe(Spec& spec, uint32_t role, const std::string& name) {
    spec.add(role, name, PP_KIND_BOX, detail::dtype_of<T>(), {Shape...});
  }
  static Ref ref(const detail::Row& row, size_t field) { return Ref(row, field); }
  static Value read(const detail::Row& row, size_t field) {
    const T* data = static_cast<const T*>(row.input(field));
    if constexpr (sizeof...(Shape) == 0) {
      return *data;
    } else {
      return Value(data, row.row_bytes[field] / sizeof(T));
    }
  }
};

template <class T>
using Scalar = Box<T>;

// One integer in Start .. Start + N - 1.
template <int64_t N, class T = int32_t, int64_t Start = 0>
struct Discrete {
  static_assert(N > 0 || N == dynamic,
                "pp::Discrete<n> has n values, 1 or more, or pp::dynamic where describe() says how "
                "many");
  using Element = T;
  using Ref = ElementRef<T>;
  using Value = T;
  static constexpr size_t n_field = 1;

  static void describe(Spec& spec, uint32_t role, const std::string& name) {
    Field& field = spec.add(role, name, PP_KIND_DISCRETE, detail::dtype_of<T>());
    if constexpr (N != dynamic) field.discrete(N, Start);
  }
  static Ref ref(const detail::Row& row, size_t field) { return Ref(row, field); }
  static Value read(const detail::Row& row, size_t field) {
    return *static_cast<const T*>(row.input(field));
  }
};

// Integers with a range each; describe() sets them: spec.action().bounds({0, 0}, {4, 2}).
template <int64_t Size, class T = int32_t>
struct MultiDiscrete : Box<T, Size> {
  static void describe(Spec& spec, uint32_t role, const std::string& name) {
    spec.add(role, name, PP_KIND_MULTI_DISCRETE, detail::dtype_of<T>(), {Size});
  }
};

// Zeros and ones.
template <int64_t... Shape>
struct MultiBinary : Box<int8_t, Shape...> {
  static void describe(Spec& spec, uint32_t role, const std::string& name) {
    spec.add(role, name, PP_KIND_MULTI_BINARY, PP_INT8, {Shape...}).bounds(0, 1);
  }
};

// Writes a text into a row of `size` bytes, and zeros behind it.
inline void write_text(uint8_t* row, size_t size, std::string_view text) {
  if (text.size() > size) {
    throw std::length_error("a text of " + std::to_string(text.size()) +
                            " bytes is longer than its space, which has " + std::to_string(size) +
                            ": '" + std::string(text) + "'");
  }
  std::copy(text.begin(), text.end(), row);
  std::fill(row + text.size(), row + size, uint8_t{0});
}

// A text of at most Size bytes: obs = "go to the red ball". It is in ASCII; describe() may say
// spec.obs().bounds(0, 255) for UTF-8. Observations and info may have one, actions not.
template <int64_t Size>
struct Text : Box<uint8_t, Size> {
  struct Ref : ElementsRef<uint8_t> {
    using ElementsRef<uint8_t>::ElementsRef;
    // All of the row is written. Throws std::length_error for a text that is too long.
    const Ref& operator=(std::string_view text) const {
      write_text(this->data(), this->size(), text);
      return *this;
    }
  };
  static void describe(Spec& spec, uint32_t role, const std::string& name) {
    spec.add(role, name, PP_KIND_TEXT, PP_UINT8).text(Size);
  }
  static Ref ref(const detail::Row& row, size_t field) { return Ref(row, field); }
};

namespace detail {
template <class Space>
struct HasText : std::false_type {};
template <int64_t Size>
struct HasText<Text<Size>> : std::true_type {};
}  // namespace detail

// The name of a member of a Dict, as a template argument.
template <size_t Size>
struct Key {
  char text[Size];
  constexpr Key(const char (&name)[Size]) {  // NOLINT(google-explicit-constructor): "fuel"
    std::copy_n(name, Size, text);
  }
  constexpr std::string_view view() const { return {text, Size - 1}; }
};

// A member of a Dict: At<"mode", Discrete<3>>, or At<"speed", float, 3> for At<"speed", Box<...>>.
template <Key Name, class What, int64_t... Shape>
struct At {
  static constexpr auto key = Name;
  using Space = typename std::conditional_t<std::is_arithmetic_v<What>,
                                            std::type_identity<Box<What, Shape...>>,
                                            std::type_identity<What>>::type;
  static_assert(std::is_arithmetic_v<What> || sizeof...(Shape) == 0,
                "pp::At takes a key and a space, or a key, a type of numbers and their shape");
};

// Arrays that only the options know: describe() adds them, as many as there are and of any kind,
// and the environment reaches them by number, in the order in which they were added.
//
//   using Obs = pp::Fields;
//   static void describe(pp::Spec& spec, const Options& options) {
//     spec.add(PP_ROLE_OBS, "position", PP_KIND_BOX, PP_FLOAT64, {options.joints});
//   }
//   void reset(pp::Rng& rng, Obs::Ref obs) { obs.get<double>(0)[0] = rng.uniform(-1, 1); }
//
// Obs, Info and Action may each be or contain one. As the member `key` of a Dict it takes the array
// "key", or arrays "key/..."; in a pp::PerPlayer each player has its part of what is added. A type
// that is not the array's, or a number that it has not, throws std::logic_error.
struct Fields {
  static constexpr size_t n_field = 0;  // known at compile time
  static void describe(Spec& spec, uint32_t role, const std::string& name) {
    spec.places.emplace_back();
    spec.places.back().role = role;
    spec.places.back().name = name;
  }
  class Ref : detail::Place {
   public:
    using Place::Place;
    size_t size() const { return row_.described->added.size(); }
    template <class T>
    ElementRef<T> get(size_t number) const {
      return ElementRef<T>(row_, row_.described->template field<T>(number));
    }
  };
  class Value : detail::Place {
   public:
    using Place::Place;
    size_t size() const { return row_.described->added.size(); }
    template <class T>
    Elements<const T> get(size_t number) const {
      const size_t field = row_.described->template field<T>(number);
      return {static_cast<const T*>(row_.input(field)), row_.row_bytes[field] / sizeof(T)};
    }
  };
  static Ref ref(const detail::Row& row, size_t field) { return Ref(row, field); }
  static Value read(const detail::Row& row, size_t field) { return Value(row, field); }
};

namespace detail {
// Counts the pp::Fields of a space.
template <class Space>
struct CountFields : std::integral_constant<size_t, 0> {};
template <>
struct CountFields<Fields> : std::integral_constant<size_t, 1> {};
}  // namespace detail

namespace detail {
template <Key Name, class... Members>
inline constexpr int times = (0 + ... + int{Members::key.view() == Name.view()});

// The space of the member `Name`, and how many fields stand before it.
template <Key Name, class... Members>
struct Find {
  static constexpr size_t place = [] {
    size_t i = 0;
    static_cast<void>(((Members::key.view() == Name.view() || (++i, false)) || ...));
    return i;
  }();
  static_assert(place < sizeof...(Members),
                "this dict has no member of that key: those that it has stand beside it here, each "
                "in a pp::At");
  // A missing key has a space of floats, so that there is hardly another error.
  using type = std::tuple_element_t<place, std::tuple<typename Members::Space..., Box<float>>>;
  static constexpr size_t offset = [] {
    size_t i = 0, before = 0;
    ((before += i++ < place ? Members::Space::n_field : 0), ...);
    return before;
  }();
};
}  // namespace detail

// A dict of spaces. Its Ref and Value are read with get<"fuel">().
template <class... Members>
struct Dict {
  static_assert((true && ... && !Members::key.view().empty()), "a key of a pp::Dict is empty");
  static_assert((true && ... && (detail::times<Members::key, Members...> == 1)),
                "a pp::Dict has a key twice");
  static constexpr size_t n_field = (size_t{0} + ... + Members::Space::n_field);

  static void describe([[maybe_unused]] Spec& spec, [[maybe_unused]] uint32_t role,
                       const std::string& name) {
    const std::string prefix = name.empty() ? name : name + "/";
    (Members::Space::describe(spec, role, prefix + Members::key.text), ...);
  }

  class Ref : detail::Place {
   public:
    using Place::Place;
    template <Key Name>
    auto get() const {
      using Member = detail::Find<Name, Members...>;
      return Member::type::ref(row_, field_ + Member::offset);
    }
  };
  class Value : detail::Place {
   public:
    using Place::Place;
    template <Key Name>
    auto get() const {
      using Member = detail::Find<Name, Members...>;
      return Member::type::read(row_, field_ + Member::offset);
    }
  };
  static Ref ref(const detail::Row& row, size_t field) { return Ref(row, field); }
  static Value read(const detail::Row& row, size_t field) { return Value(row, field); }
};

namespace detail {
template <class... Members>
struct HasText<Dict<Members...>>
    : std::bool_constant<(false || ... || HasText<typename Members::Space>::value)> {};
template <class... Members>
struct CountFields<Dict<Members...>>
    : std::integral_constant<size_t,
                             (size_t{0} + ... + CountFields<typename Members::Space>::value)> {};
}  // namespace detail

}  // namespace pp
#endif  // PARALLEL_POOL_SDK_SPACE_HPP_
