// The observation of Humanoid and HumanoidStandup, and the costs of their controls and contacts.
#ifndef PARALLEL_POOL_MUJOCO_HUMANOID_BODY_HPP_
#define PARALLEL_POOL_MUJOCO_HUMANOID_BODY_HPP_

#include <algorithm>
#include <cstddef>

#include "gymnasium_task.hpp"

namespace gymnasium_tasks {

struct HumanoidBodyOptions : GymnasiumOptions {
  double ctrl_cost_weight;
  double reset_noise_scale;
  bool exclude_current_positions_from_observation;
  bool include_cinert_in_observation;
  bool include_cvel_in_observation;
  bool include_qfrc_actuator_in_observation;
  bool include_cfrc_ext_in_observation;
  bool exclude_worldbody_observations;
  bool exclude_root_actuator_forces;

  static constexpr auto declared = pp::options(
      GymnasiumOptions::declared.with_default(&HumanoidBodyOptions::frame_skip, 5),
      option(&HumanoidBodyOptions::ctrl_cost_weight, "ctrl_cost_weight", 0.1,
             "weight of the squared controls in the reward", computable),
      option(&HumanoidBodyOptions::reset_noise_scale, "reset_noise_scale", 1e-2,
             "scale of the noise of initial positions and velocities (uniform)", computable),
      option(&HumanoidBodyOptions::exclude_current_positions_from_observation,
             "exclude_current_positions_from_observation", true, "observations without x and y"),
      option(&HumanoidBodyOptions::include_cinert_in_observation, "include_cinert_in_observation",
             true, "observe inertias and masses"),
      option(&HumanoidBodyOptions::include_cvel_in_observation, "include_cvel_in_observation", true,
             "observe velocities of centres of mass"),
      option(&HumanoidBodyOptions::include_qfrc_actuator_in_observation,
             "include_qfrc_actuator_in_observation", true, "observe forces of the actuators"),
      option(&HumanoidBodyOptions::include_cfrc_ext_in_observation,
             "include_cfrc_ext_in_observation", true, "observe contact forces"),
      option(&HumanoidBodyOptions::exclude_worldbody_observations, "exclude_worldbody_observations",
             true, "observations without the rows of the world body"),
      option(&HumanoidBodyOptions::exclude_root_actuator_forces, "exclude_root_actuator_forces",
             true, "observations without the six forces of the root, which are zero"));
};

class HumanoidBody : public GymnasiumTask {
 protected:
  static size_t obs_size(const Model& model, const HumanoidBodyOptions& options) {
    require(model, "nq", model.nq, 3);
    require(model, "nv", model.nv, 6);
    return Parts(model, options).size();
  }
  static void describe_body(Spec& spec, const HumanoidBodyOptions& options) {
    const auto model = Model::share(options);
    GymnasiumTask::describe(spec, options, obs_size(*model, options));
    for (Field& field : spec.fields) {
      if (field.name == "tendon_length" || field.name == "tendon_velocity") {
        field.shaped({model->ntendon});
      }
    }
  }

  HumanoidBody(const HumanoidBodyOptions& options, bool forces_cost)
      : GymnasiumTask(options, obs_size(*Model::share(options), options),
                      forces_cost || options.include_cfrc_ext_in_observation),
        parts_(sim_.model, options),
        ctrl_cost_weight_(options.ctrl_cost_weight),
        reset_noise_scale_(options.reset_noise_scale) {}

  double ctrl_cost() const {
    return ctrl_cost_weight_ * sum_of_squares(sim_.ctrl, static_cast<size_t>(sim_.model.nu));
  }
  double squared_forces() const {
    return sum_of_squares(sim_.cfrc_ext, 6 * static_cast<size_t>(sim_.model.nbody));
  }

  void observe(const Obs::Ref& row, bool first) {
    double* out = observer_.begin(row);
    out = parts_.positions.copy(sim_.qpos, out);
    out = parts_.velocities.copy(sim_.qvel, out);
    out = parts_.inertias.copy(sim_.cinert, out);
    out = parts_.body_velocities.copy(sim_.cvel, out);
    out = parts_.actuator_forces.copy(sim_.qfrc_actuator, out);
    parts_.contact_forces.copy(sim_.cfrc_ext, out);
    observer_.end(row, first);
  }

 private:
  // Elements of one of mjData's arrays, from `begin` to `end`.
  struct Part {
    Part(int64_t first, int64_t last, bool included = true)
        : begin(included ? first : last), end(last) {}
    size_t size() const { return static_cast<size_t>(end - begin); }
    double* copy(const double* array, double* out) const {
      return std::copy(array + begin, array + end, out);
    }
    int64_t begin;
    int64_t end;
  };
  struct Parts {
    Parts(const Model& model, const HumanoidBodyOptions& options)
        : Parts(model, options, options.exclude_worldbody_observations ? 1 : 0) {}
    Parts(const Model& model, const HumanoidBodyOptions& options, int64_t body)
        : positions(options.exclude_current_positions_from_observation ? 2 : 0, model.nq),
          velocities(0, model.nv),
          inertias(10 * body, 10 * model.nbody, options.include_cinert_in_observation),
          body_velocities(6 * body, 6 * model.nbody, options.include_cvel_in_observation),
          actuator_forces(options.exclude_root_actuator_forces ? 6 : 0, model.nv,
                          options.include_qfrc_actuator_in_observation),
          contact_forces(6 * body, 6 * model.nbody, options.include_cfrc_ext_in_observation) {}
    size_t size() const {
      return positions.size() + velocities.size() + inertias.size() + body_velocities.size() +
             actuator_forces.size() + contact_forces.size();
    }
    Part positions, velocities, inertias, body_velocities, actuator_forces, contact_forces;
  };

  const Parts parts_;
  const double ctrl_cost_weight_;

 protected:
  const double reset_noise_scale_;
};

}  // namespace gymnasium_tasks
#endif  // PARALLEL_POOL_MUJOCO_HUMANOID_BODY_HPP_
