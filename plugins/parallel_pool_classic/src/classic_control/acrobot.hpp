// Acrobot as a structure-of-arrays kernel.
//
// The dynamics are those of Sutton and Barto's book in the arithmetic of Gymnasium's AcrobotEnv:
// double precision, one Runge-Kutta step of the fourth order, glibc's sines and cosines, numpy's
// powers. For the same seed and actions every observation, reward and flag is equal to Gymnasium's;
// the first observation of an episode, which Gymnasium computes in numpy's float32, where numpy has
// fused multiply-add (see numeric/numpy_float.hpp).
#ifndef PARALLEL_POOL_CLASSIC_CLASSIC_CONTROL_ACROBOT_HPP_
#define PARALLEL_POOL_CLASSIC_CLASSIC_CONTROL_ACROBOT_HPP_

#include <cstdint>
#include <vector>

#include "classic_control/reset_bounds.hpp"
#include "parallel_pool/env.hpp"

namespace classic {

namespace key {}

class Acrobot {
 public:
  static constexpr const char* id = "classic/Acrobot-v1";
  static constexpr const char* summary = "Swing the lower of two links up to a line";
  static constexpr int64_t max_episode_steps = 500;
  static constexpr double reward_threshold = -100.0;

  // Cosine and sine of the angles of both links, and the angular velocities (rad/s).
  using Obs = pp::Box<float, 6>;
  // 0, 1, 2: a torque of -1, 0, 1 N m on the joint between the links.
  using Action = pp::Discrete<3>;
  // The two angles (rad), as EnvPool gives them.
  using Info = pp::Dict<pp::At<"state", float, 2>>;

  struct ResetOptions : LowAndHigh {
    static constexpr auto declared =
        pp::options(pp::option(&ResetOptions::low, "low", -0.1,
                               "Lower bound of all of the first state", computable),
                    pp::option(&ResetOptions::high, "high", 0.1,
                               "Upper bound of all of the first state", computable));
  };

  static void describe(pp::Spec& spec);

  explicit Acrobot(const std::vector<pp::Options>& lanes);
  void reset(const pp::Rows<Acrobot>& rows);
  void step(const pp::Rows<Acrobot>& rows);
  void save(uint32_t lane, pp::StateWriter& out) const;
  void load(uint32_t lane, pp::StateReader& in);
  void arrays(uint32_t lane, pp::ArrayList& list);
  static void check_reset_options(const ResetOptions& options) { options.check(); }
  void set_reset_options(uint32_t lane, const ResetOptions& options) { bounds_.set(lane, options); }

 private:
  ResetBounds bounds_;
  std::vector<double> theta_1_;  // the angle of the first link, 0 pointing down
  std::vector<double> theta_2_;  // the angle of the second, from the direction of the first
  std::vector<double> speed_1_;
  std::vector<double> speed_2_;
};

}  // namespace classic
#endif  // PARALLEL_POOL_CLASSIC_CLASSIC_CONTROL_ACROBOT_HPP_
