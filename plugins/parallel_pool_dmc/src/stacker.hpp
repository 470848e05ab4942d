// Stacker: stack boxes with a planar arm. As dm_control's suite.stacker has it.
#ifndef PARALLEL_POOL_DMC_STACKER_HPP_
#define PARALLEL_POOL_DMC_STACKER_HPP_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "environment.hpp"
#include "planar_arm.hpp"
#include "randomizers.hpp"
#include "tolerance.hpp"

namespace suite {

struct StackerOptions : SuiteOptions {
  bool fully_observable;
  static constexpr auto declared = pp::options(
      SuiteOptions::declared, option(&StackerOptions::fully_observable, "fully_observable", true,
                                     "observe also the hand, the boxes and the target"));
};

class Stacker {
 public:
  static constexpr const char* id = "dmc/stacker-v1";
  static constexpr const char* summary = "Stack boxes with an arm";
  using Options = StackerOptions;
  static Entries observed(const Options& options, const Model& model) {
    constexpr int64_t joints = PlanarArm::count;
    const int64_t boxes = count_boxes(model);
    Entries entries = {{"arm_pos", {joints, 2}},
                       {"arm_vel", {joints}},
                       {"touch", {model.at<int64_t>("mjModel.nsensordata")}}};
    if (options.fully_observable) {
      entries.push_back({"hand_pos", {4}});
      entries.push_back({"box_pos", {boxes, 4}});
      entries.push_back({"box_vel", {3 * boxes}});
      entries.push_back({"target_pos", {2}});
    }
    return entries;
  }
  static bool edits_model(const Options&) { return true; }

  Stacker(const Options& options, Physics& physics)
      : physics_(physics),
        arm_(physics),
        hand_(physics, "hand"),
        target_pose_(physics, "target"),
        target_(physics.site_xpos("target")),
        grasp_(physics.site_xpos("grasp")),
        place_(physics.edit_body("mjModel.body_pos", 3, "target", {0, 2})),
        box_size_(physics.geom_size("target")[0]),
        readings_(physics.model.at<int64_t>("mjModel.nsensordata")),
        fully_observable_(options.fully_observable) {
    for (int64_t i = 0; i < count_boxes(physics.model); ++i) {
      boxes_.emplace_back(physics, "box" + std::to_string(i));
    }
  }

  void initialize_episode(RandomState& random) {
    draw_apart(physics_, "stacker", [&] {
      arm_.draw(random);
      const int64_t height = 2 * random.randint(static_cast<int64_t>(boxes_.size())) + 1;
      place_[2] = box_size_ * static_cast<double>(height);
      place_[0] = random.uniform(-.37, .37);
      for (const Box& box : boxes_) {
        *box.position[0] = random.uniform(.1, .3);
        *box.position[2] = random.uniform(0, .7);
        *box.position[1] = random.uniform(0, 2 * pi);
      }
    });
  }

  void observe(ObservationWriter& out) const {
    arm_.put_angles(out.next());
    arm_.put_velocities(out.next());
    NumpyMath::log1p(physics_.sensordata, out.next(), static_cast<size_t>(readings_));
    if (!fully_observable_) return;
    hand_.put(out.next());
    double* pose = out.next();
    double* velocity = out.next();
    for (const Box& box : boxes_) {
      box.pose.put(pose);
      pose += 4;
      for (const double* along : box.velocity) *velocity++ = *along;
    }
    target_pose_.put_position(out.next());
  }

  // The nearest box counts, and the hand must be drawn back.
  double reward() const {
    double nearest = infinity;
    for (const Box& box : boxes_) {
      nearest = std::min(nearest, physics_.distance(box.site, target_, 3));
    }
    const double box_is_close = tolerance(nearest, {}, 2 * box_size_);
    const double hand_is_far =
        tolerance(physics_.distance(grasp_, target_, 3), {.1, infinity}, .01);
    return box_is_close * hand_is_far;
  }

 private:
  struct Box {
    Box(const Physics& physics, const std::string& name)
        : pose(physics, name.c_str()), site(physics.site_xpos(name.c_str())) {
      constexpr std::array<const char*, 3> axes = {"_x", "_y", "_z"};
      for (size_t i = 0; i < 3; ++i) {
        position[i] = physics.joint_qpos((name + axes[i]).c_str());
        velocity[i] = physics.joint_qvel((name + axes[i]).c_str());
      }
    }
    PlanarPose pose;
    const double* site;
    std::array<double*, 3> position{};  // x, its angle, z
    std::array<const double*, 3> velocity{};
  };

  // Each box has three joints; the others are the arm's.
  static int64_t count_boxes(const Model& model) {
    return (model.at<int64_t>("mjModel.njnt") - static_cast<int64_t>(PlanarArm::count)) / 3;
  }

  Physics& physics_;
  const PlanarArm arm_;
  const PlanarPose hand_;
  const PlanarPose target_pose_;
  const double* const target_;
  const double* const grasp_;
  double* const place_;  // the target's, in the model
  const double box_size_;
  const int64_t readings_;
  const bool fully_observable_;
  std::vector<Box> boxes_;
};

}  // namespace suite
#endif  // PARALLEL_POOL_DMC_STACKER_HPP_
