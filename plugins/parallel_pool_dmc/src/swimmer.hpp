// Swimmer: bring the nose of a chain of links to a target. As dm_control's suite.swimmer has it.
#ifndef PARALLEL_POOL_DMC_SWIMMER_HPP_
#define PARALLEL_POOL_DMC_SWIMMER_HPP_

#include "environment.hpp"
#include "randomizers.hpp"
#include "tolerance.hpp"

namespace suite {

struct SwimmerOptions : SuiteOptions {
  int64_t n_links;
  static constexpr auto declared =
      pp::options(SuiteOptions::declared, option(&SwimmerOptions::n_links, "n_links", 6,
                                                 "number of links of the chain", Range{3, 1000}));
};

class Swimmer {
 public:
  static constexpr const char* id = "dmc/swimmer-v1";
  static constexpr const char* summary = "Swim with a chain of links";
  using Options = SwimmerOptions;
  static Entries observed(const Options&, const Model& model) {
    return {{"joints", {model.nq - n_root}},
            {"to_target", {2}},
            {"body_velocities", {3 * (model.nbody - 1)}}};
  }
  static bool edits_model(const Options&) { return true; }

  Swimmer(const Options&, Physics& physics)
      : physics_(physics),
        joints_(physics),
        target_(physics.geom_xpos("target")),
        nose_(physics.geom_xpos("nose")),
        head_(physics.body_xmat("head")),
        velocities_(physics.sensor("head_vel")),
        target_size_(*physics.geom_size("target")),
        place_(physics.edit_geom("mjModel.geom_pos", 3, "target", {0, 1})),
        light_(physics.edit_row("mjModel.light_pos", 3, physics.model.at<int64_t>("mjModel.nlight"),
                                physics.model.id("mjOBJ_LIGHT", "light", "target_light"), {0, 1})) {
  }

  void initialize_episode(RandomState& random) {
    joints_.randomize(random);
    const bool close = random.rand() < .2;
    const double box = close ? .3 : 2;
    for (size_t axis = 0; axis < 2; ++axis) place_[axis] = random.uniform(-box, box);
    light_[0] = place_[0];
    light_[1] = place_[1];
  }

  void observe(ObservationWriter& out) const {
    out.put(physics_.qpos + n_root, physics_.model.nq - n_root);
    double to_target[3];
    physics_.in_frame(target_, nose_, head_, to_target);
    out.put(to_target, 2);
    // Each body has a sensor of its velocity and one of its angular velocity, in its own frame.
    double* velocities = out.next();
    const double* sensed = velocities_;
    for (int64_t body = 1; body < physics_.model.nbody; ++body, sensed += 6) {
      *velocities++ = sensed[0];
      *velocities++ = sensed[1];
      *velocities++ = sensed[5];
    }
  }

  double reward() const {
    double to_target[3];
    physics_.in_frame(target_, nose_, head_, to_target);
    return tolerance(physics_.length(to_target, 2), {0, target_size_}, 5 * target_size_,
                     Sigmoid::long_tail);
  }

 private:
  static constexpr int64_t n_root = 3;  // coordinates of the head

  Physics& physics_;
  const JointRandomizer joints_;
  const double* const target_;
  const double* const nose_;
  const double* const head_;
  const double* const velocities_;  // all bodies', from the head on
  const double target_size_;
  // The target's numbers in the model.
  double* const place_;
  double* const light_;
};

}  // namespace suite
#endif  // PARALLEL_POOL_DMC_SWIMMER_HPP_
