// MountainCar as a structure-of-arrays kernel.
//
// The dynamics are A. Moore's (1990) in the arithmetic of Gymnasium's MountainCarEnv: double
// precision, glibc's cosine. For the same seed and actions every observation, reward and flag is
// equal to Gymnasium's.
#ifndef PARALLEL_POOL_CLASSIC_CLASSIC_CONTROL_MOUNTAIN_CAR_HPP_
#define PARALLEL_POOL_CLASSIC_CLASSIC_CONTROL_MOUNTAIN_CAR_HPP_

#include <cstdint>
#include <vector>

#include "classic_control/reset_bounds.hpp"
#include "parallel_pool/env.hpp"

namespace classic {

class MountainCar {
 public:
  static constexpr const char* id = "classic/MountainCar-v0";
  static constexpr const char* summary = "Rock an underpowered car up a hill";
  static constexpr int64_t max_episode_steps = 200;
  static constexpr double reward_threshold = -110.0;

  // Position and velocity.
  using Obs = pp::Box<float, 2>;
  // 0 accelerates to the left, 2 to the right, 1 not.
  using Action = pp::Discrete<3>;

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

  explicit MountainCar(const std::vector<Options>& options);
  void reset(const pp::Rows<MountainCar>& rows);
  void step(const pp::Rows<MountainCar>& rows);
  void save(uint32_t lane, pp::StateWriter& out) const;
  void load(uint32_t lane, pp::StateReader& in);
  void arrays(uint32_t lane, pp::ArrayList& list);
  static void check_reset_options(const ResetOptions& options) { options.check(); }
  void set_reset_options(uint32_t lane, const ResetOptions& options) { bounds_.set(lane, options); }

 private:
  ResetBounds bounds_;
  std::vector<double> position_;
  std::vector<double> velocity_;
  std::vector<double> goal_velocity_;  // by lane
};

}  // namespace classic
#endif  // PARALLEL_POOL_CLASSIC_CLASSIC_CONTROL_MOUNTAIN_CAR_HPP_
