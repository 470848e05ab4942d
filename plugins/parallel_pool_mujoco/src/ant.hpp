// Ant: walk forward on four legs. The task is Schulman et al.'s (2015), as in Gymnasium.
//
// Rewards come from the position of `main_body`, which MuJoCo computes in the middle of the last
// step of the simulation. The original reads the same.
#ifndef PARALLEL_POOL_MUJOCO_ANT_HPP_
#define PARALLEL_POOL_MUJOCO_ANT_HPP_

#include <algorithm>
#include <cmath>
#include <string>

#include "gymnasium_task.hpp"

namespace gymnasium_tasks {

struct AntOptions : GymnasiumOptions {
  double forward_reward_weight;
  float ctrl_cost_weight;
  double contact_cost_weight;
  double healthy_reward;
  std::string main_body;
  bool terminate_when_unhealthy;
  bool legacy_healthy_reward;
  Range healthy_z_range;
  Range contact_force_range;
  double reset_noise_scale;
  bool exclude_current_positions_from_observation;
  bool include_cfrc_ext_in_observation;
  bool use_contact_forces;
  bool exclude_worldbody_contact_forces;

  static constexpr auto declared = pp::options(
      GymnasiumOptions::declared.with_default(&AntOptions::frame_skip, 5),
      option(&AntOptions::forward_reward_weight, "forward_reward_weight", 1.0,
             "weight of the forward velocity in the reward", computable),
      option(&AntOptions::ctrl_cost_weight, "ctrl_cost_weight", 0.5,
             "weight of the squared controls in the reward", computable),
      option(&AntOptions::contact_cost_weight, "contact_cost_weight", 5e-4,
             "weight of the squared contact forces in the reward", computable),
      option(&AntOptions::healthy_reward, "healthy_reward", 1.0,
             "reward of a step in which the robot is healthy", computable),
      option(&AntOptions::main_body, "main_body", "1",
             "name or number of the body whose velocity is rewarded"),
      option(&AntOptions::terminate_when_unhealthy, "terminate_when_unhealthy", true,
             "terminate the episode when the robot is unhealthy"),
      option(&AntOptions::legacy_healthy_reward, "legacy_healthy_reward", false,
             "give healthy_reward in the terminating step too (v4 and older)"),
      option(&AntOptions::healthy_z_range, "healthy_z_range", {0.2, 1.0},
             "range of heights in which the robot is healthy"),
      option(&AntOptions::contact_force_range, "contact_force_range", {-1.0, 1.0},
             "range to which contact forces are clipped"),
      option(&AntOptions::reset_noise_scale, "reset_noise_scale", 0.1,
             "scale of the noise of initial positions (uniform) and velocities (normal)",
             computable),
      option(&AntOptions::exclude_current_positions_from_observation,
             "exclude_current_positions_from_observation", true, "observations without x and y"),
      option(&AntOptions::include_cfrc_ext_in_observation, "include_cfrc_ext_in_observation", true,
             "observe contact forces"),
      option(&AntOptions::use_contact_forces, "use_contact_forces", true,
             "subtract the contact cost from the reward, and allow contact forces in observations"),
      option(&AntOptions::exclude_worldbody_contact_forces, "exclude_worldbody_contact_forces",
             true, "observations without the contact forces of the world body"));
};

template <Generation Which>
struct AntInfo;
template <>
struct AntInfo<Generation::v5> {
  static constexpr const char* id = "mujoco/Ant-v5";
  using type =
      Dict<Real<"x_position">, Real<"y_position">, Real<"distance_from_origin">, Real<"x_velocity">,
           Real<"y_velocity">, Real<"reward_forward">, Real<"reward_ctrl">, Real<"reward_contact">,
           Real<"reward_survive">, WarningKey>;
};
// reward_contact is EnvPool's. Where contacts cost, Gymnasium writes their cost over reward_ctrl,
// and then it is no float32.
template <>
struct AntInfo<Generation::v4> {
  static constexpr const char* id = "mujoco/Ant-v4";
  using type = Dict<Real<"reward_forward">, Real<"reward_ctrl">, Real<"reward_contact">,
                    Real<"reward_survive">, Real<"x_position">, Real<"y_position">,
                    Real<"distance_from_origin">, Real<"x_velocity">, Real<"y_velocity">,
                    Real<"forward_reward">, WarningKey>;
};

template <Generation Which>
class Ant : public GymnasiumTask {
 public:
  static constexpr const char* id = AntInfo<Which>::id;
  static constexpr const char* summary = "Walk forward on four legs";
  using Options = AntOptions;
  using Info = typename AntInfo<Which>::type;

  static void describe(Spec& spec, const Options& options) {
    GymnasiumTask::describe(spec, options, obs_size(*Model::share(options), options));
    if (!contacts_replace_ctrl(options.use_contact_forces)) {
      spec.info("reward_ctrl").dtype = PP_FLOAT32;
    }
  }

