// HalfCheetah: run forward in a plane. The task is Wawrzynski's (2009), as in Gymnasium.
#ifndef PARALLEL_POOL_MUJOCO_HALF_CHEETAH_HPP_
#define PARALLEL_POOL_MUJOCO_HALF_CHEETAH_HPP_

#include "forward_task.hpp"

namespace gymnasium_tasks {

struct HalfCheetahOptions : ForwardOptions {
  static constexpr auto declared = pp::options(
      ForwardOptions::declared.with_default(&HalfCheetahOptions::frame_skip, 5)
          .with_default(&HalfCheetahOptions::ctrl_cost_weight, 0.1),
      option(&HalfCheetahOptions::reset_noise_scale, "reset_noise_scale", 0.1,
             "scale of the noise of initial positions (uniform) and velocities (normal)",
             computable),
      option(&HalfCheetahOptions::exclude_current_positions_from_observation,
             "exclude_current_positions_from_observation", true,
             "observations without the x coordinate"));
};

template <Generation Which>
struct HalfCheetahInfo;
template <>
struct HalfCheetahInfo<Generation::v5> {
  static constexpr const char* id = "mujoco/HalfCheetah-v5";
  using type = Dict<Real<"x_position">, Real<"x_velocity">, Real<"reward_forward">,
                    Real32<"reward_ctrl">, WarningKey>;
};
template <>
struct HalfCheetahInfo<Generation::v4> {
  static constexpr const char* id = "mujoco/HalfCheetah-v4";
  using type = Dict<Real<"x_position">, Real<"x_velocity">, Real<"reward_run">,
                    Real32<"reward_ctrl">, WarningKey>;
};

template <Generation Which>
class HalfCheetah : public ForwardTask {
 public:
  static constexpr const char* id = HalfCheetahInfo<Which>::id;
  static constexpr const char* summary = "Run with a planar cheetah";
  using Options = HalfCheetahOptions;
  using Info = typename HalfCheetahInfo<Which>::type;

  static void describe(Spec& spec, const Options& options) {
    GymnasiumTask::describe(spec, options, obs_size(*Model::share(options), options, 1));
  }
  explicit HalfCheetah(const Options& options) : ForwardTask(options, 1) {}

  void reset(Rng& rng, Obs::Ref obs, typename Info::Ref row) {
    const InfoWriter<Info> info(row);
    reset_normal(rng, reset_noise_scale_);
    observe(obs, true);
    info.zero();
    if constexpr (Which == Generation::v5) put<"x_position">(info, sim_.qpos[0]);
  }

  Outcome step(Action::Value action, Obs::Ref obs, typename Info::Ref row) {
    const InfoWriter<Info> info(row);
    const double before = sim_.qpos[0];
    simulate(action);
    const double after = sim_.qpos[0];
    const double velocity = (after - before) / dt_;
    const double forward = forward_reward_weight_ * velocity;
    const float cost = ctrl_cost(action);
    observe(obs, false);
    put<"x_position">(info, after);
    put<"x_velocity">(info, velocity);
    put<"reward_forward">(info, forward);
    put<"reward_run">(info, forward);
    put<"reward_ctrl">(info, -cost);
    return outcome(forward - static_cast<double>(cost), false, info);
  }
};

}  // namespace gymnasium_tasks
#endif  // PARALLEL_POOL_MUJOCO_HALF_CHEETAH_HPP_
