// parallel_pool/sdk/arrays.hpp: arrays of an environment that Python may look into, by name.
//
//   void arrays(pp::ArrayList& list) {
//     list.values("state", x_, x_dot_, theta_, theta_dot_);   // float64 of shape (4,)
//     list.value("lives", std::as_const(lives_));             // shape (), read-only
//     list.array("board", board_.data(), {6, 7});
//   }
//   void arrays_written() { update(); }                       // optional: after a write
//
// With the first member an environment offers the extension "pp.arrays/1" (a batch kernel's take
// the lane first). What is const can only be read. The arrays of a lane may differ from those of
// another, and change; their names are literals, or live as long as the environment.
#ifndef PARALLEL_POOL_SDK_ARRAYS_HPP_
#define PARALLEL_POOL_SDK_ARRAYS_HPP_

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "parallel_pool/ext/arrays.h"
#include "parallel_pool/sdk/layout.hpp"
#include "parallel_pool/sdk/members.hpp"
#include "parallel_pool/sdk/spec.hpp"

namespace pp {

class ArrayList {
 public:
  // Numbers of one type that lie anywhere, as a one-dimensional array.
  template <class T, class... More>
  void values(const char* name, T& first, More&... more) {
    static_assert((std::is_same_v<std::remove_const_t<T>, std::remove_const_t<More>> && ...),
                  "the values of one array are of one type");
    if (!is_wanted()) return;
    describe<T>(name, (std::is_const_v<T> || ... || std::is_const_v<More>));
    entry_.shape = {1 + static_cast<int64_t>(sizeof...(More))};
    entry_.scattered = {address(first), address(more)...};
  }
  // One number, an array of shape ().
  template <class T>
  void value(const char* name, T& value) {
    array(name, &value, {});
  }
  // Numbers that follow each other, in C order.
  template <class T>
  void array(const char* name, T* first, std::initializer_list<int64_t> shape) {
    array(name, first, shape.begin(), shape.size());
  }
  // Lists an array with a shape of `ndim` numbers.
  template <class T>
  void array(const char* name, T* first, const int64_t* shape, size_t ndim) {
    if (!is_wanted()) return;
    describe<T>(name, std::is_const_v<T>);
    entry_.shape.assign(shape, shape + ndim);
    entry_.first = const_cast<std::remove_const_t<T>*>(first);  // written through only if not const
  }

  struct Entry {
    const char* name = nullptr;
    uint32_t dtype = 0;
    bool writable = false;
    size_t item = 0;  // bytes of an element
    std::vector<int64_t> shape;
    void* first = nullptr;         // the first of elements in one piece, or NULL and
    std::vector<void*> scattered;  // each of them

    size_t size() const {
      int64_t n = 1;
      for (const int64_t each : shape) n *= each;
      return static_cast<size_t>(n);
    }
    [[gnu::cold]] void describe(pp_array* out) const {
      out->flags = writable ? PP_ARRAY_WRITABLE : 0u;
      out->dtype = dtype;
      out->ndim = static_cast<uint32_t>(shape.size());
      if (out->ndim > PP_MAX_DIMS) throw std::logic_error("an array has too many dimensions");
      std::copy(shape.begin(), shape.end(), out->shape);
      out->name = name;
    }
    void read(void* out) const {
      if (first != nullptr) std::memcpy(out, first, size() * item);
      for (size_t i = 0; i < scattered.size(); ++i) {
        std::memcpy(static_cast<char*>(out) + i * item, scattered[i], item);
      }
    }
    void write(const void* in) const {
      if (first != nullptr) std::memcpy(first, in, size() * item);
      for (size_t i = 0; i < scattered.size(); ++i) {
        std::memcpy(scattered[i], static_cast<const char*>(in) + i * item, item);
      }
    }
  };

  // A question is about one of the arrays that are listed: that one is kept, the others are only
  // counted.
  explicit ArrayList(size_t wanted) : wanted_(wanted) {}
  size_t count() const { return count_; }
  // Throws std::out_of_range if fewer were listed.
  const Entry& wanted() const {
    if (count_ <= wanted_) throw std::out_of_range("there are not so many arrays");
    return entry_;
  }

 private:
  bool is_wanted() { return count_++ == wanted_; }
  template <class T>
  static void* address(T& value) {
    return const_cast<std::remove_const_t<T>*>(&value);
  }
  template <class T>
  void describe(const char* name, bool constant) {
    using Element = std::remove_const_t<T>;
    entry_.name = name;
    entry_.dtype = detail::dtype_of<Element>();
    entry_.writable = !constant;
    entry_.item = sizeof(Element);
  }

  size_t wanted_;
  size_t count_ = 0;
  Entry entry_;
};

namespace detail {

template <class E>
struct HasArrays
    : std::bool_constant<takes_arrays<E, ArrayList&> || takes_arrays<E, uint32_t, ArrayList&>> {};

// The extension of a shard class with `arrays(lane, list)`, `arrays_written(lane)` and `host()`.
template <class Shard>
struct ArraysExtension {
  static int64_t count(void* self, uint32_t lane) noexcept {
    int64_t n = -1;
    with(self, lane, 0, [&](const ArrayList& list) { n = static_cast<int64_t>(list.count()); });
    return n;
  }
  static int32_t describe(void* self, uint32_t lane, uint32_t array, pp_array* out) noexcept {
    return with(self, lane, array, [&](const ArrayList& list) { list.wanted().describe(out); });
  }
  static int32_t read(void* self, uint32_t lane, uint32_t array, void* elements) noexcept {
    return with(self, lane, array, [&](const ArrayList& list) { list.wanted().read(elements); });
  }
  static int32_t write(void* self, uint32_t lane, uint32_t array, const void* elements) noexcept {
    return with(self, lane, array, [&](const ArrayList& list) {
      list.wanted().write(elements);
      static_cast<Shard*>(self)->arrays_written(lane);
    });
  }

  static constexpr pp_arrays value = {sizeof(pp_arrays), 0u, &count, &describe, &read, &write};

 private:
  template <class Work>
  static int32_t with(void* self, uint32_t lane, uint32_t wanted, Work&& work) noexcept {
    auto& shard = *static_cast<Shard*>(self);
    return guarded(shard.host(), lane, 1, [&] {
      ArrayList list(wanted);
      shard.arrays(lane, list);
      work(list);
      return 0;
    });
  }
};

}  // namespace detail
}  // namespace pp
#endif  // PARALLEL_POOL_SDK_ARRAYS_HPP_
