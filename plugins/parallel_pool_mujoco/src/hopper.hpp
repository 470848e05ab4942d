// Hopper: hop forward on one leg.
#ifndef PARALLEL_POOL_MUJOCO_HOPPER_HPP_
#define PARALLEL_POOL_MUJOCO_HOPPER_HPP_

#include <limits>

#include "walking_task.hpp"

namespace gymnasium_tasks {

namespace hopper {
inline constexpr double kZ[] = {0.7, std::numeric_limits<double>::infinity()};
inline constexpr double kAngle[] = {-0.2, 0.2};
inline constexpr double kState[] = {-100.0, 100.0};
}  // namespace hopper

template <Generation generation>
class Hopper : public WalkingTask<Hopper<generation>, generation> {
  using Base = WalkingTask<Hopper<generation>, generation>;

 public:
  static constexpr const char* id =
      generation == Generation::kV5 ? "mujoco/Hopper-v5" : "mujoco/Hopper-v4";
  static constexpr const char* summary = "Hop forward on one leg";
  static constexpr pp_option options[] = {
      PP_MUJOCO_WALKING_OPTIONS(hopper::kZ, hopper::kAngle),
      array_option("healthy_state_range", hopper::kState,
                   "positions and velocities, without the first two, in which it has not fallen"),
  };

  explicit Hopper(const Options& options)
      : Base(options), healthy_state_(options, "healthy_state_range") {}

  bool stands() const {
    bool within = true;
    for (int64_t i = 2; i < this->nq(); ++i) within &= healthy_state_.around(this->sim_.qpos[i]);
    for (int64_t i = 0; i < this->nv(); ++i) within &= healthy_state_.around(this->sim_.qvel[i]);
    return within;
  }

 private:
  const Bounds healthy_state_;
};

}  // namespace gymnasium_tasks
#endif  // PARALLEL_POOL_MUJOCO_HOPPER_HPP_
