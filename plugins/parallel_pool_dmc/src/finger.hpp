// Finger: a finger that spins a body, or turns it until its tip is in a target. As dm_control's
// suite.finger has it.
#ifndef PARALLEL_POOL_DMC_FINGER_HPP_
#define PARALLEL_POOL_DMC_FINGER_HPP_

#include "environment.hpp"
#include "randomizers.hpp"

namespace suite {

struct FingerOptions : SuiteOptions {
  double target_size;
  static constexpr auto declared = pp::options(
      SuiteOptions::declared,
      option(&FingerOptions::target_size, "target_size", 0.0,
             "radius of the target in m; 0: no target, spinning is rewarded", Range{0, 1}));
};

class Finger {
 public:
  static constexpr const char* id = "dmc/finger-v1";
  static constexpr const char* summary = "Turn a body with a finger";
  using Options = FingerOptions;
  static Entries observed(const Options& options, const Model&) {
    Entries entries = {{"position", {4}}, {"velocity", {3}}, {"touch", {2}}};
    if (shows_target(options)) {
      entries.push_back({"target_position", {2}});
      entries.push_back({"dist_to_target", {}});
    }
    return entries;
  }
  static bool edits_model(const Options&) { return true; }

  Finger(const Options& options, Physics& physics)
      : physics_(physics),
        joints_(physics),
        proximal_(physics.sensor("proximal")),
        distal_(physics.sensor("distal")),
        proximal_velocity_(physics.sensor("proximal_velocity")),
        distal_velocity_(physics.sensor("distal_velocity")),
        hinge_velocity_(physics.sensor("hinge_velocity")),
        tip_(physics.sensor("tip")),
        target_(physics.sensor("target")),
        spinner_(physics.sensor("spinner")),
        touch_top_(physics.sensor("touchtop")),
        touch_bottom_(physics.sensor("touchbottom")),
        anchor_(physics.data<double>("mjData.xanchor") + 3 * physics.joint("hinge")),
        cap_size_(physics.geom_size("cap1")),
        target_size_(options.target_size),
        shows_target_(shows_target(options)) {
    if (turning()) {
      place_ = physics.edit_site("mjModel.site_pos", 3, "target", {0, 2});
      size_ = physics.edit_site("mjModel.site_size", 3, "target", {0});
      radius_ = size_;
    } else {
      radius_ = physics.site_size("target");
      target_color_ = physics.edit_site<float>("mjModel.site_rgba", 4, "target", {3});
      tip_color_ = physics.edit_site<float>("mjModel.site_rgba", 4, "tip", {3});
      const auto* first = physics.constant<int32_t>("mjModel.jnt_dofadr");
      damping_ = physics.edit_row("mjModel.dof_damping", 1, physics.model.nv,
                                  first[physics.joint("hinge")], {0});
    }
  }

  void initialize_episode(RandomState& random) {
    if (turning()) {
      const double angle = random.uniform(-pi, pi);
      const double radius = cap_size_[0] + cap_size_[1] + cap_size_[2];
      place_[0] = anchor_[0] + radius * NumpyMath::sin(angle);
      place_[2] = anchor_[2] + radius * NumpyMath::cos(angle);
      size_[0] = target_size_;
    } else {
      target_color_[3] = 0;
      tip_color_[3] = 0;
      *damping_ = .03;
    }
    draw_joints(random);
  }

  void observe(ObservationWriter& out) const {
    double* position = out.next();
    position[0] = *proximal_;
    position[1] = *distal_;
    from_spinner(tip_, position + 2);
    double* velocity = out.next();
    velocity[0] = *proximal_velocity_;
    velocity[1] = *distal_velocity_;
    velocity[2] = *hinge_velocity_;
    const double touch[] = {*touch_top_, *touch_bottom_};
    NumpyMath::log1p(touch, out.next(), 2);
    if (shows_target_) {
      from_spinner(target_, out.next());
      out.put(distance_to_target());
    }
  }

  double reward() const {
    constexpr double spin_velocity = 15;
    if (turning()) return distance_to_target() <= 0 ? 1 : 0;
    return *hinge_velocity_ <= -spin_velocity ? 1 : 0;
  }

 private:
  static bool shows_target(const Options& options) {
    return options.target_size > 0 || options.envpool_keys;
  }
  bool turning() const { return target_size_ > 0; }

  // Draws until nothing touches.
  void draw_joints(RandomState& random) {
    constexpr int attempts = 1000;  // the original's
    draw_apart(physics_, "finger", [&] { joints_.randomize(random); }, attempts);
  }
  // The x and z of a sensor's place, relative to the spinner.
  void from_spinner(const double* place, double* result) const {
    result[0] = place[0] - spinner_[0];
    result[1] = place[2] - spinner_[2];
  }
  // From the tip to the target's surface; negative inside.
  double distance_to_target() const {
    double tip[2];
    double target[2];
    from_spinner(tip_, tip);
    from_spinner(target_, target);
    return physics_.distance(target, tip, 2) - *radius_;
  }

  Physics& physics_;
  const JointRandomizer joints_;
  const double* const proximal_;  // a sensor, as all up to touch_bottom_
  const double* const distal_;
  const double* const proximal_velocity_;
  const double* const distal_velocity_;
  const double* const hinge_velocity_;
  const double* const tip_;
  const double* const target_;
  const double* const spinner_;
  const double* const touch_top_;
  const double* const touch_bottom_;
  const double* const anchor_;
  const double* const cap_size_;
  const double target_size_;
  const bool shows_target_;
  const double* radius_ = nullptr;  // the target's
  // Numbers of the model. The target's, in a task that has one:
  double* place_ = nullptr;
  double* size_ = nullptr;
  // In a task without a target:
  float* target_color_ = nullptr;
  float* tip_color_ = nullptr;
  double* damping_ = nullptr;  // the spinner's
};

}  // namespace suite
#endif  // PARALLEL_POOL_DMC_FINGER_HPP_
