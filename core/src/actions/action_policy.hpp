// What happens to continuous actions that are no finite numbers, or beyond the bounds of their Box.
// Integers have no such policy: outside of the space they are always refused.
#ifndef PARALLEL_POOL_SRC_ACTIONS_ACTION_POLICY_HPP_
#define PARALLEL_POOL_SRC_ACTIONS_ACTION_POLICY_HPP_

#include <algorithm>
#include <cmath>
#include <limits>

namespace pp::python {

struct ActionPolicy {
  enum class Nan {
    raise,     // refuse the call, name environment and value
    clip,      // use in_place_of()
    truncate,  // do not step that environment, cut off its episode (host/step/refused_steps.hpp)
  };
  enum class Bounds {
    pass,   // the environment judges, as in Gymnasium: most clip themselves
    raise,  // refuse the call
    clip,   // use the nearest value within the bounds
  };
  Nan nan = Nan::raise;
  Bounds bounds = Bounds::pass;
};

// What stands in for a value of a Box with these bounds: for NaN the value nearest to zero, for
// everything else the value nearest to it; always finite, where there is no bound too.
template <class T>
T in_place_of(T value, T low, T high) {
  low = std::max(low, std::numeric_limits<T>::lowest());
  high = std::min(high, std::numeric_limits<T>::max());
  if (std::isnan(value)) value = T{0};
  return std::min(std::max(value, low), high);
}

}  // namespace pp::python
#endif  // PARALLEL_POOL_SRC_ACTIONS_ACTION_POLICY_HPP_
