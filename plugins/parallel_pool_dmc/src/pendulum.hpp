// Pendulum: swing it up and keep it there. As dm_control's suite.pendulum has it.
#ifndef PARALLEL_POOL_DMC_PENDULUM_HPP_
#define PARALLEL_POOL_DMC_PENDULUM_HPP_

#include "environment.hpp"
#include "tolerance.hpp"

namespace suite {

class Pendulum {
 public:
  static constexpr const char* id = "dmc/pendulum-v1";
  static constexpr const char* summary = "Swing a pendulum up and keep it there";
  using Options = SuiteOptions;
  static Entries observed(const Options&, const Model&) {
    return {{"orientation", {2}}, {"velocity", {1}}};
  }

  Pendulum(const Options&, Physics& physics)
      : angle_(physics.joint_qpos("hinge")),
        velocity_(physics.joint_qvel("hinge")),
        pole_(physics.body_xmat("pole")) {}

  void initialize_episode(RandomState& random) { *angle_ = random.uniform(-pi, pi); }

  void observe(ObservationWriter& out) const {
    double* orientation = out.next();
    orientation[0] = pole_[zz];
    orientation[1] = pole_[xz];
    out.put(velocity_, 1);
  }

  double reward() const {
    const double eight_degrees = NumpyMath::cos(8 * (pi / 180));
    return tolerance(pole_[zz], {eight_degrees, 1});
  }

 private:
  double* const angle_;
  const double* const velocity_;
  const double* const pole_;
};

}  // namespace suite
#endif  // PARALLEL_POOL_DMC_PENDULUM_HPP_
