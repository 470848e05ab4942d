// Reacher: bring the tip of an arm of two links to a target. As dm_control's suite.reacher has it.
#ifndef PARALLEL_POOL_DMC_REACHER_HPP_
#define PARALLEL_POOL_DMC_REACHER_HPP_

#include "environment.hpp"
#include "randomizers.hpp"
#include "tolerance.hpp"

namespace suite {

struct ReacherOptions : SuiteOptions {
  double target_size;
  static constexpr auto declared =
      pp::options(SuiteOptions::declared, option(&ReacherOptions::target_size, "target_size", .05,
                                                 "radius of the target in m", Range{0, 1}));
};

class Reacher {
 public:
  static constexpr const char* id = "dmc/reacher-v1";
  static constexpr const char* summary = "Bring the tip of an arm to a target";
  using Options = ReacherOptions;
  static Entries observed(const Options&, const Model& model) {
    return {{"position", {model.nq}}, {"to_target", {2}}, {"velocity", {model.nv}}};
  }
  static bool edits_model(const Options&) { return true; }

  Reacher(const Options& options, Physics& physics)
      : physics_(physics),
        joints_(physics),
        target_(physics.geom_xpos("target")),
        finger_(physics.geom_xpos("finger")),
        place_(physics.edit_geom("mjModel.geom_pos", 3, "target", {0, 1})),
        size_(physics.edit_geom("mjModel.geom_size", 3, "target", {0})),
        finger_size_(*physics.geom_size("finger")),
        target_size_(options.target_size) {}

  void initialize_episode(RandomState& random) {
    size_[0] = target_size_;
    joints_.randomize(random);
    const double angle = random.uniform(0, 2 * pi);
    const double radius = random.uniform(.05, .20);
    place_[0] = radius * NumpyMath::sin(angle);
    place_[1] = radius * NumpyMath::cos(angle);
  }

  void observe(ObservationWriter& out) const {
    out.put(physics_.qpos, physics_.model.nq);
    double* to_target = out.next();
    for (size_t axis = 0; axis < 2; ++axis) to_target[axis] = target_[axis] - finger_[axis];
    out.put(physics_.qvel, physics_.model.nv);
  }

  double reward() const {
    return tolerance(physics_.distance(target_, finger_, 2), {0, size_[0] + finger_size_});
  }

 private:
  Physics& physics_;
  const JointRandomizer joints_;
  const double* const target_;
  const double* const finger_;
  double* const place_;  // the target's, in the model
  double* const size_;   // likewise
  const double finger_size_;
  const double target_size_;
};

}  // namespace suite
#endif  // PARALLEL_POOL_DMC_REACHER_HPP_
