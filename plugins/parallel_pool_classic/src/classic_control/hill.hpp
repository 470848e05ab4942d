// The part that both mountain cars share: the valley, and where a car begins in it.
#ifndef PARALLEL_POOL_CLASSIC_CLASSIC_CONTROL_HILL_HPP_
#define PARALLEL_POOL_CLASSIC_CLASSIC_CONTROL_HILL_HPP_

#include <cstdint>
#include <vector>

#include "classic_control/reset_bounds.hpp"
#include "parallel_pool/env.hpp"

namespace classic {

inline constexpr double min_position = -1.2;
inline constexpr double max_position = 0.6;
inline constexpr double max_speed = 0.07;
inline constexpr double gravity = 0.0025;

inline void bound_observations(pp::Spec& spec) {
  spec.obs().bounds({min_position, -max_speed}, {max_position, max_speed});
}

// Puts the selected cars, which are at rest, somewhere between their bounds.
template <class Car>
void begin_in_the_valley(const pp::Rows<Car>& rows, const ResetBounds& bounds,
                         std::vector<double>& position, std::vector<double>& velocity) {
  float* obs = rows.obs();
  for (uint32_t i = 0; i < rows.size(); ++i) {
    if (!rows.selected(i)) continue;
    const uint32_t lane = rows.first() + i;
    position[lane] = rows.rng(i).uniform(bounds.low(lane), bounds.high(lane));
    velocity[lane] = 0;
    obs[2 * i] = static_cast<float>(position[lane]);
    obs[2 * i + 1] = 0;
  }
}

}  // namespace classic
#endif  // PARALLEL_POOL_CLASSIC_CLASSIC_CONTROL_HILL_HPP_
