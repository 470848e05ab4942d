// Manipulator: bring a ball or a peg to a target with a planar arm, or put it into a cup or a slot.
// As dm_control's suite.manipulator has it.
#ifndef PARALLEL_POOL_DMC_MANIPULATOR_HPP_
#define PARALLEL_POOL_DMC_MANIPULATOR_HPP_

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

#include "environment.hpp"
#include "planar_arm.hpp"
#include "randomizers.hpp"
#include "sensors.hpp"
#include "tolerance.hpp"

namespace suite {

struct ManipulatorOptions : SuiteOptions {
  bool use_peg;
  bool insert;
  bool fully_observable;
  static constexpr auto declared = pp::options(
      SuiteOptions::declared,
      option(&ManipulatorOptions::use_peg, "use_peg", false, "the object is a peg; False: a ball"),
      option(&ManipulatorOptions::insert, "insert", false, "the target is in a slot or a cup"),
      option(&ManipulatorOptions::fully_observable, "fully_observable", true,
             "observe also the hand, the object and the target"));
};

class Manipulator {
 public:
  static constexpr const char* id = "dmc/manipulator-v1";
  static constexpr const char* summary = "Bring something to a target with an arm";
  using Options = ManipulatorOptions;
  static Entries observed(const Options& options, const Model& model) {
    constexpr int64_t joints = PlanarArm::count;
    Entries entries = {
        {"arm_pos", {joints, 2}}, {"arm_vel", {joints}}, {"touch", {touch(model).size()}}};
    if (options.fully_observable) {
      entries.push_back({"hand_pos", {4}});
      entries.push_back({"object_pos", {4}});
      entries.push_back({"object_vel", {3}});
      entries.push_back({"target_pos", {4}});
    }
    return entries;
  }
  static bool edits_model(const Options&) { return true; }

  Manipulator(const Options& options, Physics& physics)
      : Manipulator(options, physics, options.use_peg ? "peg" : "ball",
                    options.use_peg ? "target_peg" : "target_ball",
                    options.use_peg ? "slot" : "cup") {}

  void initialize_episode(RandomState& random) {
    draw_apart(physics_, "manipulator", [&] {
      arm_.draw(random);
      const double x = random.uniform(-.4, .4);
      const double z = random.uniform(.1, .4);
      const double range = insert_ ? pi / 3 : pi;
      const double angle = random.uniform(-range, range);
      if (insert_) receptacle_.put(x, z, angle);
      target_.put(x, z, angle);
      place_object(random, x, z, angle);
    });
  }

  void observe(ObservationWriter& out) const {
    arm_.put_angles(out.next());
    arm_.put_velocities(out.next());
    touch_.put(physics_.sensordata, out.next(), NumpyMath::log1p);
    if (!fully_observable_) return;
    hand_pose_.put(out.next());
    object_pose_.put(out.next());
    double* const velocity = out.next();
    for (size_t i = 0; i < 3; ++i) velocity[i] = *object_velocity_[i];
    target_pose_.put(out.next());
  }

  double reward() const {
    if (!use_peg_) return near(object_site_, target_site_);
    const double grasping = (near(peg_grasp_, grasp_) + near(peg_pinch_, pinch_)) / 2;
    const double bringing = (near(object_site_, target_site_) + near(target_tip_, peg_tip_)) / 2;
    return std::max(bringing, grasping / 3);
  }

 private:
  // A thing that an episode places in the plane: it writes only these numbers of the model.
  struct Place {
    double* position = nullptr;
    double* quaternion = nullptr;
    void put(double x, double z, double angle) const {
      position[0] = x;
      position[2] = z;
      quaternion[0] = NumpyMath::cos(angle / 2);
      quaternion[2] = NumpyMath::sin(angle / 2);
    }
  };

  Manipulator(const Options& options, Physics& physics, const char* object, const char* target,
              const char* receptacle)
      : physics_(physics),
        arm_(physics),
        touch_(touch(physics.model)),
        hand_pose_(physics, "hand"),
        object_pose_(physics, object),
        target_pose_(physics, target),
        grasp_(physics.site_xpos("grasp")),
        grasp_axes_(physics.data<double>("mjData.site_xmat") + 9 * physics.site("grasp")),
        object_site_(physics.site_xpos(object)),
        target_site_(physics.site_xpos(target)),
        target_(place_of(target)),
        use_peg_(options.use_peg),
        insert_(options.insert),
        fully_observable_(options.fully_observable) {
    constexpr std::array<const char*, 3> axes = {"_x", "_z", "_y"};
    for (size_t i = 0; i < 3; ++i) {
      const std::string joint = std::string(object) + axes[i];
      object_position_[i] = physics.joint_qpos(joint.c_str());
      object_velocity_[i] = physics.joint_qvel(joint.c_str());
    }
    if (insert_) receptacle_ = place_of(receptacle);
    if (use_peg_) {
      pinch_ = physics.site_xpos("pinch");
      peg_grasp_ = physics.site_xpos("peg_grasp");
      peg_pinch_ = physics.site_xpos("peg_pinch");
      peg_tip_ = physics.site_xpos("peg_tip");
      target_tip_ = physics.site_xpos("target_peg_tip");
    }
  }

  static Sensors touch(const Model& model) {
    return Sensors::named(
        model, {"palm_touch", "finger_touch", "thumb_touch", "fingertip_touch", "thumbtip_touch"});
  }
  Place place_of(const char* body) const {
    return {physics_.edit_body("mjModel.body_pos", 3, body, {0, 2}),
            physics_.edit_body("mjModel.body_quat", 4, body, {0, 2})};
  }

  // Places the object in the hand, in the target, or anywhere and moving.
  void place_object(RandomState& random, double x, double z, double angle) {
    constexpr double in_hand = .1;
    constexpr double in_target = .1;
    constexpr double probabilities[] = {in_hand, in_target, 1 - in_hand - in_target};
    switch (random.choice(3, probabilities)) {
      case 0:
        physics_.forward_without_actuation();  // computes where the hand is
        x = grasp_[0];
        z = grasp_[2];
        angle = pi - NumpyMath::arctan2(grasp_axes_[zx], grasp_axes_[xx]);
        break;
      case 1:
        break;
      default:
        x = random.uniform(-.5, .5);
        z = random.uniform(0, .7);
        angle = random.uniform(0, 2 * pi);
        *object_velocity_[0] = random.uniform(-5, 5);
    }
    *object_position_[0] = x;
    *object_position_[1] = z;
    *object_position_[2] = angle;
  }

  double near(const double* to, const double* from) const {
    constexpr double close = .01;
    return tolerance(physics_.distance(to, from, 3), {0, close}, close * 2);
  }

  Physics& physics_;
  const PlanarArm arm_;
  const Sensors touch_;
  const PlanarPose hand_pose_;
  const PlanarPose object_pose_;
  const PlanarPose target_pose_;
  const double* const grasp_;
  const double* const grasp_axes_;
  const double* const object_site_;
  const double* const target_site_;
  const double* pinch_ = nullptr;  // NULL without a peg, as the next two
  const double* peg_grasp_ = nullptr;
  const double* peg_pinch_ = nullptr;
  const double* peg_tip_ = nullptr;
  const double* target_tip_ = nullptr;
  const Place target_;
  Place receptacle_;
  std::array<double*, 3> object_position_{};  // x, z and its angle
  std::array<double*, 3> object_velocity_{};  // likewise
  const bool use_peg_;
  const bool insert_;
  const bool fully_observable_;
};

}  // namespace suite
#endif  // PARALLEL_POOL_DMC_MANIPULATOR_HPP_
