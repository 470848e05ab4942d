// Humanoid: walk forward on two legs. The task is Tassa, Erez and Todorov's (2012), as in
// Gymnasium.
//
// Rewards come from the centre of mass, which MuJoCo computes in the middle of the last step of the
// simulation. The original reads the same.
#ifndef PARALLEL_POOL_MUJOCO_HUMANOID_HPP_
#define PARALLEL_POOL_MUJOCO_HUMANOID_HPP_

#include <array>
#include <cmath>
#include <limits>

#include "humanoid_body.hpp"

namespace gymnasium_tasks {

struct HumanoidOptions : HumanoidBodyOptions {
  double forward_reward_weight;
  double contact_cost_weight;
  Range contact_cost_range;
  double healthy_reward;
  bool terminate_when_unhealthy;
  bool legacy_healthy_reward;
  Range healthy_z_range;
  bool use_contact_forces;

  static constexpr auto declared =
      pp::options(HumanoidBodyOptions::declared,
                  option(&HumanoidOptions::forward_reward_weight, "forward_reward_weight", 1.25,
                         "weight of the forward velocity in the reward", computable),
                  option(&HumanoidOptions::contact_cost_weight, "contact_cost_weight", 5e-7,
                         "weight of the squared contact forces in the reward", computable),
                  option(&HumanoidOptions::contact_cost_range, "contact_cost_range",
                         {-std::numeric_limits<double>::infinity(), 10.0},
                         "range to which the contact cost is clipped"),
                  option(&HumanoidOptions::healthy_reward, "healthy_reward", 5.0,
                         "reward of a step in which the robot is healthy", computable),
                  option(&HumanoidOptions::terminate_when_unhealthy, "terminate_when_unhealthy",
                         true, "terminate the episode when the robot is unhealthy"),
                  option(&HumanoidOptions::legacy_healthy_reward, "legacy_healthy_reward", false,
                         "give healthy_reward in the terminating step too (v4 and older)"),
                  option(&HumanoidOptions::healthy_z_range, "healthy_z_range", {1.0, 2.0},
                         "range of heights in which the robot is healthy"),
                  option(&HumanoidOptions::use_contact_forces, "use_contact_forces", true,
                         "subtract the contact cost from the reward"));
};

template <Generation Which>
struct HumanoidInfo;
template <>
struct HumanoidInfo<Generation::v5> {
  static constexpr const char* id = "mujoco/Humanoid-v5";
  using type = Dict<Real<"x_position">, Real<"y_position">, Reals<"tendon_length">,
                    Reals<"tendon_velocity">, Real<"distance_from_origin">, Real<"x_velocity">,
                    Real<"y_velocity">, Real<"reward_survive">, Real<"reward_forward">,
                    Real<"reward_ctrl">, Real<"reward_contact">, WarningKey>;
};
// reward_impact is EnvPool's.
template <>
struct HumanoidInfo<Generation::v4> {
  static constexpr const char* id = "mujoco/Humanoid-v4";
  using type = Dict<Real<"reward_linvel">, Real<"reward_quadctrl">, Real<"reward_alive">,
                    Real<"reward_impact">, Real<"x_position">, Real<"y_position">,
                    Real<"distance_from_origin">, Real<"x_velocity">, Real<"y_velocity">,
                    Real<"forward_reward">, WarningKey>;
};

template <Generation Which>
class Humanoid : public HumanoidBody {
 public:
  static constexpr const char* id = HumanoidInfo<Which>::id;
  static constexpr const char* summary = "Walk forward on two legs";
  using Options = HumanoidOptions;
  using Info = typename HumanoidInfo<Which>::type;

  static void describe(Spec& spec, const Options& options) { describe_body(spec, options); }

