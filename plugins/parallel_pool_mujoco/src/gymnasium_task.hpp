// The base of the eleven tasks. It adds to the SDK's Task an observation, noise in resets, and when
// contact forces are computed.
//
// Written from the behaviour of Gymnasium's MujocoEnv: a reset is mj_resetData, new positions and
// velocities, mj_forward; a step sets the controls and calls mj_step frame_skip times. Gymnasium
// always calls mj_rnePostConstraint after that; here only tasks that look at contact forces do.
#ifndef PARALLEL_POOL_MUJOCO_GYMNASIUM_TASK_HPP_
#define PARALLEL_POOL_MUJOCO_GYMNASIUM_TASK_HPP_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

#include "info.hpp"
#include "sdk_names.hpp"

namespace gymnasium_tasks {

// The range of weights, scales and places: beyond it, numbers overflow.
inline constexpr pp::Range computable{-1e15, 1e15};
// The ranges of both ends of a range to which numbers are clipped. An infinite end clips nothing.
inline constexpr pp::Range computable_least{-std::numeric_limits<double>::infinity(), 1e15};
inline constexpr pp::Range computable_most{-1e15, std::numeric_limits<double>::infinity()};

// The options of every task. Names are Gymnasium's, or EnvPool's where Gymnasium has none.
struct GymnasiumOptions : TaskOptions, ObserverOptions {
  std::string xml_file;
  bool post_constraint;

  static constexpr auto declared =
      pp::options(ModelOptions::declared,
                  option(&GymnasiumOptions::xml_file, "xml_file", "",
                         "XML file of the model; a name without a folder is a file of Gymnasium")
                      .local(),
                  TaskOptions::stepping, ObserverOptions::numbers,
                  option(&GymnasiumOptions::post_constraint, "post_constraint", true,
                         "compute contact forces; False: they are zero, as in EnvPool's v2 to v4"),
                  TaskOptions::rounding, TaskOptions::warning, PictureOptions::declared);
};

// True for a number that lies between both ends of a range.
inline bool within(const Range& range, double value) {
  return range.low < value && value < range.high;
}

class GymnasiumTask : public Task {
 public:
  using Obs = Observer::Obs;

  void arrays(ArrayList& list) {
    // Python may read forces that the step has left out because the task does not need them.
    if (forces_due_) sim_.rne_post_constraint();
    forces_due_ = false;
    Task::arrays(list);
  }

  void save(StateWriter& out) const {
    Task::save(out);
    observer_.save(out);
  }
  void load(StateReader& in) {
    Task::load(in);
    forces_due_ = false;
    observer_.load(in);
  }

 protected:
  // `forces` is true for a task that reads cfrc_ext.
  GymnasiumTask(const GymnasiumOptions& options, size_t obs_size, bool forces)
      : Task(options),
        observer_(options, obs_size, sim_),
        forces_(forces && options.post_constraint),
        forces_on_demand_(!forces && options.post_constraint) {}

  static void describe(Spec& spec, const GymnasiumOptions& options, size_t obs_size) {
    const auto model = Model::share(options);
    Observer::describe(spec, options, model, obs_size);
    Task::describe(spec, *model);
  }

  // A reset calls one of these. After begin_reset(), which calls mj_resetData, the task sets
  // positions and velocities itself. The other two add uniform noise to qpos0, and draw uniform or
  // normal velocities.
  void begin_reset() {
    sim_.reset();
    forces_due_ = false;
  }
  void reset_uniform(Rng& rng, double scale) {
    begin_reset();
    noisy_positions(rng, scale);
    for (int64_t i = 0; i < nv(); ++i) sim_.qvel[i] = rng.uniform(-scale, scale);
    sim_.forward();
  }
  void reset_normal(Rng& rng, double scale) {
    begin_reset();
    noisy_positions(rng, scale);
    for (int64_t i = 0; i < nv(); ++i) sim_.qvel[i] = scale * rng.standard_normal();
    sim_.forward();
  }
  void noisy_positions(Rng& rng, double scale) {
    for (int64_t i = 0; i < nq(); ++i) {
      sim_.qpos[i] = sim_.model.qpos0[i] + rng.uniform(-scale, scale);
    }
  }

  void simulate(const Action::Value& action) {
    set_controls(action);
    const Engine& engine = sim_.model.engine;
    sim_.run([this, &engine] {
      for (int64_t i = 0; i < frame_skip_; ++i) engine.step(sim_.model.raw, sim_.raw);
      if (forces_) engine.rne_post_constraint(sim_.model.raw, sim_.raw);
    });
    forces_due_ = forces_on_demand_;
  }

  Observer observer_;

 private:
  const bool forces_;
  const bool forces_on_demand_;
  bool forces_due_ = false;
};

}  // namespace gymnasium_tasks
#endif  // PARALLEL_POOL_MUJOCO_GYMNASIUM_TASK_HPP_
