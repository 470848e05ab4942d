// Whether integers of one type lie within bounds of another.
#ifndef PARALLEL_POOL_SRC_ACTIONS_INTEGER_RANGE_HPP_
#define PARALLEL_POOL_SRC_ACTIONS_INTEGER_RANGE_HPP_

#include <type_traits>

namespace pp::python {

// Whether an integer of one type lies in [low, high] of another, without any wrap-around.
template <class Source, class Target>
bool fits(Source value, Target low, Target high) {
  if constexpr (std::is_unsigned_v<Source> && std::is_signed_v<Target>) {
    return high >= 0 && value <= static_cast<std::make_unsigned_t<Target>>(high) &&
           (low <= 0 || value >= static_cast<std::make_unsigned_t<Target>>(low));
  } else if constexpr (std::is_signed_v<Source> && std::is_unsigned_v<Target>) {
    return value >= 0 && static_cast<std::make_unsigned_t<Source>>(value) >= low &&
           static_cast<std::make_unsigned_t<Source>>(value) <= high;
  } else {
    return value >= low && value <= high;
  }
}

}  // namespace pp::python
#endif  // PARALLEL_POOL_SRC_ACTIONS_INTEGER_RANGE_HPP_
