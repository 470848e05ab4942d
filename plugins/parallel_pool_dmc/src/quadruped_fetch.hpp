// Quadruped fetch: bring a ball to the middle of the arena with a robot on four legs. As
// dm_control's suite.quadruped has it.
#ifndef PARALLEL_POOL_DMC_QUADRUPED_FETCH_HPP_
#define PARALLEL_POOL_DMC_QUADRUPED_FETCH_HPP_

#include <cmath>

#include "environment.hpp"
#include "quadruped.hpp"
#include "tolerance.hpp"

namespace suite {

class QuadrupedFetch {
 public:
  static constexpr const char* id = "dmc/quadruped_fetch-v1";
  static constexpr const char* summary = "Bring a ball to a target, on four legs";
  using Options = SuiteOptions;
  static Entries observed(const Options&, const Model& model) {
    Entries entries = QuadrupedBody::observed(model);
    entries.push_back({"ball_state", {9}});
    entries.push_back({"target_position", {3}});
    return entries;
  }

  QuadrupedFetch(const Options&, Physics& physics)
      : physics_(physics),
        body_(physics),
        root_velocity_(physics.joint_qvel("root")),
        ball_position_(physics.joint_qpos("ball_root")),
        ball_velocity_(physics.joint_qvel("ball_root")),
        ball_(physics.body_xpos("ball")),
        target_(physics.site_xpos("target")),
        workspace_(physics.site_xpos("workspace")),
        floor_size_(physics.geom_size("floor")[0]),
        ball_radius_(physics.geom_size("ball")[0]),
        target_radius_(physics.site_size("target")[0]),
        workspace_radius_(physics.site_size("workspace")[0]) {}

  void initialize_episode(RandomState& random) {
    const double azimuth = random.uniform(0, 2 * pi);
    const double orientation[] = {NumpyMath::cos(azimuth / 2), 0, 0, NumpyMath::sin(azimuth / 2)};
    const double spawn_radius = 0.9 * floor_size_;
    double place[2];
    random.fill_uniform(place, 2, -spawn_radius, spawn_radius);
    body_.place(orientation, place[0], place[1]);

    random.fill_uniform(ball_position_, 2, -spawn_radius, spawn_radius);
    ball_position_[2] = 2;
    for (size_t axis = 0; axis < 2; ++axis) ball_velocity_[axis] = 5 * random.randn();
  }

  void observe(ObservationWriter& out) const {
    body_.observe(out);
    double ball[9];  // its position, velocity and rotation, relative to the torso
    for (size_t axis = 0; axis < 3; ++axis) {
      ball[axis] = ball_[axis] - body_.torso_xpos[axis];
      ball[3 + axis] = ball_velocity_[axis] - root_velocity_[axis];
      ball[6 + axis] = ball_velocity_[3 + axis];
    }
    NumpyMath::product(ball, body_.torso_xmat, 3, 3, out.next(), 3);
    physics_.in_frame(target_, body_.torso_xpos, body_.torso_xmat, out.next());
  }

  double reward() const {
    const double arena_radius = floor_size_ * std::sqrt(2.0);
    const double reach =
        tolerance(physics_.distance(workspace_, ball_, 2), {0, workspace_radius_ + ball_radius_},
                  arena_radius, Sigmoid::linear, 0);
    const double fetch = tolerance(physics_.distance(target_, ball_, 2), {0, target_radius_},
                                   arena_radius, Sigmoid::linear, 0);
    return body_.upright() * (reach * (0.5 + 0.5 * fetch));
  }

 private:
  Physics& physics_;
  QuadrupedBody body_;
  const double* const root_velocity_;
  double* const ball_position_;
  double* const ball_velocity_;
  const double* const ball_;
  const double* const target_;
  const double* const workspace_;
  const double floor_size_;
  const double ball_radius_;
  const double target_radius_;
  const double workspace_radius_;
};

}  // namespace suite
#endif  // PARALLEL_POOL_DMC_QUADRUPED_FETCH_HPP_