  explicit Humanoid(const Options& options)
      : HumanoidBody(options, options.use_contact_forces),
        forward_reward_weight_(options.forward_reward_weight),
        contact_cost_weight_(options.contact_cost_weight),
        contact_cost_(options.contact_cost_range),
        healthy_reward_(options.healthy_reward),
        terminates_(options.terminate_when_unhealthy),
        legacy_(options.legacy_healthy_reward),
        healthy_z_(options.healthy_z_range),
        costly_(options.use_contact_forces),
        total_mass_(numpy_sum<double>([this](size_t i) { return sim_.model.body_mass[i]; }, 0,
                                      static_cast<size_t>(sim_.model.nbody))) {}

  void reset(Rng& rng, Obs::Ref obs, typename Info::Ref row) {
    const InfoWriter<Info> info(row);
    reset_uniform(rng, reset_noise_scale_);
    observe(obs, true);
    info.zero();
    if constexpr (Which == Generation::v5) put_place(info, sim_.qpos);
  }

  Outcome step(Action::Value action, Obs::Ref obs, typename Info::Ref row) {
    const InfoWriter<Info> info(row);
    const auto before = mass_center();
    simulate(action);
    const auto after = mass_center();
    const double velocity = (after[0] - before[0]) / dt_;
    const bool healthy = within(healthy_z_, sim_.qpos[2]);
    const double forward = forward_reward_weight_ * velocity;
    const double survive = healthy || (legacy_ && terminates_) ? healthy_reward_ : 0.0;
    const double ctrl = ctrl_cost();
    const double contact = costly_ ? clipped(contact_cost_weight_ * squared_forces(),
                                             contact_cost_.low, contact_cost_.high)
                                   : 0.0;
    observe(obs, false);
    put_place(info, Which == Generation::v5 ? sim_.qpos : after.data());
    put<"x_velocity">(info, velocity);
    put<"y_velocity">(info, (after[1] - before[1]) / dt_);
    put<"reward_survive">(info, survive);
    put<"reward_alive">(info, survive);
    put<"reward_forward">(info, forward);
    put<"reward_linvel">(info, forward);
    put<"forward_reward">(info, forward);
    put<"reward_ctrl">(info, -ctrl);
    put<"reward_quadctrl">(info, -ctrl);
    put<"reward_contact">(info, -contact);
    put<"reward_impact">(info, -contact);
    return outcome((forward + survive) - (ctrl + contact), !healthy && terminates_, info);
  }

 private:
  // numpy is compiled for the oldest processors of a kind. Those of aarch64 have fused
  // multiply-adds.
#if defined(__aarch64__) || defined(_M_ARM64)
  static constexpr bool einsum_is_fused = true;
#else
  static constexpr bool einsum_is_fused = false;
#endif

  // Its x and y. Adds bodies up in order, as numpy's einsum does.
  std::array<double, 2> mass_center() const {
    std::array<double, 2> sum = {0.0, 0.0};
    for (int64_t body = 0; body < sim_.model.nbody; ++body) {
      for (size_t axis = 0; axis < 2; ++axis) {
        const double mass = sim_.model.body_mass[body];
        const double place = sim_.xipos[3 * body + static_cast<int64_t>(axis)];
        sum[axis] = einsum_is_fused ? std::fma(mass, place, sum[axis]) : sum[axis] + mass * place;
      }
    }
    return {sum[0] / total_mass_, sum[1] / total_mass_};
  }
  void put_place(const InfoWriter<Info>& info, const double* xy) const {
    put<"x_position">(info, xy[0]);
    put<"y_position">(info, xy[1]);
    put<"distance_from_origin">(info, length(xy, 2));
    put_all<"tendon_length">(info, sim_.ten_length);
    put_all<"tendon_velocity">(info, sim_.ten_velocity);
  }

  const double forward_reward_weight_;
  const double contact_cost_weight_;
  const Range contact_cost_;
  const double healthy_reward_;
  const bool terminates_;
  const bool legacy_;
  const Range healthy_z_;
  const bool costly_;
  const double total_mass_;
};

}  // namespace gymnasium_tasks
#endif  // PARALLEL_POOL_MUJOCO_HUMANOID_HPP_
