// LQR: bring a chain of masses on springs to rest. As dm_control's suite.lqr has it.
//
// The stiffness of each spring is drawn once for each seed, before anything else is.
#ifndef PARALLEL_POOL_DMC_LQR_HPP_
#define PARALLEL_POOL_DMC_LQR_HPP_

#include <algorithm>
#include <cmath>
#include <vector>

#include "environment.hpp"

namespace suite {

struct LqrOptions : SuiteOptions {
  int64_t n_bodies;
  int64_t n_actuators;
  static constexpr auto declared = pp::options(
      SuiteOptions::declared,
      option(&LqrOptions::n_bodies, "n_bodies", 2, "number of masses in the chain", Range{1, 1000}),
      option(&LqrOptions::n_actuators, "n_actuators", 1,
             "number of masses with an actuator, from the first on", Range{1, 1000}));
};

class Lqr {
 public:
  static constexpr const char* id = "dmc/lqr-v1";
  static constexpr const char* summary = "Bring masses on springs to rest";
  using Options = LqrOptions;
  static Entries observed(const Options&, const Model& model) {
    return {{"position", {model.nq}}, {"velocity", {model.nv}}};
  }
  static bool edits_model(const Options&) { return true; }

  Lqr(const Options&, Physics& physics)
      : physics_(physics),
        stiffness_(physics.edit<double>("mjModel.jnt_stiffness", physics.model.nv)),
        state_(static_cast<size_t>(physics.model.nq + physics.model.nv)) {}

  // Every joint is a slide, so there are as many as velocities.
  void seed(RandomState& random) {
    for (int64_t i = 0; i < physics_.model.nv; ++i) {
      stiffness_[i] = random.uniform(15, 25);
      random.uniform(0, 0);  // dm_control draws the damping here
    }
  }

  void initialize_episode(RandomState& random) {
    const auto count = static_cast<size_t>(physics_.model.nq);
    random.fill_standard_normal(physics_.qpos, count);
    const double size = std::sqrt(squared_length(physics_.qpos, physics_.model.nq));
    for (size_t i = 0; i < count; ++i) physics_.qpos[i] = std::sqrt(2.0) * physics_.qpos[i] / size;
  }

  void observe(ObservationWriter& out) const {
    out.put(physics_.qpos, physics_.model.nq);
    out.put(physics_.qvel, physics_.model.nv);
  }

  double reward() const {
    const double state_cost = 0.5 * squared_length(physics_.qpos, physics_.model.nq);
    const double control_cost = 0.5 * squared_length(physics_.ctrl, physics_.model.nu);
    return 1 - (state_cost + control_cost * 0.1);
  }

  // True at rest.
  bool terminated() const {
    const Model& model = physics_.model;
    std::copy(physics_.qvel, physics_.qvel + model.nv,
              std::copy(physics_.qpos, physics_.qpos + model.nq, state_.begin()));
    return std::sqrt(squared_length(state_.data(), model.nq + model.nv)) < 1e-6;
  }

 private:
  static double squared_length(const double* vector, int64_t count) {
    return NumpyMath::dot(vector, vector, static_cast<size_t>(count));
  }

  Physics& physics_;
  double* const stiffness_;            // the joints', in the model
  mutable std::vector<double> state_;  // positions, then velocities
};

}  // namespace suite
#endif  // PARALLEL_POOL_DMC_LQR_HPP_