  explicit Ant(const Options& options)
      : GymnasiumTask(options, obs_size(*Model::share(options), options),
                      options.use_contact_forces),
        forward_reward_weight_(options.forward_reward_weight),
        ctrl_cost_weight_(options.ctrl_cost_weight),
        contact_cost_weight_(options.contact_cost_weight),
        healthy_reward_(options.healthy_reward),
        terminates_(options.terminate_when_unhealthy),
        legacy_(options.legacy_healthy_reward),
        healthy_z_(options.healthy_z_range),
        force_(options.contact_force_range),
        reset_noise_scale_(options.reset_noise_scale),
        hidden_(options.exclude_current_positions_from_observation ? 2 : 0),
        costly_(options.use_contact_forces),
        first_force_(first_observed_force(sim_.model, options)),
        place_(sim_.xpos + 3 * body_of(sim_.model, options.main_body)) {}

  void reset(Rng& rng, Obs::Ref obs, typename Info::Ref row) {
    const InfoWriter<Info> info(row);
    reset_normal(rng, reset_noise_scale_);
    observe(obs, true);
    info.zero();
    if (!contacts_replace_ctrl(costly_)) put_narrow<"reward_ctrl">(info, 0.0f);
    if constexpr (Which == Generation::v5) put_place(info, sim_.qpos);
  }

  Outcome step(Action::Value action, Obs::Ref obs, typename Info::Ref row) {
    const InfoWriter<Info> info(row);
    const double x = place_[0];
    const double y = place_[1];
    simulate(action);
    const double velocity = (place_[0] - x) / dt_;
    const bool healthy = is_healthy();
    const double forward = velocity * forward_reward_weight_;
    const double survive = healthy || (legacy_ && terminates_) ? healthy_reward_ : 0.0;
    const float ctrl = ctrl_cost_weight_ * sum_of_squares(action.data(), action.size());
    const double contact = costly_ ? contact_cost() : 0.0;
    observe(obs, false);
    put_place(info, Which == Generation::v5 ? sim_.qpos : place_);
    put<"x_velocity">(info, velocity);
    put<"y_velocity">(info, (place_[1] - y) / dt_);
    put<"reward_forward">(info, forward);
    put<"forward_reward">(info, forward);
    put<"reward_contact">(info, -contact);
    put<"reward_survive">(info, survive);
    if (contacts_replace_ctrl(costly_)) {
      put<"reward_ctrl">(info, -contact);
    } else {
      put_narrow<"reward_ctrl">(info, -ctrl);
    }
    const double costs = static_cast<double>(ctrl) + contact;
    return outcome((forward + survive) - costs, !healthy && terminates_, info);
  }

 private:
  static bool contacts_replace_ctrl(bool costly) { return Which == Generation::v4 && costly; }
  static size_t n_force(const Model& model) { return 6 * static_cast<size_t>(model.nbody); }

  // An index into cfrc_ext; n_force if no force is observed.
  static size_t first_observed_force(const Model& model, const Options& options) {
    if (!options.use_contact_forces || !options.include_cfrc_ext_in_observation) {
      return n_force(model);
    }
    return options.exclude_worldbody_contact_forces ? 6 : 0;
  }
  static size_t obs_size(const Model& model, const Options& options) {
    require(model, "nq", model.nq, 3);
    const int64_t hidden = options.exclude_current_positions_from_observation ? 2 : 0;
    return static_cast<size_t>(model.nq + model.nv - hidden) + n_force(model) -
           first_observed_force(model, options);
  }
  static int64_t body_of(const Model& model, const std::string& body) {
    if (body.empty() || body.find_first_not_of("0123456789") != std::string::npos) {
      return model.body(body);
    }
    const int64_t number = std::stoll(body);
    require(model, "nbody", model.nbody, number + 1);
    return number;
  }

  bool is_healthy() const {
    bool finite = true;
    for (int64_t i = 0; i < nq(); ++i) finite &= std::isfinite(sim_.qpos[i]);
    for (int64_t i = 0; i < nv(); ++i) finite &= std::isfinite(sim_.qvel[i]);
    return finite && healthy_z_.low <= sim_.qpos[2] && sim_.qpos[2] <= healthy_z_.high;
  }
  double contact_cost() const {
    const auto square = [this](size_t i) {
      const double force = clipped(sim_.cfrc_ext[i], force_.low, force_.high);
      return force * force;
    };
    return contact_cost_weight_ * numpy_sum<double>(square, 0, n_force(sim_.model));
  }

  void observe(const Obs::Ref& row, bool first) {
    double* out = observer_.begin(row);
    out = std::copy(sim_.qpos + hidden_, sim_.qpos + nq(), out);
    out = std::copy(sim_.qvel, sim_.qvel + nv(), out);
    for (size_t i = first_force_; i < n_force(sim_.model); ++i) {
      *out++ = clipped(sim_.cfrc_ext[i], force_.low, force_.high);
    }
    observer_.end(row, first);
  }
  void put_place(const InfoWriter<Info>& info, const double* xy) const {
    put<"x_position">(info, xy[0]);
    put<"y_position">(info, xy[1]);
    put<"distance_from_origin">(info, length(xy, 2));
  }

  const double forward_reward_weight_;
  const float ctrl_cost_weight_;
  const double contact_cost_weight_;
  const double healthy_reward_;
  const bool terminates_;
  const bool legacy_;
  const Range healthy_z_;
  const Range force_;
  const double reset_noise_scale_;
  const int64_t hidden_;
  const bool costly_;
  const size_t first_force_;
  const double* const place_;  // the position of the main body
};

}  // namespace gymnasium_tasks
#endif  // PARALLEL_POOL_MUJOCO_ANT_HPP_
