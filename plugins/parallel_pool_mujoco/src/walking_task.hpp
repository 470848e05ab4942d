// Hopper and Walker2d: run forward in a plane without falling. The tasks are Erez, Tassa and
// Todorov's (2011), as in Gymnasium.
#ifndef PARALLEL_POOL_MUJOCO_WALKING_TASK_HPP_
#define PARALLEL_POOL_MUJOCO_WALKING_TASK_HPP_

#include "forward_task.hpp"

namespace gymnasium_tasks {

template <Generation Which>
struct WalkingInfo;
template <>
struct WalkingInfo<Generation::v5> {
  using type =
      Dict<Real<"x_position">, Real<"z_distance_from_origin">, Real<"x_velocity">,
           Real<"reward_forward">, Real32<"reward_ctrl">, Real<"reward_survive">, WarningKey>;
};
template <>
struct WalkingInfo<Generation::v4> {
  using type = Dict<Real<"x_position">, Real<"x_velocity">, WarningKey>;
};

// The ranges are those of Walker2d.
struct WalkingOptions : ForwardOptions {
  double healthy_reward;
  bool terminate_when_unhealthy;
  bool legacy_healthy_reward;
  Range healthy_z_range;
  Range healthy_angle_range;
  double velocity_min;
  double velocity_max;

  static constexpr auto declared = pp::options(
      ForwardOptions::declared.with_default(&WalkingOptions::frame_skip, 4),
      option(&WalkingOptions::healthy_reward, "healthy_reward", 1.0,
             "reward of a step in which the robot is healthy", computable),
      option(&WalkingOptions::terminate_when_unhealthy, "terminate_when_unhealthy", true,
             "terminate the episode when the robot is unhealthy"),
      option(&WalkingOptions::legacy_healthy_reward, "legacy_healthy_reward", false,
             "give healthy_reward in the terminating step too (v4 and older)"),
      option(&WalkingOptions::healthy_z_range, "healthy_z_range", {0.8, 2.0},
             "range of heights in which the robot is healthy"),
      option(&WalkingOptions::healthy_angle_range, "healthy_angle_range", {-1.0, 1.0},
             "range of angles in which the robot is healthy"),
      option(&WalkingOptions::velocity_min, "velocity_min", -10.0,
             "smallest velocity in observations, which are clipped", computable_least),
      option(&WalkingOptions::velocity_max, "velocity_max", 10.0,
             "largest velocity in observations, which are clipped", computable_most),
      option(&WalkingOptions::reset_noise_scale, "reset_noise_scale", 5e-3,
             "scale of the noise of initial positions and velocities (uniform)", computable),
      option(&WalkingOptions::exclude_current_positions_from_observation,
             "exclude_current_positions_from_observation", true,
             "observations without the x coordinate"));
};

// Derived has `bool stands() const`, beyond what height and angle say.
template <class Derived, Generation Which>
class WalkingTask : public ForwardTask {
 public:
  using Info = typename WalkingInfo<Which>::type;

  static void describe(Spec& spec, const WalkingOptions& options) {
    GymnasiumTask::describe(spec, options, obs_size(*Model::share(options), options, 1));
  }
  explicit WalkingTask(const WalkingOptions& options)
      : ForwardTask(options, 1),
        healthy_reward_(options.healthy_reward),
        terminates_(options.terminate_when_unhealthy),
        legacy_(options.legacy_healthy_reward),
        healthy_z_(options.healthy_z_range),
        healthy_angle_(options.healthy_angle_range),
        velocity_min_(options.velocity_min),
        velocity_max_(options.velocity_max) {
    require(sim_.model, "nq", nq(), 3);
  }

  void reset(Rng& rng, Obs::Ref obs, typename Info::Ref row) {
    const InfoWriter<Info> info(row);
    reset_uniform(rng, reset_noise_scale_);
    observe(obs, true, velocity_min_, velocity_max_);
    info.zero();
    if constexpr (Which == Generation::v5) put_place(info);
  }

  Outcome step(Action::Value action, Obs::Ref obs, typename Info::Ref row) {
    const InfoWriter<Info> info(row);
    const double before = sim_.qpos[0];
    simulate(action);
    const double velocity = (sim_.qpos[0] - before) / dt_;
    const bool healthy = within(healthy_z_, sim_.qpos[1]) && within(healthy_angle_, sim_.qpos[2]) &&
                         static_cast<const Derived*>(this)->stands();
    const double survive = healthy || (legacy_ && terminates_) ? healthy_reward_ : 0.0;
    const double forward = forward_reward_weight_ * velocity;
    const float cost = ctrl_cost(action);
    observe(obs, false, velocity_min_, velocity_max_);
    put_place(info);
    put<"x_velocity">(info, velocity);
    put<"reward_forward">(info, forward);
    put<"reward_ctrl">(info, -cost);
    put<"reward_survive">(info, survive);
    return outcome((forward + survive) - static_cast<double>(cost), !healthy && terminates_, info);
  }

 private:
  void put_place(const InfoWriter<Info>& info) const {
    put<"x_position">(info, sim_.qpos[0]);
    put<"z_distance_from_origin">(info, sim_.qpos[1] - sim_.model.qpos0[1]);
  }

  const double healthy_reward_;
  const bool terminates_;
  const bool legacy_;
  const Range healthy_z_;
  const Range healthy_angle_;
  const double velocity_min_;
  const double velocity_max_;
};

}  // namespace gymnasium_tasks
#endif  // PARALLEL_POOL_MUJOCO_WALKING_TASK_HPP_
