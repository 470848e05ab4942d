// Acrobot: swing two links up to a target. As dm_control's suite.acrobot has it.
#ifndef PARALLEL_POOL_DMC_ACROBOT_HPP_
#define PARALLEL_POOL_DMC_ACROBOT_HPP_

#include "environment.hpp"
#include "tolerance.hpp"

namespace suite {

struct AcrobotOptions : SuiteOptions {
  bool sparse;
  static constexpr auto declared =
      pp::options(SuiteOptions::declared,
                  option(&AcrobotOptions::sparse, "sparse", false, "the reward is 0 or 1"));
};

class Acrobot {
 public:
  static constexpr const char* id = "dmc/acrobot-v1";
  static constexpr const char* summary = "Swing two links up to a target";
  using Options = AcrobotOptions;
  static Entries observed(const Options&, const Model& model) {
    return {{"orientations", {4}}, {"velocity", {model.nv}}};
  }

  Acrobot(const Options& options, Physics& physics)
      : physics_(physics),
        shoulder_(physics.joint_qpos("shoulder")),
        elbow_(physics.joint_qpos("elbow")),
        upper_arm_(physics.body_xmat("upper_arm")),
        lower_arm_(physics.body_xmat("lower_arm")),
        target_(physics.site_xpos("target")),
        tip_(physics.site_xpos("tip")),
        target_radius_(*physics.site_size("target")),
        margin_(options.sparse ? 0 : 1) {}

  void initialize_episode(RandomState& random) {
    *shoulder_ = random.uniform(-pi, pi);
    *elbow_ = random.uniform(-pi, pi);
  }

  void observe(ObservationWriter& out) const {
    double* orientations = out.next();
    orientations[0] = upper_arm_[xz];
    orientations[1] = lower_arm_[xz];
    orientations[2] = upper_arm_[zz];
    orientations[3] = lower_arm_[zz];
    out.put(physics_.qvel, physics_.model.nv);
  }

  double reward() const {
    return tolerance(physics_.distance(target_, tip_, 3), {0, target_radius_}, margin_);
  }

 private:
  Physics& physics_;
  double* const shoulder_;
  double* const elbow_;
  const double* const upper_arm_;
  const double* const lower_arm_;
  const double* const target_;
  const double* const tip_;
  const double target_radius_;
  const double margin_;
};

}  // namespace suite
#endif  // PARALLEL_POOL_DMC_ACROBOT_HPP_
