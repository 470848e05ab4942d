// Pendulum as a structure-of-arrays kernel.
//
// Version 1 is Gymnasium's PendulumEnv in its arithmetic: double precision with float32 torques,
// numpy's powers (see numeric/square.hpp), glibc's sine. For the same seed and actions every
// observation and reward is equal to Gymnasium's. Version 0 is the environment of that id in OpenAI
// Gym: the angle moves by the speed before it is clipped, and the sine is taken half a turn away.
#ifndef PARALLEL_POOL_CLASSIC_CLASSIC_CONTROL_PENDULUM_HPP_
#define PARALLEL_POOL_CLASSIC_CLASSIC_CONTROL_PENDULUM_HPP_

#include <cstdint>
#include <vector>

#include "parallel_pool/env.hpp"

namespace classic {

class Pendulum {
 public:
  static constexpr const char* id = "classic/Pendulum-v1";
  static constexpr const char* summary = "Swing a pendulum up and hold it there";
  static constexpr int64_t max_episode_steps = 200;

  // Cosine and sine of the angle, angular velocity (rad/s).
  using Obs = pp::Box<float, 3>;
  // Torque (N m).
  using Action = pp::Box<float, 1>;

  struct Options {
    double g;
    int64_t version;
    static constexpr auto declared = pp::options(
        pp::option(&Options::g, "g", 10.0, "gravity in m/s^2", pp::Range{-1e300, 1e300}),
        pp::option(&Options::version, "version", 1,
                   "rules: 0 of OpenAI Gym's Pendulum-v0, 1 of Pendulum-v1", pp::Range{0, 1}));
  };

  struct ResetOptions {
    double x_init;
    double y_init;
    static constexpr auto declared = pp::options(
        pp::option(&ResetOptions::x_init, "x_init", 3.141592653589793,
                   "The first angle is at most so far from upright", pp::Range{0, 1e10}),
        pp::option(&ResetOptions::y_init, "y_init", 1.0, "The first speed is at most so fast",
                   pp::Range{0, 1e10}));
  };

  static void describe(pp::Spec& spec, const Options& options);

  explicit Pendulum(const std::vector<Options>& options);
  void reset(const pp::Rows<Pendulum>& rows);
  void step(const pp::Rows<Pendulum>& rows);
  void save(uint32_t lane, pp::StateWriter& out) const;
  void load(uint32_t lane, pp::StateReader& in);
  void arrays(uint32_t lane, pp::ArrayList& list);
  void arrays_written(uint32_t lane) { pull_[lane] = pull_of(lane); }
  void set_reset_options(uint32_t lane, const ResetOptions& options) { first_[lane] = options; }

 private:
  double pull_of(uint32_t lane) const;
  void observe(uint32_t n, uint32_t lane, float* obs);

  std::vector<double> theta_;  // 0 is upright; never wrapped
  std::vector<double> speed_;
  std::vector<double> pull_;         // the sine that the next step uses
  std::vector<float> torque_;        // the last, NaN before the first; for pictures
  std::vector<ResetOptions> first_;  // by lane: bounds of the next reset
  std::vector<double> gravity_;      // by lane: 3 g / 2 l
  std::vector<uint8_t> old_;         // by lane: version 0
  bool any_old_ = false;
};

}  // namespace classic
#endif  // PARALLEL_POOL_CLASSIC_CLASSIC_CONTROL_PENDULUM_HPP_
