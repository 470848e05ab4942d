// Cheetah: run in a plane. As dm_control's suite.cheetah has it.
#ifndef PARALLEL_POOL_DMC_CHEETAH_HPP_
#define PARALLEL_POOL_DMC_CHEETAH_HPP_

#include "environment.hpp"
#include "tolerance.hpp"

namespace suite {

class Cheetah {
 public:
  static constexpr const char* id = "dmc/cheetah-v1";
  static constexpr const char* summary = "Run with a planar cheetah";
  using Options = SuiteOptions;
  static Entries observed(const Options&, const Model& model) {
    return {{"position", {model.nq - 1}}, {"velocity", {model.nv}}};
  }

  Cheetah(const Options&, Physics& physics)
      : physics_(physics),
        velocity_(physics.sensor("torso_subtreelinvel")),
        limited_(physics.constant<uint8_t>("mjModel.jnt_limited")),
        range_(physics.constant<double>("mjModel.jnt_range")) {}

  void initialize_episode(RandomState& random) {
    // Every joint has one coordinate.
    for (int64_t i = 0; i < physics_.model.nq; ++i) {
      if (limited_[i] != 0) physics_.qpos[i] = random.uniform(range_[2 * i], range_[2 * i + 1]);
    }
    constexpr int64_t until_it_stands = 200;
    physics_.step(until_it_stands);
    physics_.set_time(0);
  }

  void observe(ObservationWriter& out) const {
    out.put(physics_.qpos + 1, physics_.model.nq - 1);  // without the horizontal position
    out.put(physics_.qvel, physics_.model.nv);
  }

  double reward() const {
    constexpr double run_speed = 10;
    return tolerance(velocity_[0], {run_speed, infinity}, run_speed, Sigmoid::linear, 0);
  }

 private:
  Physics& physics_;
  const double* const velocity_;
  const uint8_t* const limited_;
  const double* const range_;
};

}  // namespace suite
#endif  // PARALLEL_POOL_DMC_CHEETAH_HPP_
