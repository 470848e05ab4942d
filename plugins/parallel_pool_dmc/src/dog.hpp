// Dog: stand, walk, trot or run with a dog of 38 muscles. As dm_control's suite.dog has it.
// dog_fetch.hpp has the task of fetching a ball.
#ifndef PARALLEL_POOL_DMC_DOG_HPP_
#define PARALLEL_POOL_DMC_DOG_HPP_

#include <algorithm>
#include <array>
#include <cstddef>

#include "environment.hpp"
#include "hinges.hpp"
#include "sensors.hpp"
#include "tolerance.hpp"

namespace suite {

// The dog, with the observation and the reset of all its tasks, and the part of their rewards that
// is for standing.
class DogBody {
 public:
  static Entries observed(const Model& model) {
    const int64_t hinges = Hinges(model).count();
    return {{"joint_angles", {hinges}},
            {"joint_velocites", {hinges}},  // dm_control's spelling
            {"torso_pelvis_height", {2}},
            {"z_projection", {9}},
            {"torso_com_velocity", {3}},
            {"inertial_sensors", {inertial(model).size()}},
            {"foot_forces", {forces(model).size()}},
            {"touch_sensors", {touch(model).size()}},
            {"actuator_state", {model.na}}};
  }

  explicit DogBody(Physics& physics)
      : physics_(physics),
        hinges_(physics.model),
        inertial_(inertial(physics.model)),
        forces_(forces(physics.model)),
        touch_(touch(physics.model)),
        torso_(physics.body_xpos("torso")),
        pelvis_(physics.body_xpos("pelvis")),
        frames_{physics.body_xmat("skull"), physics.body_xmat("torso"),
                physics.body_xmat("pelvis")},
        velocity_(physics.sensor("torso_linvel")),
        root_(physics.joint_qpos("root")),
        act_(physics.data<double>("mjData.act")),
        weight_(weight(physics)) {}

  void initialize_episode(RandomState& random) {
    physics_.reset();
    torso_height_ = torso_[2] * stand_height_fraction;
    pelvis_height_ = pelvis_[2] * stand_height_fraction;
    const double azimuth = random.uniform(0, 2 * pi);
    root_[3] = NumpyMath::cos(azimuth / 2);
    root_[4] = root_[5] = 0;
    root_[6] = NumpyMath::sin(azimuth / 2);
    for (const size_t degree : {0, 1, 5}) physics_.qvel[degree] = 2 * random.randn();
    const double* const range = physics_.model.actuator_ctrlrange;
    for (int64_t i = 0; i < physics_.model.nu; ++i) {
      act_[i] = random.uniform(range[2 * i], range[2 * i + 1]);
    }
  }

  void observe(ObservationWriter& out) const {
    hinges_.put_angles(physics_.qpos, out.next());
    hinges_.put_velocities(physics_.qvel, out.next());
    double* height = out.next();
    height[0] = torso_[2];
    height[1] = pelvis_[2];
    double* projection = out.next();
    for (const double* frame : frames_)
      projection = std::copy(frame + zx, frame + zz + 1, projection);
    NumpyMath::product(velocity_, frames_[1], 3, 3, out.next());
    inertial_.put(physics_.sensordata, out.next());
    forces_.put(physics_.sensordata, out.next());
    touch_.put(physics_.sensordata, out.next());
    out.put(act_, physics_.model.na);
  }

  // The velocity along the torso.
  double forward_velocity() const {
    double velocity[3];
    NumpyMath::product(velocity_, frames_[1], 3, 3, velocity);
    return velocity[0];
  }

  // The product of the factors that every task has. A task multiplies its own last, as dm_control.
  double standing() const {
    double product = tolerance(torso_[2], {torso_height_, infinity}, torso_height_);
    product *= tolerance(pelvis_[2], {pelvis_height_, infinity}, pelvis_height_);
    const double upright = NumpyMath::cos(30 * (pi / 180));
    for (const double* frame : frames_) {
      product *= tolerance(frame[zz], {upright, infinity}, upright + 1, Sigmoid::linear, 0);
    }
    double readings[4];
    touch_.put(physics_.sensordata, readings);
    const double pressure = numpy_sum<double>([&readings](size_t i) { return readings[i]; }, 0, 4);
    return product * tolerance(pressure, {weight_, infinity}, weight_, Sigmoid::linear, 0.9);
  }

  void save(StateWriter& out) const { out(torso_height_, pelvis_height_); }
  void load(StateReader& in) { in(torso_height_, pelvis_height_); }

 private:
  static constexpr double stand_height_fraction = 0.9;  // the model's own pose has height 1

  static Sensors inertial(const Model& model) {
    return Sensors::named(model, {"accelerometer", "velocimeter", "gyro"});
  }
  static Sensors forces(const Model& model) {
    return Sensors::named(model, {"foot_L", "foot_R", "hand_L", "hand_R"});
  }
  static Sensors touch(const Model& model) {
    return Sensors::named(model, {"palm_L", "palm_R", "sole_L", "sole_R"});
  }
  static double weight(const Physics& physics) {
    const double gravity = (&physics.model.at<double>("mjModel.opt.gravity"))[2];
    const double mass = physics.constant<double>("mjModel.body_subtreemass")[physics.body("torso")];
    return -gravity * mass;
  }

  Physics& physics_;
  const Hinges hinges_;
  const Sensors inertial_;
  const Sensors forces_;
  const Sensors touch_;
  const double* const torso_;
  const double* const pelvis_;
  const std::array<const double*, 3> frames_;  // skull, torso, pelvis
  const double* const velocity_;
  double* const root_;
  double* const act_;
  const double weight_;
  double torso_height_ = 0;   // from here on, standing is rewarded fully
  double pelvis_height_ = 0;  // likewise
};

struct DogOptions : SuiteOptions {
  double move_speed;
  static constexpr auto declared = pp::options(
      SuiteOptions::declared,
      option(&DogOptions::move_speed, "move_speed", 0.0,
             "speed in m/s at which the reward of moving is full; 0: only standing is rewarded",
             Range{0, 1000}));
};

class Dog {
 public:
  static constexpr const char* id = "dmc/dog-v1";
  static constexpr const char* summary = "Walk with a dog";
  using Options = DogOptions;
  static Entries observed(const Options&, const Model& model) { return DogBody::observed(model); }

  Dog(const Options& options, Physics& physics) : body_(physics), move_speed_(options.move_speed) {}

  void initialize_episode(RandomState& random) { body_.initialize_episode(random); }
  void observe(ObservationWriter& out) const { body_.observe(out); }

  double reward() const {
    const double standing = body_.standing();
    if (move_speed_ == 0) return standing;
    const double forward = tolerance(body_.forward_velocity(), {move_speed_, 2 * move_speed_},
                                     std::max(1.0, move_speed_), Sigmoid::linear, 0);
    return standing * ((4 * forward + 1) / 5);
  }

  void save(StateWriter& out) const { body_.save(out); }
  void load(StateReader& in) { body_.load(in); }

 private:
  DogBody body_;
  const double move_speed_;
};

}  // namespace suite
#endif  // PARALLEL_POOL_DMC_DOG_HPP_
