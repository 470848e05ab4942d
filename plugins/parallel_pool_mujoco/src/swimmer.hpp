// Swimmer: move forward in a viscous fluid. The task is Coulom's (2002), as in Gymnasium.
#ifndef PARALLEL_POOL_MUJOCO_SWIMMER_HPP_
#define PARALLEL_POOL_MUJOCO_SWIMMER_HPP_

#include "forward_task.hpp"

namespace gymnasium_tasks {

struct SwimmerOptions : ForwardOptions {
  static constexpr auto declared = pp::options(
      ForwardOptions::declared.with_default(&SwimmerOptions::frame_skip, 4)
          .with_default(&SwimmerOptions::ctrl_cost_weight, 1e-4),
      option(&SwimmerOptions::reset_noise_scale, "reset_noise_scale", 0.1,
             "scale of the noise of initial positions and velocities (uniform)", computable),
      option(&SwimmerOptions::exclude_current_positions_from_observation,
             "exclude_current_positions_from_observation", true, "observations without x and y"));
};

template <Generation Which>
struct SwimmerInfo;
template <>
struct SwimmerInfo<Generation::v5> {
  static constexpr const char* id = "mujoco/Swimmer-v5";
  using type =
      Dict<Real<"x_position">, Real<"y_position">, Real<"distance_from_origin">, Real<"x_velocity">,
           Real<"y_velocity">, Real<"reward_forward">, Real32<"reward_ctrl">, WarningKey>;
};
template <>
struct SwimmerInfo<Generation::v4> {
  static constexpr const char* id = "mujoco/Swimmer-v4";
  using type = Dict<Real<"reward_fwd">, Real32<"reward_ctrl">, Real<"x_position">,
                    Real<"y_position">, Real<"distance_from_origin">, Real<"x_velocity">,
                    Real<"y_velocity">, Real<"forward_reward">, WarningKey>;
};

template <Generation Which>
class Swimmer : public ForwardTask {
 public:
  static constexpr const char* id = SwimmerInfo<Which>::id;
  static constexpr const char* summary = "Swim forward with three links";
  using Options = SwimmerOptions;
  using Info = typename SwimmerInfo<Which>::type;

  static void describe(Spec& spec, const Options& options) {
    GymnasiumTask::describe(spec, options, obs_size(*Model::share(options), options, 2));
  }
  explicit Swimmer(const Options& options) : ForwardTask(options, 2) {}

  void reset(Rng& rng, Obs::Ref obs, typename Info::Ref row) {
    const InfoWriter<Info> info(row);
    reset_uniform(rng, reset_noise_scale_);
    observe(obs, true);
    info.zero();
    if constexpr (Which == Generation::v5) put_place(info);
  }

  Outcome step(Action::Value action, Obs::Ref obs, typename Info::Ref row) {
    const InfoWriter<Info> info(row);
    const double x = sim_.qpos[0];
    const double y = sim_.qpos[1];
    simulate(action);
    const double velocity = (sim_.qpos[0] - x) / dt_;
    const double forward = forward_reward_weight_ * velocity;
    const float cost = ctrl_cost(action);
    observe(obs, false);
    put_place(info);
    put<"x_velocity">(info, velocity);
    put<"y_velocity">(info, (sim_.qpos[1] - y) / dt_);
    put<"reward_forward">(info, forward);
    put<"reward_fwd">(info, forward);
    put<"forward_reward">(info, forward);
    put<"reward_ctrl">(info, -cost);
    return outcome(forward - static_cast<double>(cost), false, info);
  }

 private:
  void put_place(const InfoWriter<Info>& info) const {
    put<"x_position">(info, sim_.qpos[0]);
    put<"y_position">(info, sim_.qpos[1]);
    put<"distance_from_origin">(info, length(sim_.qpos, 2));
  }
};

}  // namespace gymnasium_tasks
#endif  // PARALLEL_POOL_MUJOCO_SWIMMER_HPP_
