// Reacher: bring the tip of a two-joint arm to a target. As in Gymnasium.
#ifndef PARALLEL_POOL_MUJOCO_REACHER_HPP_
#define PARALLEL_POOL_MUJOCO_REACHER_HPP_

#include <algorithm>
#include <cmath>

#include "reaching.hpp"

namespace gymnasium_tasks {

struct ReacherOptions : ReachingOptions {
  double reward_dist_weight;
  bool obs_include_z_distance;
  double reset_qpos_scale;
  double reset_qvel_scale;
  double reset_goal_scale;

  static constexpr auto declared = pp::options(
      GymnasiumOptions::declared.with_default(&ReacherOptions::frame_skip, 2),
      option(&ReacherOptions::reward_dist_weight, "reward_dist_weight", 1.0,
             "weight of the distance between tip and target in the reward", computable),
      ReachingOptions::rewarded,
      option(&ReacherOptions::obs_include_z_distance, "obs_include_z_distance", false,
             "observe the height of the tip above the target too (v4)"),
      option(&ReacherOptions::reset_qpos_scale, "reset_qpos_scale", 0.1,
             "scale of the uniform noise of initial positions", computable),
      option(&ReacherOptions::reset_qvel_scale, "reset_qvel_scale", 0.005,
             "scale of the uniform noise of initial velocities", computable),
      option(&ReacherOptions::reset_goal_scale, "reset_goal_scale", 0.2,
             "largest distance of the target from the centre", Range{1e-300, computable.high}));
};

template <Generation Which>
class Reacher : public ReachingTask {
 public:
  static constexpr const char* id =
      Which == Generation::v5 ? "mujoco/Reacher-v5" : "mujoco/Reacher-v4";
  static constexpr const char* summary = "Bring the tip of an arm to a target";
  using Options = ReacherOptions;
  using Info = Dict<Real<"reward_dist">, Real32<"reward_ctrl">, WarningKey>;

  static void describe(Spec& spec, const Options& options) {
    GymnasiumTask::describe(spec, options, obs_size(*Model::share(options), options));
  }

  explicit Reacher(const Options& options)
      : ReachingTask(options, obs_size(*Model::share(options), options)),
        dist_weight_(options.reward_dist_weight),
        axes_(options.obs_include_z_distance ? 3 : 2),
        qpos_scale_(options.reset_qpos_scale),
        qvel_scale_(options.reset_qvel_scale),
        goal_scale_(options.reset_goal_scale),
        fingertip_(body("fingertip")),
        target_(body("target")) {}

  void reset(Rng& rng, Obs::Ref obs, Info::Ref row) {
    begin_reset();
    noisy_positions(rng, qpos_scale_);
    double* goal = sim_.qpos + nq() - 2;
    do {
      for (int i = 0; i < 2; ++i) goal[i] = rng.uniform(-goal_scale_, goal_scale_);
    } while (!(length(goal, 2) < goal_scale_));
    for (int64_t i = 0; i < nv(); ++i) sim_.qvel[i] = rng.uniform(-qvel_scale_, qvel_scale_);
    std::fill(sim_.qvel + nv() - 2, sim_.qvel + nv(), 0.0);
    sim_.forward();
    observe(obs, true);
    InfoWriter<Info>(row).zero();
  }

  Outcome step(Action::Value action, Obs::Ref obs, Info::Ref row) {
    const InfoWriter<Info> info(row);
    double distance = ReachingTask::distance(target_, fingertip_);
    simulate(action);
    if (after_step_) distance = ReachingTask::distance(target_, fingertip_);
    const double near = -distance * dist_weight_;
    const float ctrl = control(action) * control_weight_;
    observe(obs, false);
    put<"reward_dist">(info, near);
    put<"reward_ctrl">(info, ctrl);
    return outcome(near + static_cast<double>(ctrl), false, info);
  }

 private:
  static size_t obs_size(const Model& model, const Options& options) {
    require(model, "nq", model.nq, 2);
    require(model, "nv", model.nv, 2);
    const int64_t axes = options.obs_include_z_distance ? 3 : 2;
    return static_cast<size_t>(4 + model.nq - 2 + 2 + axes);
  }
  void observe(const Obs::Ref& row, bool first) {
    double* out = observer_.begin(row);
    for (int i = 0; i < 2; ++i) *out++ = std::cos(sim_.qpos[i]);
    for (int i = 0; i < 2; ++i) *out++ = std::sin(sim_.qpos[i]);
    out = std::copy(sim_.qpos + 2, sim_.qpos + nq(), out);
    out = std::copy(sim_.qvel, sim_.qvel + 2, out);
    const Between vector(target_, fingertip_);
    std::copy(vector.xyz, vector.xyz + axes_, out);
    observer_.end(row, first);
  }

  const double dist_weight_;
  const int axes_;
  const double qpos_scale_;
  const double qvel_scale_;
  const double goal_scale_;
  const double* const fingertip_;
  const double* const target_;
};

}  // namespace gymnasium_tasks
#endif  // PARALLEL_POOL_MUJOCO_REACHER_HPP_
