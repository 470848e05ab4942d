// The options of every task. What dm_control takes in several places (the task's time_limit, the
// environment's control_timestep, n_sub_steps and legacy_step) is one flat set here; the Python
// side reads task_kwargs and environment_kwargs into it.
#ifndef PARALLEL_POOL_DMC_OPTIONS_HPP_
#define PARALLEL_POOL_DMC_OPTIONS_HPP_

#include <cstdint>
#include <limits>

#include "sdk_names.hpp"

namespace suite {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

struct SuiteOptions : TaskOptions, ObserverOptions {
  double time_limit;
  double control_timestep;
  int64_t n_sub_steps;
  bool legacy_step;
  bool flatten;
  bool envpool_keys;
  bool visualize_reward;
  int64_t numpy_math;

  static constexpr auto declared = pp::options(
      ModelOptions::declared,
      option(&SuiteOptions::time_limit, "time_limit", infinity, "duration of an episode in seconds",
             Range{0, infinity}),
      option(&SuiteOptions::control_timestep, "control_timestep", 0.0,
             "seconds between two actions; 0: one simulation step", Range{0, 1e6}),
      option(&SuiteOptions::n_sub_steps, "n_sub_steps", 0,
             "number of simulation steps between two actions; 0: that of control_timestep",
             Range{0, 1000000}),
      option(&SuiteOptions::legacy_step, "legacy_step", true,
             "recompute positions and velocities after each step, as dm_control does by default"),
      option(&SuiteOptions::frame_skip, "frame_skip", 1,
             "number of times that each action is repeated; the rewards are added up",
             Range{1, 1000}),
      option(&SuiteOptions::flatten, "flatten", false,
             "observations are one array, in the order of Gymnasium's FlattenObservation"),
      option(&SuiteOptions::envpool_keys, "envpool_keys", false,
             "observations have the keys of all tasks of the domain, as in EnvPool"),
      option(&SuiteOptions::visualize_reward, "visualize_reward", false,
             "colours in pictures show the reward"),
      TaskOptions::overrides, ObserverOptions::numbers, TaskOptions::rounding,
      option(&SuiteOptions::numpy_math, "numpy_math", 0, "internal: addresses of numpy's functions")
          .local(),
      TaskOptions::warning.with_default(OnWarning::error), PictureOptions::declared);
};

}  // namespace suite
#endif  // PARALLEL_POOL_DMC_OPTIONS_HPP_
