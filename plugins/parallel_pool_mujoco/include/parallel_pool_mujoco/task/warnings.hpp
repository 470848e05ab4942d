// parallel_pool_mujoco/task/warnings.hpp: what a warning of MuJoCo does to an episode, as the
// option on_warning says.
//
// MuJoCo warns where it goes on with a simulation that is not the one asked for: it has reset the
// data because a number was none, or left contacts out because there was no room.
#ifndef PARALLEL_POOL_MUJOCO_TASK_WARNINGS_HPP_
#define PARALLEL_POOL_MUJOCO_TASK_WARNINGS_HPP_

#include <stdexcept>
#include <string>

#include "parallel_pool/sdk/scalar.hpp"
#include "parallel_pool_mujoco/simulation.hpp"
#include "parallel_pool_mujoco/task/options.hpp"

namespace pp::mujoco {

// Applied once in every step.
class WarningPolicy {
 public:
  explicit WarningPolicy(OnWarning choice) : choice_(choice) {}

  // The gravest warning of the step. Truncates the outcome, or throws with MuJoCo's words.
  Warning apply(Simulation& sim, Outcome& outcome) const {
    const Warning warning = sim.take_warning();
    if (warning != Warning::none) {
      if (choice_ == OnWarning::error) {
        throw std::runtime_error(std::string("MuJoCo warns: ") + sim.warning_text());
      }
      outcome.truncated = choice_ == OnWarning::truncate;
    }
    return warning;
  }

 private:
  const OnWarning choice_;
};

}  // namespace pp::mujoco
#endif  // PARALLEL_POOL_MUJOCO_TASK_WARNINGS_HPP_
