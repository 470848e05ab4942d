// The bounds that the first state is drawn between, by lane: what Gymnasium takes as
// reset(options={"low": ..., "high": ...}). Bounds beyond the usual may lead to observations
// outside of their space, as in Gymnasium.
#ifndef PARALLEL_POOL_CLASSIC_CLASSIC_CONTROL_RESET_BOUNDS_HPP_
#define PARALLEL_POOL_CLASSIC_CLASSIC_CONTROL_RESET_BOUNDS_HPP_

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "parallel_pool/env.hpp"

namespace classic {

// The options of a reset; each environment declares them, with its own defaults.
struct LowAndHigh {
  double low;
  double high;
  // Beyond it speeds that are squared, and float32 observations, overflow.
  static constexpr pp::Range computable{-1e10, 1e10};

  void check() const {
    if (!(low <= high)) {
      throw std::invalid_argument("low is " + std::to_string(low) + " and high is " +
                                  std::to_string(high) + ", expected low <= high");
    }
  }
};

class ResetBounds {
 public:
  ResetBounds(size_t lanes, const LowAndHigh& bounds)
      : low_(lanes, bounds.low), high_(lanes, bounds.high) {}

  void set(uint32_t lane, const LowAndHigh& bounds) {
    low_[lane] = bounds.low;
    high_[lane] = bounds.high;
  }
  double low(uint32_t lane) const { return low_[lane]; }
  double high(uint32_t lane) const { return high_[lane]; }

 private:
  std::vector<double> low_;
  std::vector<double> high_;
};

}  // namespace classic
#endif  // PARALLEL_POOL_CLASSIC_CLASSIC_CONTROL_RESET_BOUNDS_HPP_
