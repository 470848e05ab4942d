// Walker: stand, walk or run on two legs in a plane. As dm_control's suite.walker has it.
#ifndef PARALLEL_POOL_DMC_WALKER_HPP_
#define PARALLEL_POOL_DMC_WALKER_HPP_

#include "environment.hpp"
#include "randomizers.hpp"
#include "tolerance.hpp"

namespace suite {

struct WalkerOptions : SuiteOptions {
  double move_speed;
  static constexpr auto declared = pp::options(
      SuiteOptions::declared,
      option(&WalkerOptions::move_speed, "move_speed", 0.0,
             "speed in m/s at which the reward of moving is full; 0: only standing is rewarded"));
};

class Walker {
 public:
  static constexpr const char* id = "dmc/walker-v1";
  static constexpr const char* summary = "Walk on two legs, in a plane";
  using Options = WalkerOptions;
  static Entries observed(const Options&, const Model& model) {
    return {{"orientations", {2 * (model.nbody - 1)}}, {"height", {}}, {"velocity", {model.nv}}};
  }

  Walker(const Options& options, Physics& physics)
      : physics_(physics),
        joints_(physics),
        torso_xpos_(physics.body_xpos("torso")),
        torso_xmat_(physics.body_xmat("torso")),
        com_velocity_(physics.sensor("torso_subtreelinvel")),
        move_speed_(options.move_speed) {}

  void initialize_episode(RandomState& random) { joints_.randomize(random); }

  void observe(ObservationWriter& out) const {
    double* orientations = out.next();
    for (int64_t body = 1; body < physics_.model.nbody; ++body) {
      *orientations++ = physics_.xmat[9 * body + xx];
      *orientations++ = physics_.xmat[9 * body + xz];
    }
    out.put(torso_xpos_[2]);
    out.put(physics_.qvel, physics_.model.nv);
  }

  double reward() const {
    constexpr double stand_height = 1.2;
    const double standing = tolerance(torso_xpos_[2], {stand_height, infinity}, stand_height / 2);
    const double upright = (1 + torso_xmat_[zz]) / 2;
    const double stand_reward = (3 * standing + upright) / 4;
    if (move_speed_ == 0) return stand_reward;
    const double moving =
        tolerance(com_velocity_[0], {move_speed_, infinity}, move_speed_ / 2, Sigmoid::linear, 0.5);
    return stand_reward * (5 * moving + 1) / 6;
  }

 private:
  Physics& physics_;
  const JointRandomizer joints_;
  const double* const torso_xpos_;
  const double* const torso_xmat_;
  const double* const com_velocity_;
  const double move_speed_;
};

}  // namespace suite
#endif  // PARALLEL_POOL_DMC_WALKER_HPP_
