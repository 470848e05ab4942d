// Ball in cup: catch a ball on a string. As dm_control's suite.ball_in_cup has it.
#ifndef PARALLEL_POOL_DMC_BALL_IN_CUP_HPP_
#define PARALLEL_POOL_DMC_BALL_IN_CUP_HPP_

#include <cmath>

#include "environment.hpp"
#include "randomizers.hpp"

namespace suite {

class BallInCup {
 public:
  static constexpr const char* id = "dmc/ball_in_cup-v1";
  static constexpr const char* summary = "Catch a ball on a string with a cup";
  using Options = SuiteOptions;
  static Entries observed(const Options&, const Model& model) {
    return {{"position", {model.nq}}, {"velocity", {model.nv}}};
  }

  BallInCup(const Options&, Physics& physics)
      : physics_(physics),
        ball_x_(physics.joint_qpos("ball_x")),
        ball_z_(physics.joint_qpos("ball_z")),
        target_(physics.site_xpos("target")),
        ball_(physics.body_xpos("ball")),
        target_size_(physics.site_size("target")),
        ball_size_(*physics.geom_size("ball")) {}

  void initialize_episode(RandomState& random) {
    draw_apart(physics_, "ball_in_cup", [&] {
      *ball_x_ = random.uniform(-.2, .2);
      *ball_z_ = random.uniform(.2, .5);
    });
  }

  void observe(ObservationWriter& out) const {
    out.put(physics_.qpos, physics_.model.nq);
    out.put(physics_.qvel, physics_.model.nv);
  }

  double reward() const { return inside(0) && inside(2) ? 1 : 0; }

 private:
  bool inside(size_t axis) const {
    return std::abs(target_[axis] - ball_[axis]) < target_size_[axis] - ball_size_;
  }

  Physics& physics_;
  double* const ball_x_;
  double* const ball_z_;
  const double* const target_;
  const double* const ball_;
  const double* const target_size_;
  const double ball_size_;
};

}  // namespace suite
#endif  // PARALLEL_POOL_DMC_BALL_IN_CUP_HPP_
