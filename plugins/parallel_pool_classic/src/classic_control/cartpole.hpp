// CartPole as a structure-of-arrays kernel.
//
// The dynamics are Barto, Sutton and Anderson's (1983), in the arithmetic of Gymnasium's
// CartPoleEnv: double precision, explicit Euler, the same order of operations, libm's sine and
// cosine (see numeric/sincos.hpp). For the same seed and actions every observation, reward and flag
// is equal to Gymnasium's.
#ifndef PARALLEL_POOL_CLASSIC_CLASSIC_CONTROL_CARTPOLE_HPP_
#define PARALLEL_POOL_CLASSIC_CLASSIC_CONTROL_CARTPOLE_HPP_

#include <cstdint>
#include <vector>

#include "classic_control/reset_bounds.hpp"
#include "parallel_pool/env.hpp"

namespace classic {

class CartPole {
 public:
  static constexpr const char* id = "classic/CartPole-v1";
  static constexpr const char* summary = "Balance a pole on a cart, 500 steps";
  static constexpr int64_t max_episode_steps = 500;
  static constexpr double reward_threshold = 475.0;

  // Cart position (m) and velocity, pole angle (rad) and angular velocity.
  using Obs = pp::Box<float, 4>;
  // 0 pushes the cart to the left, 1 to the right.
  using Action = pp::Discrete<2>;

  struct Options {
    bool sutton_barto_reward;
    static constexpr auto declared =
        pp::options(pp::option(&Options::sutton_barto_reward, "sutton_barto_reward", false,
                               "reward 0 per step and -1 at termination, instead of 1 per step"));
  };

  struct ResetOptions : LowAndHigh {
    static constexpr auto declared =
        pp::options(pp::option(&ResetOptions::low, "low", -0.05,
                               "Lower bound of all of the first state", computable),
                    pp::option(&ResetOptions::high, "high", 0.05,
                               "Upper bound of all of the first state", computable));
  };

  static void describe(pp::Spec& spec, const Options& options);

  explicit CartPole(const std::vector<Options>& options);
  void reset(const pp::Rows<CartPole>& rows);
  void step(const pp::Rows<CartPole>& rows);
  void save(uint32_t lane, pp::StateWriter& out) const;
  void load(uint32_t lane, pp::StateReader& in);
  void arrays(uint32_t lane, pp::ArrayList& list);
  static void check_reset_options(const ResetOptions& options) { options.check(); }
  void set_reset_options(uint32_t lane, const ResetOptions& options) { bounds_.set(lane, options); }

 private:
  ResetBounds bounds_;
  std::vector<double> x_;
  std::vector<double> x_dot_;
  std::vector<double> theta_;
  std::vector<double> theta_dot_;
  std::vector<double> sine_;  // scratch of a step
  std::vector<double> cosine_;
  std::vector<uint8_t> doubtful_;
  std::vector<double> step_reward_;  // by lane: while it lasts, and at the end
  std::vector<double> end_reward_;
};

}  // namespace classic
#endif  // PARALLEL_POOL_CLASSIC_CLASSIC_CONTROL_CARTPOLE_HPP_
