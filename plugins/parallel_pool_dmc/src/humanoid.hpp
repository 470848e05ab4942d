// Humanoid: stand, walk or run on two legs. As dm_control's suite.humanoid has it.
//
// Humanoid_CMU (humanoid_cmu.hpp) is the same task with another body.
#ifndef PARALLEL_POOL_DMC_HUMANOID_HPP_
#define PARALLEL_POOL_DMC_HUMANOID_HPP_

#include <array>

#include "environment.hpp"
#include "randomizers.hpp"
#include "tolerance.hpp"

namespace suite {

struct HumanoidTaskOptions : SuiteOptions {
  double move_speed;
  static constexpr auto declared = pp::options(
      SuiteOptions::declared,
      option(&HumanoidTaskOptions::move_speed, "move_speed", 0.0,
             "speed in m/s at which the reward of moving is full; 0: standing still is rewarded",
             Range{0, 1000}));
};

struct HumanoidOptions : HumanoidTaskOptions {
  bool pure_state;
  static constexpr auto declared =
      pp::options(HumanoidTaskOptions::declared,
                  option(&HumanoidOptions::pure_state, "pure_state", false,
                         "observe all positions and velocities, and nothing else"));
};

// The parts of the observation besides velocities.
struct HumanoidView {
  bool features = true;
  bool positions = false;
};

// The names of parts of the body and of sensors.
struct HumanoidParts {
  const char* trunk;
  Axes upright;  // the trunk's axis that points up
  const char* com_velocity;
  std::array<const char*, 4> limbs;
};

class HumanoidTask {
 public:
  HumanoidTask(const HumanoidTaskOptions& options, Physics& physics, const HumanoidParts& parts,
               HumanoidView view)
      : physics_(physics),
        joints_(physics),
        head_(physics.body_xpos("head")),
        trunk_(physics.body_xpos(parts.trunk)),
        frame_(physics.body_xmat(parts.trunk)),
        upright_(frame_ + parts.upright),
        com_velocity_(physics.sensor(parts.com_velocity)),
        move_speed_(options.move_speed),
        view_(view) {
    for (size_t i = 0; i < n_limbs; ++i) limbs_[i] = physics.body_xpos(parts.limbs[i]);
  }

  void initialize_episode(RandomState& random) {
    draw_apart(physics_, "humanoid", [&] { joints_.randomize(random); });
  }

  void observe(ObservationWriter& out) const {
    const Model& model = physics_.model;
    if (view_.features) {
      out.put(physics_.qpos + n_root, model.nq - n_root);
      out.put(head_[2]);
      double* extremities = out.next();
      for (const double* limb : limbs_) {
        physics_.in_frame(limb, trunk_, frame_, extremities);
        extremities += 3;
      }
      out.put(frame_ + zx, 3);
      out.put(com_velocity_, 3);
    }
    if (view_.positions) out.put(physics_.qpos, model.nq);
    out.put(physics_.qvel, model.nv);
  }

  double reward() const {
    constexpr double stand_height = 1.4;
    const double standing = tolerance(head_[2], {stand_height, infinity}, stand_height / 4);
    const double upright = tolerance(*upright_, {0.9, infinity}, 1.9, Sigmoid::linear, 0);
    return physics_.small_control() * (standing * upright) *
           (move_speed_ == 0 ? stillness() : speed());
  }

 protected:
  static Entries entries(HumanoidView view, const Model& model) {
    Entries entries;
    if (view.features) {
      entries = {{"joint_angles", {model.nq - n_root}},
                 {"head_height", {}},
                 {"extremities", {3 * n_limbs}},
                 {"torso_vertical", {3}},
                 {"com_velocity", {3}}};
    }
    if (view.positions) entries.push_back({"position", {model.nq}});
    entries.push_back({"velocity", {model.nv}});
    return entries;
  }

 private:
  static constexpr int64_t n_root = 7;  // coordinates of the free joint
  static constexpr size_t n_limbs = 4;

  double stillness() const {
    return (element_tolerance(com_velocity_[0], {}, 2) +
            element_tolerance(com_velocity_[1], {}, 2)) /
           2;
  }
  double speed() const {
    const double moving = tolerance(physics_.length(com_velocity_, 2), {move_speed_, infinity},
                                    move_speed_, Sigmoid::linear, 0);
    return (5 * moving + 1) / 6;
  }

  Physics& physics_;
  const JointRandomizer joints_;
  const double* const head_;
  const double* const trunk_;
  const double* const frame_;  // the trunk's
  const double* const upright_;
  const double* const com_velocity_;
  const double move_speed_;
  const HumanoidView view_;
  std::array<const double*, n_limbs> limbs_{};
};

class Humanoid : public HumanoidTask {
 public:
  static constexpr const char* id = "dmc/humanoid-v1";
  static constexpr const char* summary = "Walk on two legs";
  using Options = HumanoidOptions;
  static Entries observed(const Options& options, const Model& model) {
    return entries(view(options), model);
  }

  Humanoid(const Options& options, Physics& physics)
      : HumanoidTask(options, physics,
                     {"torso",
                      zz,
                      "torso_subtreelinvel",
                      {"left_hand", "left_foot", "right_hand", "right_foot"}},
                     view(options)) {}

 private:
  static HumanoidView view(const Options& options) {
    return {!options.pure_state || options.envpool_keys,
            options.pure_state || options.envpool_keys};
  }
};

}  // namespace suite
#endif  // PARALLEL_POOL_DMC_HUMANOID_HPP_
