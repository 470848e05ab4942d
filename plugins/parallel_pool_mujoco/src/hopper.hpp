// Hopper: hop forward on one leg.
#ifndef PARALLEL_POOL_MUJOCO_HOPPER_HPP_
#define PARALLEL_POOL_MUJOCO_HOPPER_HPP_

#include <limits>

#include "walking_task.hpp"

namespace gymnasium_tasks {

struct HopperOptions : WalkingOptions {
  Range healthy_state_range;

  static constexpr auto declared = pp::options(
      WalkingOptions::declared
          .with_default(&HopperOptions::healthy_z_range,
                        {0.7, std::numeric_limits<double>::infinity()})
          .with_default(&HopperOptions::healthy_angle_range, {-0.2, 0.2}),
      option(&HopperOptions::healthy_state_range, "healthy_state_range", {-100.0, 100.0},
             "range of positions and velocities, without the first two, in which the robot is "
             "healthy"));
};

template <Generation Which>
class Hopper : public WalkingTask<Hopper<Which>, Which> {
  using Base = WalkingTask<Hopper<Which>, Which>;

 public:
  static constexpr const char* id =
      Which == Generation::v5 ? "mujoco/Hopper-v5" : "mujoco/Hopper-v4";
  static constexpr const char* summary = "Hop forward on one leg";
  using Options = HopperOptions;

  explicit Hopper(const Options& options)
      : Base(options), healthy_state_(options.healthy_state_range) {}

  bool stands() const {
    bool healthy = true;
    for (int64_t i = 2; i < this->nq(); ++i) healthy &= within(healthy_state_, this->sim_.qpos[i]);
    for (int64_t i = 0; i < this->nv(); ++i) healthy &= within(healthy_state_, this->sim_.qvel[i]);
    return healthy;
  }

 private:
  const Range healthy_state_;
};

}  // namespace gymnasium_tasks
#endif  // PARALLEL_POOL_MUJOCO_HOPPER_HPP_
