// The base of tasks whose reward is the speed of the first coordinate: HalfCheetah, Hopper,
// Swimmer, Walker2d. They observe positions without the first few, then velocities.
#ifndef PARALLEL_POOL_MUJOCO_FORWARD_TASK_HPP_
#define PARALLEL_POOL_MUJOCO_FORWARD_TASK_HPP_

#include <algorithm>
#include <limits>

#include "gymnasium_task.hpp"

namespace gymnasium_tasks {

struct ForwardOptions : GymnasiumOptions {
  double forward_reward_weight;
  float ctrl_cost_weight;
  double reset_noise_scale;
  bool exclude_current_positions_from_observation;

  // Each task declares the last two members itself: they mean something else in each.
  static constexpr auto declared =
      pp::options(GymnasiumOptions::declared,
                  option(&ForwardOptions::forward_reward_weight, "forward_reward_weight", 1.0,
                         "weight of the forward velocity in the reward", computable),
                  option(&ForwardOptions::ctrl_cost_weight, "ctrl_cost_weight", 1e-3,
                         "weight of the squared controls in the reward", computable));
};

class ForwardTask : public GymnasiumTask {
 protected:
  // `hidden` positions are left out of observations unless the option says otherwise.
  ForwardTask(const ForwardOptions& options, int64_t hidden)
      : GymnasiumTask(options, obs_size(*Model::share(options), options, hidden), false),
        forward_reward_weight_(options.forward_reward_weight),
        ctrl_cost_weight_(options.ctrl_cost_weight),
        reset_noise_scale_(options.reset_noise_scale),
        hidden_(hides(options) ? hidden : 0) {}

  static bool hides(const ForwardOptions& options) {
    return options.exclude_current_positions_from_observation;
  }
  static size_t obs_size(const Model& model, const ForwardOptions& options, int64_t hidden) {
    require(model, "nq", model.nq, hidden);
    return static_cast<size_t>(model.nq + model.nv - (hides(options) ? hidden : 0));
  }

  // In float32 throughout, as numpy computes it from a float32 action.
  float ctrl_cost(const Action::Value& action) const {
    return ctrl_cost_weight_ * sum_of_squares(action.data(), action.size());
  }

  void observe(const Obs::Ref& row, bool first, double velocity_min, double velocity_max) {
    double* out = observer_.begin(row);
    out = std::copy(sim_.qpos + hidden_, sim_.qpos + nq(), out);
    for (int64_t i = 0; i < nv(); ++i) {
      *out++ = clipped(sim_.qvel[i], velocity_min, velocity_max);
    }
    observer_.end(row, first);
  }
  void observe(const Obs::Ref& row, bool first) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    observe(row, first, -infinity, infinity);
  }

  const double forward_reward_weight_;
  const float ctrl_cost_weight_;
  const double reset_noise_scale_;
  const int64_t hidden_;
};

}  // namespace gymnasium_tasks
#endif  // PARALLEL_POOL_MUJOCO_FORWARD_TASK_HPP_
