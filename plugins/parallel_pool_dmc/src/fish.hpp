// Fish: hold a fish upright, or swim to a target. As dm_control's suite.fish has it.
#ifndef PARALLEL_POOL_DMC_FISH_HPP_
#define PARALLEL_POOL_DMC_FISH_HPP_

#include <array>

#include "environment.hpp"
#include "tolerance.hpp"

namespace suite {

struct FishOptions : SuiteOptions {
  bool swimming;
  static constexpr auto declared =
      pp::options(SuiteOptions::declared,
                  option(&FishOptions::swimming, "swimming", false,
                         "swimming to a target is rewarded; False: only being upright"));
};

class Fish {
 public:
  static constexpr const char* id = "dmc/fish-v1";
  static constexpr const char* summary = "Swim with a fish";
  using Options = FishOptions;
  static Entries observed(const Options& options, const Model& model) {
    Entries entries = {{"joint_angles", {n_joints}}, {"upright", {}}};
    if (shows_target(options)) entries.push_back({"target", {3}});
    entries.push_back({"velocity", {model.nv}});
    return entries;
  }
  static bool edits_model(const Options&) { return true; }

  Fish(const Options& options, Physics& physics)
      : physics_(physics),
        root_(physics.joint_qpos("root")),
        joints_{physics.joint_qpos("tail1"),          physics.joint_qpos("tail_twist"),
                physics.joint_qpos("tail2"),          physics.joint_qpos("finright_roll"),
                physics.joint_qpos("finright_pitch"), physics.joint_qpos("finleft_roll"),
                physics.joint_qpos("finleft_pitch")},
        torso_(physics.body_xmat("torso")),
        target_(physics.geom_xpos("target")),
        mouth_(physics.geom_xpos("mouth")),
        mouth_xmat_(physics.data<double>("mjData.geom_xmat") + 9 * physics.geom("mouth")),
        radii_(*physics.geom_size("mouth") + *physics.geom_size("target")),
        swimming_(options.swimming),
        shows_target_(shows_target(options)),
        place_(swimming_ ? physics.edit_geom("mjModel.geom_pos", 3, "target", {0, 1, 2}) : nullptr),
        color_(swimming_ ? nullptr
                         : physics.edit_geom<float>("mjModel.geom_rgba", 4, "target", {3})) {}

  void initialize_episode(RandomState& random) {
    double* const orientation = root_ + 3;
    random.fill_standard_normal(orientation, 4);
    physics_.normalize(orientation, 4);
    for (double* joint : joints_) *joint = random.uniform(-.2, .2);
    if (swimming_) {
      place_[0] = random.uniform(-.4, .4);
      place_[1] = random.uniform(-.4, .4);
      place_[2] = random.uniform(.1, .3);
    } else {
      color_[3] = 0;
    }
  }

  void observe(ObservationWriter& out) const {
    double* angles = out.next();
    for (const double* joint : joints_) *angles++ = *joint;
    out.put(torso_[zz]);
    if (shows_target_) mouth_to_target(out.next());
    out.put(physics_.qvel, physics_.model.nv);
  }

  double reward() const {
    if (!swimming_) return tolerance(torso_[zz], {1, 1}, 1);
    double to_target[3];
    mouth_to_target(to_target);
    const double near = tolerance(physics_.length(to_target, 3), {0, radii_}, 2 * radii_);
    const double upright = 0.5 * (torso_[zz] + 1);
    return (7 * near + upright) / 8;
  }

 private:
  static constexpr size_t n_joints = 7;

  static bool shows_target(const Options& options) {
    return options.swimming || options.envpool_keys;
  }
  // The way to the target in the mouth's frame.
  void mouth_to_target(double* result) const {
    physics_.in_frame(target_, mouth_, mouth_xmat_, result);
  }

  Physics& physics_;
  double* const root_;
  const std::array<double*, n_joints> joints_;
  const double* const torso_;
  const double* const target_;
  const double* const mouth_;
  const double* const mouth_xmat_;
  const double radii_;
  const bool swimming_;
  const bool shows_target_;
  // The target's place and colour in the model.
  double* const place_;
  float* const color_;
};

}  // namespace suite
#endif  // PARALLEL_POOL_DMC_FISH_HPP_
