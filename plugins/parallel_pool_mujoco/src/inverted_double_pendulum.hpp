// InvertedDoublePendulum: balance two poles on a cart, one on the other. As in Gymnasium.
#ifndef PARALLEL_POOL_MUJOCO_INVERTED_DOUBLE_PENDULUM_HPP_
#define PARALLEL_POOL_MUJOCO_INVERTED_DOUBLE_PENDULUM_HPP_

#include <algorithm>
#include <cmath>

#include "gymnasium_task.hpp"

namespace gymnasium_tasks {

struct InvertedDoublePendulumOptions : GymnasiumOptions {
  double healthy_reward;
  bool reward_if_not_terminated;
  double healthy_z_max;
  int64_t constraint_obs_dim;
  double observation_min;
  double observation_max;
  double reset_noise_scale;

  static constexpr auto declared = pp::options(
      GymnasiumOptions::declared.with_default(&InvertedDoublePendulumOptions::frame_skip, 5),
      option(&InvertedDoublePendulumOptions::healthy_reward, "healthy_reward", 10.0,
             "reward of a step in which the poles stand", computable),
      option(&InvertedDoublePendulumOptions::reward_if_not_terminated, "reward_if_not_terminated",
             true, "no healthy_reward in the terminating step (v5)"),
      option(&InvertedDoublePendulumOptions::healthy_z_max, "healthy_z_max", 1.0,
             "height of the tip below which the poles have fallen"),
      option(&InvertedDoublePendulumOptions::constraint_obs_dim, "constraint_obs_dim", 1,
             "number of observed constraint forces; -1: all (v4)", Range{-1, 1000}),
      option(&InvertedDoublePendulumOptions::observation_min, "observation_min", -10.0,
             "smallest velocity and force in observations, which are clipped", computable_least),
      option(&InvertedDoublePendulumOptions::observation_max, "observation_max", 10.0,
             "largest velocity and force in observations, which are clipped", computable_most),
      option(&InvertedDoublePendulumOptions::reset_noise_scale, "reset_noise_scale", 0.1,
             "scale of the noise of initial positions (uniform) and velocities (normal)",
             computable));
};

template <Generation Which>
struct InvertedDoublePendulumInfo;
template <>
struct InvertedDoublePendulumInfo<Generation::v5> {
  static constexpr const char* id = "mujoco/InvertedDoublePendulum-v5";
  using type =
      Dict<Real<"reward_survive">, Real<"distance_penalty">, Real<"velocity_penalty">, WarningKey>;
};
template <>
struct InvertedDoublePendulumInfo<Generation::v4> {
  static constexpr const char* id = "mujoco/InvertedDoublePendulum-v4";
  using type = Dict<WarningKey>;
};

template <Generation Which>
class InvertedDoublePendulum : public GymnasiumTask {
 public:
  static constexpr const char* id = InvertedDoublePendulumInfo<Which>::id;
  static constexpr const char* summary = "Balance two poles on a cart, one on the other";
  using Options = InvertedDoublePendulumOptions;
  using Info = typename InvertedDoublePendulumInfo<Which>::type;

  static void describe(Spec& spec, const Options& options) {
    GymnasiumTask::describe(spec, options, obs_size(*Model::share(options), options));
  }

  explicit InvertedDoublePendulum(const Options& options)
      : GymnasiumTask(options, obs_size(*Model::share(options), options), false),
        healthy_reward_(options.healthy_reward),
        falls_unpaid_(options.reward_if_not_terminated),
        lowest_(options.healthy_z_max),
        n_force_(n_force(sim_.model, options)),
        least_(options.observation_min),
        most_(options.observation_max),
        reset_noise_scale_(options.reset_noise_scale) {}

  void reset(Rng& rng, Obs::Ref obs, typename Info::Ref row) {
    reset_normal(rng, reset_noise_scale_);
    observe(obs, true);
    InfoWriter<Info>(row).zero();
  }

  Outcome step(Action::Value action, Obs::Ref obs, typename Info::Ref row) {
    const InfoWriter<Info> info(row);
    simulate(action);
    const double x = sim_.site_xpos[0];
    const double y = sim_.site_xpos[2];
    const bool fallen = y <= lowest_;
    const double distance = 0.01 * squared(x) + squared(y - 2);
    const double velocity = 1e-3 * squared(sim_.qvel[1]) + 5e-3 * squared(sim_.qvel[2]);
    const double survive = fallen && falls_unpaid_ ? 0.0 : healthy_reward_;
    observe(obs, false);
    put<"reward_survive">(info, survive);
    put<"distance_penalty">(info, -distance);
    put<"velocity_penalty">(info, -velocity);
    return outcome(survive - distance - velocity, fallen, info);
  }

 private:
  static int64_t n_force(const Model& model, const Options& options) {
    const int64_t wanted = options.constraint_obs_dim;
    return wanted < 0 ? model.nv : std::min(wanted, model.nv);
  }
  static size_t obs_size(const Model& model, const Options& options) {
    require(model, "nq", model.nq, 1);
    require(model, "nv", model.nv, 3);
    require(model, "nsite", model.nsite, 1);
    return static_cast<size_t>(1 + 2 * (model.nq - 1) + model.nv + n_force(model, options));
  }
  void observe(const Obs::Ref& row, bool first) {
    double* out = observer_.begin(row);
    *out++ = sim_.qpos[0];
    for (int64_t i = 1; i < nq(); ++i) *out++ = std::sin(sim_.qpos[i]);
    for (int64_t i = 1; i < nq(); ++i) *out++ = std::cos(sim_.qpos[i]);
    for (int64_t i = 0; i < nv(); ++i) *out++ = clipped(sim_.qvel[i], least_, most_);
    for (int64_t i = 0; i < n_force_; ++i) *out++ = clipped(sim_.qfrc_constraint[i], least_, most_);
    observer_.end(row, first);
  }

  const double healthy_reward_;
  const bool falls_unpaid_;
  const double lowest_;
  const int64_t n_force_;
  const double least_;
  const double most_;
  const double reset_noise_scale_;
};

}  // namespace gymnasium_tasks
#endif  // PARALLEL_POOL_MUJOCO_INVERTED_DOUBLE_PENDULUM_HPP_
