// HumanoidStandup: get up from the ground. The task is Tassa, Erez and Todorov's (2012), as in
// Gymnasium.
#ifndef PARALLEL_POOL_MUJOCO_HUMANOID_STANDUP_HPP_
#define PARALLEL_POOL_MUJOCO_HUMANOID_STANDUP_HPP_

#include <limits>

#include "humanoid_body.hpp"

namespace gymnasium_tasks {

struct HumanoidStandupOptions : HumanoidBodyOptions {
  double uph_cost_weight;
  double impact_cost_weight;
  Range impact_cost_range;

  static constexpr auto declared =
      pp::options(HumanoidBodyOptions::declared,
                  option(&HumanoidStandupOptions::uph_cost_weight, "uph_cost_weight", 1.0,
                         "no effect, as in Gymnasium", computable),
                  option(&HumanoidStandupOptions::impact_cost_weight, "impact_cost_weight", 5e-7,
                         "weight of the squared contact forces in the reward", computable),
                  option(&HumanoidStandupOptions::impact_cost_range, "impact_cost_range",
                         {-std::numeric_limits<double>::infinity(), 10.0},
                         "range to which the impact cost is clipped"));
};

template <Generation Which>
struct HumanoidStandupInfo;
// reward_alive is EnvPool's.
template <>
struct HumanoidStandupInfo<Generation::v5> {
  static constexpr const char* id = "mujoco/HumanoidStandup-v5";
  using type =
      Dict<Real<"x_position">, Real<"y_position">, Real<"z_distance_from_origin">,
           Reals<"tendon_length">, Reals<"tendon_velocity">, Real<"reward_linup">,
           Real<"reward_quadctrl">, Real<"reward_impact">, Real<"reward_alive">, WarningKey>;
};
template <>
struct HumanoidStandupInfo<Generation::v4> {
  static constexpr const char* id = "mujoco/HumanoidStandup-v4";
  using type = Dict<Real<"reward_linup">, Real<"reward_quadctrl">, Real<"reward_impact">,
                    Real<"reward_alive">, WarningKey>;
};

template <Generation Which>
class HumanoidStandup : public HumanoidBody {
 public:
  static constexpr const char* id = HumanoidStandupInfo<Which>::id;
  static constexpr const char* summary = "Get up from the ground";
  using Options = HumanoidStandupOptions;
  using Info = typename HumanoidStandupInfo<Which>::type;

  static void describe(Spec& spec, const Options& options) { describe_body(spec, options); }

  explicit HumanoidStandup(const Options& options)
      : HumanoidBody(options, true),
        impact_cost_weight_(options.impact_cost_weight),
        impact_cost_(options.impact_cost_range) {}

  void reset(Rng& rng, Obs::Ref obs, typename Info::Ref row) {
    const InfoWriter<Info> info(row);
    reset_uniform(rng, reset_noise_scale_);
    observe(obs, true);
    info.zero();
    put_place(info);
  }

  Outcome step(Action::Value action, Obs::Ref obs, typename Info::Ref row) {
    const InfoWriter<Info> info(row);
    simulate(action);
    const double up = sim_.qpos[2] / sim_.model.timestep;
    const double ctrl = ctrl_cost();
    const double impact =
        clipped(impact_cost_weight_ * squared_forces(), impact_cost_.low, impact_cost_.high);
    observe(obs, false);
    put_place(info);
    put<"reward_linup">(info, up);
    put<"reward_quadctrl">(info, -ctrl);
    put<"reward_impact">(info, -impact);
    put<"reward_alive">(info, 1.0);
    return outcome(up - ctrl - impact + 1, false, info);
  }

 private:
  void put_place(const InfoWriter<Info>& info) const {
    put<"x_position">(info, sim_.qpos[0]);
    put<"y_position">(info, sim_.qpos[1]);
    put<"z_distance_from_origin">(info, sim_.qpos[2] - sim_.model.qpos0[2]);
    put_all<"tendon_length">(info, sim_.ten_length);
    put_all<"tendon_velocity">(info, sim_.ten_velocity);
  }

  const double impact_cost_weight_;
  const Range impact_cost_;
};

}  // namespace gymnasium_tasks
#endif  // PARALLEL_POOL_MUJOCO_HUMANOID_STANDUP_HPP_
