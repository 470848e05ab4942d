// Point mass: bring a mass to a target; what each control pushes may change with each episode. As
// dm_control's suite.point_mass has it.
#ifndef PARALLEL_POOL_DMC_POINT_MASS_HPP_
#define PARALLEL_POOL_DMC_POINT_MASS_HPP_

#include <cmath>

#include "environment.hpp"
#include "randomizers.hpp"
#include "tolerance.hpp"

namespace suite {

struct PointMassOptions : SuiteOptions {
  bool randomize_gains;
  static constexpr auto declared = pp::options(
      SuiteOptions::declared, option(&PointMassOptions::randomize_gains, "randomize_gains", false,
                                     "each control pushes in a random direction of the episode"));
};

class PointMass {
 public:
  static constexpr const char* id = "dmc/point_mass-v1";
  static constexpr const char* summary = "Bring a point mass to a target";
  using Options = PointMassOptions;
  static Entries observed(const Options&, const Model& model) {
    return {{"position", {model.nq}}, {"velocity", {model.nv}}};
  }
  static bool edits_model(const Options& options) { return options.randomize_gains; }

  PointMass(const Options& options, Physics& physics)
      : physics_(physics),
        joints_(physics),
        target_(physics.geom_xpos("target")),
        mass_(physics.geom_xpos("pointmass")),
        target_size_(*physics.geom_size("target")),
        gains_(options.randomize_gains ? physics.edit<double>("mjModel.wrap_prm", 4) : nullptr) {}

  void initialize_episode(RandomState& random) {
    joints_.randomize(random);
    if (gains_ == nullptr) return;
    double* const first = gains_;
    double* const second = gains_ + 2;
    draw_direction(random, first);
    do {
      draw_direction(random, second);
    } while (std::abs(NumpyMath::dot(first, second, 2)) > 0.9);
  }

  void observe(ObservationWriter& out) const {
    out.put(physics_.qpos, physics_.model.nq);
    out.put(physics_.qvel, physics_.model.nv);
  }

  double reward() const {
    const double near =
        tolerance(physics_.distance(target_, mass_, 3), {0, target_size_}, target_size_);
    return near * physics_.small_control();
  }

 private:
  void draw_direction(RandomState& random, double* direction) const {
    random.fill_standard_normal(direction, 2);
    physics_.normalize(direction, 2);
  }

  Physics& physics_;
  const JointRandomizer joints_;
  const double* const target_;
  const double* const mass_;
  const double target_size_;
  double* const gains_;  // two for each of the two tendons
};

}  // namespace suite
#endif  // PARALLEL_POOL_DMC_POINT_MASS_HPP_
