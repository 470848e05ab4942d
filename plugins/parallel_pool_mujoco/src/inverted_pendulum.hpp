// InvertedPendulum: balance a pole on a cart. The task is Barto, Sutton and Anderson's (1983), as
// in Gymnasium.
#ifndef PARALLEL_POOL_MUJOCO_INVERTED_PENDULUM_HPP_
#define PARALLEL_POOL_MUJOCO_INVERTED_PENDULUM_HPP_

#include <algorithm>
#include <cmath>

#include "gymnasium_task.hpp"

namespace gymnasium_tasks {

struct InvertedPendulumOptions : GymnasiumOptions {
  double healthy_reward;
  bool reward_if_not_terminated;
  double healthy_z_min;
  double healthy_z_max;
  double reset_noise_scale;

  static constexpr auto declared = pp::options(
      GymnasiumOptions::declared.with_default(&InvertedPendulumOptions::frame_skip, 2),
      option(&InvertedPendulumOptions::healthy_reward, "healthy_reward", 1.0,
             "reward of a step in which the pole stands", computable),
      option(&InvertedPendulumOptions::reward_if_not_terminated, "reward_if_not_terminated", true,
             "no reward in the terminating step (v5); False: v4 and older"),
      option(&InvertedPendulumOptions::healthy_z_min, "healthy_z_min", -0.2,
             "lowest angle of a standing pole, in radians"),
      option(&InvertedPendulumOptions::healthy_z_max, "healthy_z_max", 0.2,
             "highest angle of a standing pole, in radians"),
      option(&InvertedPendulumOptions::reset_noise_scale, "reset_noise_scale", 0.01,
             "scale of the noise of initial positions and velocities (uniform)", computable));
};

template <Generation Which>
struct InvertedPendulumInfo;
template <>
struct InvertedPendulumInfo<Generation::v5> {
  static constexpr const char* id = "mujoco/InvertedPendulum-v5";
  using type = Dict<At<"reward_survive", int64_t>, WarningKey>;
};
template <>
struct InvertedPendulumInfo<Generation::v4> {
  static constexpr const char* id = "mujoco/InvertedPendulum-v4";
  using type = Dict<WarningKey>;
};

template <Generation Which>
class InvertedPendulum : public GymnasiumTask {
 public:
  static constexpr const char* id = InvertedPendulumInfo<Which>::id;
  static constexpr const char* summary = "Balance a pole on a cart";
  using Options = InvertedPendulumOptions;
  using Info = typename InvertedPendulumInfo<Which>::type;

  static void describe(Spec& spec, const Options& options) {
    GymnasiumTask::describe(spec, options, obs_size(*Model::share(options)));
  }

  explicit InvertedPendulum(const Options& options)
      : GymnasiumTask(options, obs_size(*Model::share(options)), false),
        healthy_reward_(options.healthy_reward),
        falls_unpaid_(options.reward_if_not_terminated),
        lowest_(options.healthy_z_min),
        highest_(options.healthy_z_max),
        reset_noise_scale_(options.reset_noise_scale) {}

  void reset(Rng& rng, Obs::Ref obs, typename Info::Ref row) {
    reset_uniform(rng, reset_noise_scale_);
    observe(obs, true);
    InfoWriter<Info>(row).zero();
  }

  Outcome step(Action::Value action, Obs::Ref obs, typename Info::Ref row) {
    const InfoWriter<Info> info(row);
    simulate(action);
    bool stands = lowest_ <= sim_.qpos[1] && sim_.qpos[1] <= highest_;
    for (int64_t i = 0; i < nq(); ++i) stands &= std::isfinite(sim_.qpos[i]);
    for (int64_t i = 0; i < nv(); ++i) stands &= std::isfinite(sim_.qvel[i]);
    const bool paid = stands || !falls_unpaid_;
    observe(obs, false);
    put<"reward_survive">(info, paid ? 1 : 0);
    return outcome(paid ? healthy_reward_ : 0.0, !stands, info);
  }

 private:
  static size_t obs_size(const Model& model) {
    require(model, "nq", model.nq, 2);
    return static_cast<size_t>(model.nq + model.nv);
  }
  void observe(const Obs::Ref& row, bool first) {
    double* out = observer_.begin(row);
    out = std::copy(sim_.qpos, sim_.qpos + nq(), out);
    std::copy(sim_.qvel, sim_.qvel + nv(), out);
    observer_.end(row, first);
  }

  const double healthy_reward_;
  const bool falls_unpaid_;
  const double lowest_;
  const double highest_;
  const double reset_noise_scale_;
};

}  // namespace gymnasium_tasks
#endif  // PARALLEL_POOL_MUJOCO_INVERTED_PENDULUM_HPP_
