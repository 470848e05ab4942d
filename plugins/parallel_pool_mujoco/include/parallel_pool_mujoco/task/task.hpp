// parallel_pool_mujoco/task/task.hpp: the base class of tasks that are simulated with MuJoCo. It
// has the simulation, several of its steps per action, warnings, arrays for Python, states.
//
// A task derives from it, adds observations (observer.hpp) and a reward, and hides the members that
// it writes in another way: docs/mujoco.md has a whole one, and a table of these members.
#ifndef PARALLEL_POOL_MUJOCO_TASK_TASK_HPP_
#define PARALLEL_POOL_MUJOCO_TASK_TASK_HPP_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "parallel_pool/sdk/scalar.hpp"
#include "parallel_pool_mujoco/arrays.hpp"
#include "parallel_pool_mujoco/model.hpp"
#include "parallel_pool_mujoco/simulation.hpp"
#include "parallel_pool_mujoco/task/info.hpp"
#include "parallel_pool_mujoco/task/numerics.hpp"
#include "parallel_pool_mujoco/task/options.hpp"
#include "parallel_pool_mujoco/task/warnings.hpp"

namespace pp::mujoco {

class Task {
 public:
  // One number for each control of the model; describe() says how many.
  using Action = Box<float, dynamic>;
  static constexpr bool late_rows = true;

  // Arrays of mjData by name, for read_array and write_array.
  void arrays(ArrayList& list) { list_arrays(sim_, list); }
  // Computes what follows from them, as Gymnasium's and dm_control's tasks do after set_state.
  void arrays_written() { sim_.forward(); }

  void save(StateWriter& out) const { sim_.save(out); }
  void load(StateReader& in) { sim_.load(in); }

 protected:
  explicit Task(const TaskOptions& options) : Task(options, Model::share(options)) {}
  // With Model::own(options), episodes may change the model (Simulation::edit_with_derived).
  Task(const TaskOptions& options, std::shared_ptr<const Model> model)
      : sim_(std::move(model)),
        frame_skip_(options.frame_skip),
        dt_(sim_.model.timestep * static_cast<double>(frame_skip_)),
        fused_norm_(options.fused_norm),
        warning_policy_(options.on_warning) {}

  // Gives the action as many numbers as the model has controls, in their ranges.
  static void describe(Spec& spec, const Model& model) {
    std::vector<double> low;
    std::vector<double> high;
    for (int64_t i = 0; i < model.nu; ++i) {
      low.push_back(model.actuator_ctrlrange[2 * i]);
      high.push_back(model.actuator_ctrlrange[2 * i + 1]);
    }
    spec.action().shaped({model.nu}).bounds(low, high);
  }
  // Throws std::invalid_argument if the user's model is too small for the task.
  static void require(const Model& model, const char* what, int64_t there, int64_t needed) {
    if (there >= needed) return;
    throw std::invalid_argument(model.source + " has " + what + " = " + std::to_string(there) +
                                ", but this task needs at least " + std::to_string(needed));
  }

  template <class Values>
  void set_controls(const Values& action) {
    for (size_t i = 0; i < action.size(); ++i) sim_.ctrl[i] = static_cast<double>(action[i]);
  }
  // Sets the controls, then runs frame_skip steps of the simulation.
  template <class Values>
  void simulate(const Values& action) {
    set_controls(action);
    sim_.step(frame_skip_);
  }

  // The outcome of a step. A warning ends the episode or is thrown, as the option on_warning says.
  Outcome outcome(double reward, bool terminated) {
    Warning warning;
    return outcome(reward, terminated, warning);
  }
  // Likewise, and writes the warning into `info`, which has a WarningKey.
  template <class Info>
  Outcome outcome(double reward, bool terminated, const InfoWriter<Info>& info) {
    Warning warning;
    const Outcome result = outcome(reward, terminated, warning);
    put<"mujoco_warning">(info, static_cast<int32_t>(warning));
    return result;
  }

  // np.linalg.norm, bit for bit.
  double length(const double* vector, size_t count) const {
    return norm(vector, count, fused_norm_);
  }
  int64_t nq() const { return sim_.model.nq; }
  int64_t nv() const { return sim_.model.nv; }

  Simulation sim_;
  const int64_t frame_skip_;
  const double dt_;  // seconds of a step

 private:
  Outcome outcome(double reward, bool terminated, Warning& warning) {
    Outcome result;
    result.reward = reward;
    result.terminated = terminated;
    warning = warning_policy_.apply(sim_, result);
    return result;
  }

  const bool fused_norm_;
  const WarningPolicy warning_policy_;
};

}  // namespace pp::mujoco
#endif  // PARALLEL_POOL_MUJOCO_TASK_TASK_HPP_
