// Shared by Reacher and Pusher, whose rewards are distances between bodies.
#ifndef PARALLEL_POOL_MUJOCO_REACHING_HPP_
#define PARALLEL_POOL_MUJOCO_REACHING_HPP_

#include "gymnasium_task.hpp"

namespace gymnasium_tasks {

// The vector between two bodies.
struct Between {
  Between(const double* from, const double* to)
      : xyz{to[0] - from[0], to[1] - from[1], to[2] - from[2]} {}
  double xyz[3];
};

struct ReachingOptions : GymnasiumOptions {
  float reward_control_weight;
  bool reward_after_step;

  static constexpr auto rewarded =
      pp::options(option(&ReachingOptions::reward_control_weight, "reward_control_weight", 1.0,
                         "weight of the squared controls in the reward", computable),
                  option(&ReachingOptions::reward_after_step, "reward_after_step", true,
                         "compute rewards from the state after the action (v5)"));
};

class ReachingTask : public GymnasiumTask {
 protected:
  ReachingTask(const ReachingOptions& options, size_t obs_size)
      : GymnasiumTask(options, obs_size, false),
        control_weight_(options.reward_control_weight),
        after_step_(options.reward_after_step) {}

  double distance(const double* from, const double* to) const {
    return length(Between(from, to).xyz, 3);
  }
  const double* body(const char* name) const { return sim_.xpos + 3 * sim_.model.body(name); }

  // -np.square(action).sum() in float32.
  static float control(const Action::Value& action) {
    return -sum_of_squares(action.data(), action.size());
  }

  const float control_weight_;
  const bool after_step_;  // v5; older ids reward the state before the action
};

}  // namespace gymnasium_tasks
#endif  // PARALLEL_POOL_MUJOCO_REACHING_HPP_
