// What the eleven tasks have in common beyond the SDK's Task: an observation, noise in resets, when
// contact forces are computed.
//
// Written from the behaviour of Gymnasium's MujocoEnv: a reset is mj_resetData, new positions and
// velocities, mj_forward; a step sets the controls and calls mj_step frame_skip times. Gymnasium
// always calls mj_rnePostConstraint after that; here only tasks that look at contact forces do.
#ifndef PARALLEL_POOL_MUJOCO_GYMNASIUM_TASK_HPP_
#define PARALLEL_POOL_MUJOCO_GYMNASIUM_TASK_HPP_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "info.hpp"
#include "sdk_names.hpp"

namespace gymnasium_tasks {

inline constexpr const char* kQualities[] = {"full", "fast"};

// The options of every task. Names are Gymnasium's, or EnvPool's where Gymnasium has none.
#define PP_MUJOCO_OPTIONS(default_frame_skip)                                                    \
  kModelOption,                                                                                  \
      text_option("xml_file", "", "the model's file; a bare name is one of Gymnasium's"),        \
      text_option("model_overrides", "",                                                         \
                  "numbers of the model to replace, such as {'opt.gravity': [0, 0, -3]}"),       \
      option("frame_skip", default_frame_skip, "steps of the simulation for each action",        \
             Range{1, 1000}),                                                                    \
      option("frame_stack", 1, "observations in a stack; 1: no stack", Range{1, 256}),           \
      text_option("obs_dtype", "float64", "of observations; the simulation has float64",         \
                  kObsDtypes),                                                                   \
      option(                                                                                    \
          "post_constraint", true,                                                               \
          "contact forces are computed; False: they are zero, as EnvPool's v2 to v4 have them"), \
      option("fused_norm", false,                                                                \
             "how numpy adds up squares on this machine; set by the plugin, not for users"),     \
      text_option("on_warning", "truncate",                                                      \
                  "what a warning of MuJoCo does (numbers that are none, no room for contacts)", \
                  kOnWarning),                                                                   \
      option("from_pixels", false, "observations are pictures"),                                 \
      text_option("render_quality", "full",                                                      \
                  "of pictures; fast: no shadows, reflections, smoothed edges", kQualities),     \
      text_option("default_camera_config", "",                                                   \
                  "of pictures: where the free camera is, such as {'distance': 4}"),             \
      option("max_geom", 1000, "of pictures: how many shapes there may be", Range{1, 1000000}),  \
      text_option("visual_options", "", "of pictures: MuJoCo's mjtVisFlag, such as {10: True}")

// Two numbers, the lower and the upper.
struct Bounds {
  Bounds(const Options& options, const char* name) {
    const std::vector<double> values = options.array(name);
    if (values.size() != 2) {
      throw std::invalid_argument("option '" + std::string(name) + "' has " +
                                  std::to_string(values.size()) + " numbers, expected 2");
    }
    low = values[0];
    high = values[1];
  }
  bool around(double value) const { return low < value && value < high; }
  double low;
  double high;
};

class GymnasiumTask : public Task {
 public:
  using Obs = Observer::Obs;

  void arrays(ArrayList& list) {
    // What a step has left out because the task does not need it, Python may want to see.
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
  // `forces`: the task looks at cfrc_ext.
  GymnasiumTask(const Options& options, size_t obs_size, bool forces)
      : Task(options),
        observer_(options, obs_size, sim_),
        forces_(forces && options.flag("post_constraint")),
        forces_on_demand_(!forces && options.flag("post_constraint")) {}

  static void describe(Spec& spec, const Options& options, size_t obs_size) {
    Observer::describe(spec, options, obs_size);
    Task::describe(spec, *Model::share(options));
  }

  // mj_resetData; a task may go on from there. Or all at once: qpos0 plus uniform noise; velocities
  // likewise, or normal ones.
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
