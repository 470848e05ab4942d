// Quadruped: a robot with four legs, and the task to walk or run with it. As dm_control's
// suite.quadruped has them. The other tasks are in quadruped_fetch.hpp and quadruped_escape.hpp.
#ifndef PARALLEL_POOL_DMC_QUADRUPED_HPP_
#define PARALLEL_POOL_DMC_QUADRUPED_HPP_

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "environment.hpp"
#include "hinges.hpp"
#include "sensors.hpp"
#include "tolerance.hpp"

namespace suite {

// The robot, with the observation of all its tasks. It puts itself on the ground.
class QuadrupedBody {
 public:
  static Entries observed(const Model& model) {
    return {{"egocentric_state", {2 * Hinges(model).count() + model.na}},
            {"torso_velocity", {3}},
            {"torso_upright", {}},
            {"imu", {imu(model).size()}},
            {"force_torque", {forces(model).size()}}};
  }

  explicit QuadrupedBody(Physics& physics)
      : torso_xpos(physics.body_xpos("torso")),
        torso_xmat(physics.body_xmat("torso")),
        velocity(physics.sensor("velocimeter")),
        physics_(physics),
        hinges_(physics.model),
        imu_(imu(physics.model)),
        forces_(forces(physics.model)),
        root_(physics.joint_qpos("root")),
        act_(physics.data<double>("mjData.act")) {}

  static void draw_orientation(RandomState& random, const Physics& physics, double* quaternion) {
    random.fill_standard_normal(quaternion, 4);
    physics.normalize(quaternion, 4);
  }

  // Puts it where nothing touches, from the ground upwards. Each height takes a reset.
  void place(const double* quaternion, double x = 0, double y = 0) {
    constexpr int attempts = 10000;
    double z = 0;
    for (int attempt = 0; attempt < attempts; ++attempt) {
      physics_.reset();
      root_[0] = x;
      root_[1] = y;
      root_[2] = z;
      std::copy(quaternion, quaternion + 4, root_ + 3);
      physics_.forward_without_actuation();
      if (*physics_.ncon == 0) return;
      z += 0.01;
    }
    throw std::runtime_error("dmc/quadruped touches something at any height");
  }

  void observe(ObservationWriter& out) const {
    double* state = out.next();
    state = hinges_.put_angles(physics_.qpos, state);
    state = hinges_.put_velocities(physics_.qvel, state);
    std::copy(act_, act_ + physics_.model.na, state);
    out.put(velocity, 3);
    out.put(torso_xmat[zz]);
    imu_.put(physics_.sensordata, out.next());
    forces_.put(physics_.sensordata, out.next(), NumpyMath::arcsinh);
  }

  // 1 while the torso leans less than the angle with this cosine.
  double upright(double cosine = 1) const {
    return tolerance(torso_xmat[zz], {cosine, infinity}, 1 + cosine, Sigmoid::linear, 0);
  }

  // The torso's frame, and its velocity in it.
  const double* const torso_xpos;
  const double* const torso_xmat;
  const double* const velocity;

 private:
  static Sensors imu(const Model& model) {
    return Sensors::of(model, {"mjSENS_GYRO", "mjSENS_ACCELEROMETER"});
  }
  static Sensors forces(const Model& model) {
    return Sensors::of(model, {"mjSENS_FORCE", "mjSENS_TORQUE"});
  }

  Physics& physics_;
  const Hinges hinges_;
  const Sensors imu_;
  const Sensors forces_;
  double* const root_;
  const double* const act_;
};

struct QuadrupedOptions : SuiteOptions {
  double desired_speed;
  static constexpr auto declared =
      pp::options(SuiteOptions::declared,
                  option(&QuadrupedOptions::desired_speed, "desired_speed", 0.5,
                         "speed in m/s at which the reward of moving is full", Range{0, 1000}));
};

class Quadruped {
 public:
  static constexpr const char* id = "dmc/quadruped-v1";
  static constexpr const char* summary = "Walk on four legs";
  using Options = QuadrupedOptions;
  static Entries observed(const Options&, const Model& model) {
    return QuadrupedBody::observed(model);
  }

  Quadruped(const Options& options, Physics& physics)
      : physics_(physics), body_(physics), desired_speed_(options.desired_speed) {}

  void initialize_episode(RandomState& random) {
    double orientation[4];
    QuadrupedBody::draw_orientation(random, physics_, orientation);
    body_.place(orientation);
  }

  void observe(ObservationWriter& out) const { body_.observe(out); }

  double reward() const {
    const double moving = tolerance(body_.velocity[0], {desired_speed_, infinity}, desired_speed_,
                                    Sigmoid::linear, 0.5);
    return body_.upright() * moving;
  }

 private:
  Physics& physics_;
  QuadrupedBody body_;
  const double desired_speed_;
};

}  // namespace suite
#endif  // PARALLEL_POOL_DMC_QUADRUPED_HPP_
