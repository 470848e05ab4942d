// Walker2d: walk forward on two legs, in a plane.
#ifndef PARALLEL_POOL_MUJOCO_WALKER2D_HPP_
#define PARALLEL_POOL_MUJOCO_WALKER2D_HPP_

#include "walking_task.hpp"

namespace gymnasium_tasks {

namespace walker2d {
inline constexpr double kZ[] = {0.8, 2.0};
inline constexpr double kAngle[] = {-1.0, 1.0};
}  // namespace walker2d

template <Generation generation>
class Walker2d : public WalkingTask<Walker2d<generation>, generation> {
 public:
  static constexpr const char* id =
      generation == Generation::kV5 ? "mujoco/Walker2d-v5" : "mujoco/Walker2d-v4";
  static constexpr const char* summary = "Walk forward on two legs, in a plane";
  static constexpr pp_option options[] = {
      PP_MUJOCO_WALKING_OPTIONS(walker2d::kZ, walker2d::kAngle),
  };

  using WalkingTask<Walker2d<generation>, generation>::WalkingTask;

  bool stands() const { return true; }
};

}  // namespace gymnasium_tasks
#endif  // PARALLEL_POOL_MUJOCO_WALKER2D_HPP_
