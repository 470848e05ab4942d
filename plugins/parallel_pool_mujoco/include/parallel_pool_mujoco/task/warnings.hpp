// parallel_pool_mujoco/task/warnings.hpp: truncates an episode, throws or goes on at a warning of
// MuJoCo, as the option on_warning says.
//
// MuJoCo warns when it goes on with a simulation that nobody asked for: it has reset the data
// because of a NaN, or left contacts out because there was no room.
#ifndef PARALLEL_POOL_MUJOCO_TASK_WARNINGS_HPP_
#define PARALLEL_POOL_MUJOCO_TASK_WARNINGS_HPP_

#include <stdexcept>
#include <string>

#include "parallel_pool/sdk/scalar.hpp"
#include "parallel_pool_mujoco/simulation.hpp"
#include "parallel_pool_mujoco/task/options.hpp"

namespace pp::mujoco {

// A task applies it once in every step.
class WarningPolicy {
 public:
  explicit WarningPolicy(OnWarning choice) : choice_(choice) {}

  // Returns the gravest warning of the step. Truncates the outcome, or throws with MuJoCo's text.
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
