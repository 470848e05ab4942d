// MountainCarContinuous as a structure-of-arrays kernel.
//
// The arithmetic is that of Gymnasium's Continuous_MountainCarEnv, which keeps its state in float64
// after a reset and in float32 after a step: so the first step of an episode is computed in double
// precision and all others in single, with numpy's rules for what a Python float and a float32 make
// of each other. For the same seed and actions every observation, reward and flag is equal to
// Gymnasium's.
#ifndef PARALLEL_POOL_CLASSIC_CLASSIC_CONTROL_MOUNTAIN_CAR_CONTINUOUS_HPP_
#define PARALLEL_POOL_CLASSIC_CLASSIC_CONTROL_MOUNTAIN_CAR_CONTINUOUS_HPP_

#include <cstdint>
#include <vector>

#include "classic_control/reset_bounds.hpp"
#include "parallel_pool/env.hpp"

namespace classic {

class MountainCarContinuous {
 public:
  static constexpr const char* id = "classic/MountainCarContinuous-v0";
  static constexpr const char* summary = "Rock an underpowered car up a hill, sparing the engine";
  static constexpr int64_t max_episode_steps = 999;
  static constexpr double reward_threshold = 90.0;

  // Position and velocity.
  using Obs = pp::Box<float, 2>;
  // Force, to the right where positive.
  using Action = pp::Box<float, 1>;

  struct Options {
    double goal_velocity;
    static constexpr auto declared =
        pp::options(pp::option(&Options::goal_velocity, "goal_velocity", 0.0,
                               "lowest velocity at which the goal counts as reached"));
  };

  struct ResetOptions : LowAndHigh {
    static constexpr auto declared =
        pp::options(pp::option(&ResetOptions::low, "low", -0.6, "Lower bound of the first position",
                               computable),
                    pp::option(&ResetOptions::high, "high", -0.4,
                               "Upper bound of the first position", computable));
  };

  static void describe(pp::Spec& spec, const Options& options);

  explicit MountainCarContinuous(const std::vector<Options>& options);
  void reset(const pp::Rows<MountainCarContinuous>& rows);
  void step(const pp::Rows<MountainCarContinuous>& rows);
  void save(uint32_t lane, pp::StateWriter& out) const;
  void load(uint32_t lane, pp::StateReader& in);
  void arrays(uint32_t lane, pp::ArrayList& list);
  void arrays_written(uint32_t lane);
  static void check_reset_options(const ResetOptions& options) { options.check(); }
  void set_reset_options(uint32_t lane, const ResetOptions& options) { bounds_.set(lane, options); }

 private:
  ResetBounds bounds_;
  std::vector<double> position_;
  std::vector<double> velocity_;
  std::vector<double> goal_velocity_;  // by lane
  std::vector<uint8_t> fresh_;         // no step since the reset: double precision
};

}  // namespace classic
#endif  // PARALLEL_POOL_CLASSIC_CLASSIC_CONTROL_MOUNTAIN_CAR_CONTINUOUS_HPP_
