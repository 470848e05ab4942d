// The policies for continuous actions that are no finite numbers, or beyond the bounds of their
// Box. Integers outside of the space are always refused.
#pragma once

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

// Returns the value that stands in for a value of a Box with these bounds: the one nearest to zero
// for NaN, else the one nearest to it. It is finite even where there is no bound.
template <class T>
T in_place_of(T value, T low, T high) {
  low = std::max(low, std::numeric_limits<T>::lowest());
  high = std::min(high, std::numeric_limits<T>::max());
  if (std::isnan(value)) value = T{0};
  return std::min(std::max(value, low), high);
}

}  // namespace pp::python
