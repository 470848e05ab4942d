// Walker2d: walk forward on two legs, in a plane.
#ifndef PARALLEL_POOL_MUJOCO_WALKER2D_HPP_
#define PARALLEL_POOL_MUJOCO_WALKER2D_HPP_

#include "walking_task.hpp"

namespace gymnasium_tasks {

template <Generation Which>
class Walker2d : public WalkingTask<Walker2d<Which>, Which> {
 public:
  static constexpr const char* id =
      Which == Generation::v5 ? "mujoco/Walker2d-v5" : "mujoco/Walker2d-v4";
  static constexpr const char* summary = "Walk forward on two legs, in a plane";
  using Options = WalkingOptions;

  using WalkingTask<Walker2d<Which>, Which>::WalkingTask;

  bool stands() const { return true; }
};

}  // namespace gymnasium_tasks
#endif  // PARALLEL_POOL_MUJOCO_WALKER2D_HPP_
