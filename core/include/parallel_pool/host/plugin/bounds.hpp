// parallel_pool/host/plugin/bounds.hpp: whether the bounds of a field leave it any value.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include "parallel_pool/abi.h"
#include "parallel_pool/dtypes.hpp"

namespace pp::host {

// Elements of a dtype: none, one for all or one each.
using Bound = std::vector<unsigned char>;

template <class T>
const char* wrong_bounds_of(const Bound& low, const Bound& high, bool counted) {
  const auto value = [](const Bound& of, size_t i) {
    T element;
    std::memcpy(&element, of.data() + (of.size() == sizeof(T) ? 0 : i * sizeof(T)), sizeof(T));
    return element;
  };
  const size_t n = std::max(low.size(), high.size()) / sizeof(T);
  for (size_t i = 0; i < n; ++i) {
    for (const Bound* bound : {&low, &high}) {
      if (!bound->empty() && value(*bound, i) != value(*bound, i)) return "has NaN as a bound";
    }
    if (low.empty() || high.empty()) continue;
    const T least = value(low, i);
    const T most = value(high, i);
    if (least > most) return "has no value: a low is above its high";
    if (!counted) continue;
    // Spaces count in int64.
    constexpr auto limit = static_cast<uint64_t>(INT64_MAX);
    if (static_cast<uint64_t>(most) - static_cast<uint64_t>(least) >= limit ||
        (most > T{0} && static_cast<uint64_t>(most) > limit)) {
      return "has more values than an int64 can count";
    }
  }
  return nullptr;
}

// Returns what is wrong with the bounds of a field of a known dtype and kind, or NULL.
inline const char* wrong_bounds(uint32_t kind, uint32_t dtype, const Bound& low,
                                const Bound& high) {
  const bool counted = kind == PP_KIND_DISCRETE || kind == PP_KIND_MULTI_DISCRETE;
  const auto above_one = [](const Bound& of) {
    return std::any_of(of.begin(), of.end(), [](unsigned char each) { return each > 1; });
  };
  return dtypes::visit(dtype, [&](auto element) -> const char* {
    using Stored = typename decltype(element)::Stored;
    if constexpr (std::is_same_v<typename decltype(element)::Type, bool>) {
      if (above_one(low) || above_one(high)) return "is bool, and a bound is neither 0 nor 1";
    }
    return wrong_bounds_of<Stored>(low, high, counted && std::is_integral_v<Stored>);
  });
}

}  // namespace pp::host
