// parallel_pool/dtypes.hpp: the dtypes of the ABI and their types in C++, for plugins and the host.
//
// PP_DTYPES is the only list of them. What depends on a dtype goes through visit(), so that a dtype
// that is added there does not compile where it cannot be handled.
#ifndef PARALLEL_POOL_DTYPES_HPP_
#define PARALLEL_POOL_DTYPES_HPP_

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <type_traits>

#include "parallel_pool/abi.h"

// Constant of the ABI, numpy's name, type.
#define PP_DTYPES(DTYPE)               \
  DTYPE(PP_BOOL, "bool", bool)         \
  DTYPE(PP_INT8, "int8", int8_t)       \
  DTYPE(PP_INT16, "int16", int16_t)    \
  DTYPE(PP_INT32, "int32", int32_t)    \
  DTYPE(PP_INT64, "int64", int64_t)    \
  DTYPE(PP_UINT8, "uint8", uint8_t)    \
  DTYPE(PP_UINT16, "uint16", uint16_t) \
  DTYPE(PP_UINT32, "uint32", uint32_t) \
  DTYPE(PP_UINT64, "uint64", uint64_t) \
  DTYPE(PP_FLOAT32, "float32", float)  \
  DTYPE(PP_FLOAT64, "float64", double)

namespace pp::dtypes {

// An element of one dtype, as visit() passes it.
template <class T>
struct Element {
  using Type = T;
  // For bytes that others wrote: no bool may have a value other than 0 and 1.
  using Stored = std::conditional_t<std::is_same_v<T, bool>, uint8_t, T>;
  const char* name;
};

#define PP_NUMBER(number, name, type) number,
inline constexpr uint32_t all[] = {PP_DTYPES(PP_NUMBER)};
#undef PP_NUMBER

// f(Element<T>) of the dtype with this number. Throws std::logic_error if there is none: numbers
// that come from outside are checked with item_size() first.
template <class F>
constexpr auto visit(uint32_t dtype, F&& f) {
#define PP_VISIT(number, name, type) \
  case number:                       \
    return f(Element<type>{name});
  switch (dtype) { PP_DTYPES(PP_VISIT) }
#undef PP_VISIT
  throw std::logic_error("unknown dtype");
}

// Bytes of one element, 0 for an unknown dtype.
constexpr size_t item_size(uint32_t dtype) {
#define PP_SIZE(number, name, type) \
  case number:                      \
    return sizeof(type);
  switch (dtype) { PP_DTYPES(PP_SIZE) }
#undef PP_SIZE
  return 0;
}

constexpr bool is_floating(uint32_t dtype) {
  return visit(dtype, [](auto element) {
    return std::is_floating_point_v<typename decltype(element)::Type>;
  });
}

// The dtype of a type: of an integer type, the one of its size and sign. 0: there is none.
template <class T>
constexpr uint32_t of() {
  for (const uint32_t dtype : all) {
    const bool same = visit(dtype, [](auto element) {
      using Type = typename decltype(element)::Type;
      constexpr bool integers = std::is_integral_v<T> && std::is_integral_v<Type> &&
                                !std::is_same_v<T, bool> && !std::is_same_v<Type, bool>;
      return std::is_same_v<T, Type> || (integers && sizeof(T) == sizeof(Type) &&
                                         std::is_signed_v<T> == std::is_signed_v<Type>);
    });
    if (same) return dtype;
  }
  return 0;
}

}  // namespace pp::dtypes
#endif  // PARALLEL_POOL_DTYPES_HPP_
