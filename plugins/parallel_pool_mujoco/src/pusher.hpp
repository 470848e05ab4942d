// Pusher: push a cylinder to a goal with an arm of seven joints. As in Gymnasium.
#ifndef PARALLEL_POOL_MUJOCO_PUSHER_HPP_
#define PARALLEL_POOL_MUJOCO_PUSHER_HPP_

#include <algorithm>

#include "reaching.hpp"

namespace gymnasium_tasks {

struct PusherOptions : ReachingOptions {
  double reward_near_weight;
  double reward_dist_weight;
  bool weighted_reward_info;
  double reset_qvel_scale;
  double cylinder_x_min;
  double cylinder_x_max;
  double cylinder_y_min;
  double cylinder_y_max;
  double cylinder_dist_min;

  static constexpr auto declared = pp::options(
      GymnasiumOptions::declared.with_default(&PusherOptions::frame_skip, 5),
      option(&PusherOptions::reward_near_weight, "reward_near_weight", 0.5,
             "weight of the distance between arm and cylinder in the reward", computable),
      option(&PusherOptions::reward_dist_weight, "reward_dist_weight", 1.0,
             "weight of the distance between cylinder and goal in the reward", computable),
      ReachingOptions::rewarded.with_default(&PusherOptions::reward_control_weight, 0.1),
      option(&PusherOptions::weighted_reward_info, "weighted_reward_info", true,
             "the terms of the reward in info include their weights (v5)"),
      option(&PusherOptions::reset_qvel_scale, "reset_qvel_scale", 0.005,
             "scale of the uniform noise of initial velocities", computable),
      option(&PusherOptions::cylinder_x_min, "cylinder_x_min", -0.3,
             "smallest initial x of the cylinder", computable),
      option(&PusherOptions::cylinder_x_max, "cylinder_x_max", 0.0,
             "largest initial x of the cylinder", computable),
      option(&PusherOptions::cylinder_y_min, "cylinder_y_min", -0.2,
             "smallest initial y of the cylinder", computable),
      option(&PusherOptions::cylinder_y_max, "cylinder_y_max", 0.2,
             "largest initial y of the cylinder", computable),
      option(&PusherOptions::cylinder_dist_min, "cylinder_dist_min", 0.17,
             "smallest distance between the cylinder and the goal", computable));
};

template <Generation Which>
struct PusherInfo;
template <>
struct PusherInfo<Generation::v5> {
  static constexpr const char* id = "mujoco/Pusher-v5";
  using type = Dict<Real<"reward_dist">, Real32<"reward_ctrl">, Real<"reward_near">, WarningKey>;
};
// reward_near is EnvPool's.
template <>
struct PusherInfo<Generation::v4> {
  static constexpr const char* id = "mujoco/Pusher-v4";
  using type = Dict<Real<"reward_dist">, Real32<"reward_ctrl">, Real<"reward_near">, WarningKey>;
};

template <Generation Which>
class Pusher : public ReachingTask {
 public:
  static constexpr const char* id = PusherInfo<Which>::id;
  static constexpr const char* summary = "Push a cylinder to a goal";
  using Options = PusherOptions;
  using Info = typename PusherInfo<Which>::type;

  static void describe(Spec& spec, const Options& options) {
    GymnasiumTask::describe(spec, options, obs_size(*Model::share(options)));
  }

  explicit Pusher(const Options& options)
      : ReachingTask(options, obs_size(*Model::share(options))),
        near_weight_(options.reward_near_weight),
        dist_weight_(options.reward_dist_weight),
        weighted_info_(options.weighted_reward_info),
        qvel_scale_(options.reset_qvel_scale),
        low_{options.cylinder_x_min, options.cylinder_y_min},
        high_{options.cylinder_x_max, options.cylinder_y_max},
        farther_than_(options.cylinder_dist_min),
        object_(body("object")),
        tips_(body("tips_arm")),
        goal_(body("goal")) {
    const double corner[] = {std::max(-low_[0], high_[0]), std::max(-low_[1], high_[1])};
    if (!(low_[0] <= high_[0] && low_[1] <= high_[1] && length(corner, 2) > farther_than_)) {
      throw std::invalid_argument(
          "no place of the cylinder (cylinder_x_min .. cylinder_y_max) is farther than "
          "cylinder_dist_min from the goal");
    }
  }

  void reset(Rng& rng, Obs::Ref obs, typename Info::Ref row) {
    begin_reset();
    double* cylinder = sim_.qpos + nq() - 4;
    int draws = 0;
    do {
      if (++draws > max_draws) throw std::runtime_error("found no place for the cylinder");
      for (int i = 0; i < 2; ++i) cylinder[i] = rng.uniform(low_[i], high_[i]);
    } while (!(length(cylinder, 2) > farther_than_));
    cylinder[2] = cylinder[3] = 0.0;  // the goal stays where the model has it
    for (int64_t i = 0; i < nv(); ++i) sim_.qvel[i] = rng.uniform(-qvel_scale_, qvel_scale_);
    std::fill(sim_.qvel + nv() - 4, sim_.qvel + nv(), 0.0);
    sim_.forward();
    observe(obs, true);
    InfoWriter<Info>(row).zero();
  }

  Outcome step(Action::Value action, Obs::Ref obs, typename Info::Ref row) {
    const InfoWriter<Info> info(row);
    double to_tips = distance(tips_, object_);
    double to_goal = distance(goal_, object_);
    simulate(action);
    if (after_step_) {
      to_tips = distance(tips_, object_);
      to_goal = distance(goal_, object_);
    }
    const double near = -to_tips * near_weight_;
    const double dist = -to_goal * dist_weight_;
    const float ctrl = control(action) * control_weight_;
    observe(obs, false);
    put<"reward_dist">(info, weighted_info_ ? dist : -to_goal);
    put<"reward_ctrl">(info, weighted_info_ ? ctrl : control(action));
    put<"reward_near">(info, weighted_info_ ? near : -to_tips);
    return outcome(dist + static_cast<double>(ctrl) + near, false, info);
  }

 private:
  static constexpr int64_t observed = 7;
  static constexpr int max_draws = 1000000;

  static size_t obs_size(const Model& model) {
    require(model, "nq", model.nq, observed);
    require(model, "nv", model.nv, observed);
    return 2 * observed + 3 * 3;
  }
  void observe(const Obs::Ref& row, bool first) {
    double* out = observer_.begin(row);
    out = std::copy(sim_.qpos, sim_.qpos + observed, out);
    out = std::copy(sim_.qvel, sim_.qvel + observed, out);
    for (const double* body : {tips_, object_, goal_}) out = std::copy(body, body + 3, out);
    observer_.end(row, first);
  }

  const double near_weight_;
  const double dist_weight_;
  const bool weighted_info_;
  const double qvel_scale_;
  const double low_[2];
  const double high_[2];
  const double farther_than_;
  const double* const object_;
  const double* const tips_;
  const double* const goal_;
};

}  // namespace gymnasium_tasks
#endif  // PARALLEL_POOL_MUJOCO_PUSHER_HPP_
