// The bounds that the first state is drawn between, by lane: what Gymnasium takes as
// reset(options={"low": ..., "high": ...}). Bounds beyond the usual may lead to observations
// outside of their space, as in Gymnasium.
#ifndef PARALLEL_POOL_CLASSIC_CLASSIC_CONTROL_RESET_BOUNDS_HPP_
#define PARALLEL_POOL_CLASSIC_CLASSIC_CONTROL_RESET_BOUNDS_HPP_

#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "parallel_pool/env.hpp"

namespace classic {

class ResetBounds {
 public:
  ResetBounds(uint32_t lanes, double low, double high) : low_(lanes, low), high_(lanes, high) {}

  static void check(const pp::Options& options) {
    const double low = options.real("low");
    const double high = options.real("high");
    if (!(low <= high) || !std::isfinite(high - low)) {
      throw std::invalid_argument("low is " + std::to_string(low) + " and high is " +
                                  std::to_string(high) +
                                  ", expected finite numbers with low <= high");
    }
  }
  void set(uint32_t lane, const pp::Options& options) {
    low_[lane] = options.real("low");
    high_[lane] = options.real("high");
  }
  double low(uint32_t lane) const { return low_[lane]; }
  double high(uint32_t lane) const { return high_[lane]; }

 private:
  std::vector<double> low_;
  std::vector<double> high_;
};

}  // namespace classic
#endif  // PARALLEL_POOL_CLASSIC_CLASSIC_CONTROL_RESET_BOUNDS_HPP_
