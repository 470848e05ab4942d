// Hopper: stand or hop on one leg in a plane. As dm_control's suite.hopper has it.
#ifndef PARALLEL_POOL_DMC_HOPPER_HPP_
#define PARALLEL_POOL_DMC_HOPPER_HPP_

#include "environment.hpp"
#include "randomizers.hpp"
#include "tolerance.hpp"

namespace suite {

struct HopperOptions : SuiteOptions {
  bool hopping;
  static constexpr auto declared = pp::options(
      SuiteOptions::declared, option(&HopperOptions::hopping, "hopping", false,
                                     "speed is rewarded; False: standing with little effort"));
};

class Hopper {
 public:
  static constexpr const char* id = "dmc/hopper-v1";
  static constexpr const char* summary = "Hop on one leg, in a plane";
  using Options = HopperOptions;
  static Entries observed(const Options&, const Model& model) {
    return {{"position", {model.nq - 1}}, {"velocity", {model.nv}}, {"touch", {2}}};
  }

  Hopper(const Options& options, Physics& physics)
      : physics_(physics),
        joints_(physics),
        torso_(physics.body_xipos("torso")),
        foot_(physics.body_xipos("foot")),
        velocity_(physics.sensor("torso_subtreelinvel")),
        toe_(physics.sensor("touch_toe")),
        heel_(physics.sensor("touch_heel")),
        hopping_(options.hopping) {}

  void initialize_episode(RandomState& random) { joints_.randomize(random); }

  void observe(ObservationWriter& out) const {
    out.put(physics_.qpos + 1, physics_.model.nq - 1);  // without the horizontal position
    out.put(physics_.qvel, physics_.model.nv);
    const double touch[] = {*toe_, *heel_};
    NumpyMath::log1p(touch, out.next(), 2);
  }

  double reward() const {
    constexpr double stand_height = 0.6;
    constexpr double hop_speed = 2;
    const double standing = tolerance(torso_[2] - foot_[2], {stand_height, 2});
    if (hopping_) {
      return standing *
             tolerance(velocity_[0], {hop_speed, infinity}, hop_speed / 2, Sigmoid::linear, 0.5);
    }
    return standing * physics_.small_control();
  }

 private:
  Physics& physics_;
  const JointRandomizer joints_;
  const double* const torso_;
  const double* const foot_;
  const double* const velocity_;
  const double* const toe_;
  const double* const heel_;
  const bool hopping_;
};

}  // namespace suite
#endif  // PARALLEL_POOL_DMC_HOPPER_HPP_
