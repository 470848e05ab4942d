#include "xla/values.hpp"

#include <cstdint>
#include <cstring>
#include <iterator>

#include "parallel_pool/abi.h"
#include "parallel_pool/dtypes.hpp"

namespace pp::xla {
namespace {

struct SameDtype {
  DataType xla;
  uint32_t own;
};
constexpr SameDtype same_dtypes[] = {
    {DataType::pred, PP_BOOL},   {DataType::s8, PP_INT8},     {DataType::s16, PP_INT16},
    {DataType::s32, PP_INT32},   {DataType::s64, PP_INT64},   {DataType::u8, PP_UINT8},
    {DataType::u16, PP_UINT16},  {DataType::u32, PP_UINT32},  {DataType::u64, PP_UINT64},
    {DataType::f32, PP_FLOAT32}, {DataType::f64, PP_FLOAT64},
};
static_assert(std::size(same_dtypes) == std::size(dtypes::all));

template <class From, class To>
void convert(const char* from, void* to, size_t first, size_t n) {
  const auto* source = reinterpret_cast<const From*>(from);
  auto* target = static_cast<To*>(to) + first;
  for (size_t i = 0; i < n; ++i) target[i] = static_cast<To>(source[i]);
}

}  // namespace

python::RawArray raw(const Buffer& buffer) {
  for (const SameDtype& each : same_dtypes) {
    if (each.xla == buffer.dtype) return {each.own, buffer.data};
  }
  throw host::Error(host::ErrorKind::type,
                    "an argument of the call has a dtype that no pool takes");
}

size_t width_of(const host::Column& column) {
  size_t width = 1;
  for (const int64_t dim : column.shape) width *= static_cast<size_t>(dim);
  return width;
}

bool alike(const host::Column& column, const Buffer& buffer) {
  for (const SameDtype& each : same_dtypes) {
    if (each.own == column.dtype) return each.xla == buffer.dtype;
  }
  return false;
}

void put(const host::Column& column, const char* from, const Buffer& to, size_t first, size_t n,
         size_t result) {
  if (alike(column, to)) {
    const size_t item = dtypes::item_size(column.dtype);
    std::memcpy(static_cast<char*>(to.data) + first * item, from, n * item);
  } else if (column.dtype == PP_FLOAT64 && to.dtype == DataType::f32) {
    convert<double, float>(from, to.data, first, n);
  } else if (column.dtype == PP_INT64 && to.dtype == DataType::s32) {
    convert<int64_t, int32_t>(from, to.data, first, n);
  } else if (column.dtype == PP_UINT64 && to.dtype == DataType::u32) {
    convert<uint64_t, uint32_t>(from, to.data, first, n);
  } else {
    Frame::wrong("result", result, "has another dtype");
  }
}

}  // namespace pp::xla
