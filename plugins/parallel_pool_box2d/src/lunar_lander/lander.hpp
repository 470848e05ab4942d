// LunarLander-v3, with four keys or two throttles, equal to those of Gymnasium 1.4 in every bit.
//
// A state is the generator at the start of the episode and its actions: a world is full of lists in
// an order that matters, so that it is restored by playing the episode again; within a process it
// is copied (engine/world_copy.hpp). Pictures are those of a second flight, which plays the same
// actions and has the engines' exhaust too.
#ifndef PARALLEL_POOL_BOX2D_LUNAR_LANDER_LANDER_HPP_
#define PARALLEL_POOL_BOX2D_LUNAR_LANDER_LANDER_HPP_

#include <algorithm>
#include <cmath>
#include <memory>
#include <parallel_pool/env.hpp>
#include <utility>
#include <vector>

#include "lunar_lander/flight.hpp"
#include "lunar_lander/scene.hpp"
#include "played.hpp"

namespace box2d::lunar {

// Beyond it the speeds, which are float32, overflow.
inline constexpr pp::Range computable{-1e20, 1e20};

struct Options {
  bool continuous;
  double gravity;
  bool enable_wind;
  double wind_power;
  double turbulence_power;
  static constexpr auto declared = pp::options(
      pp::option(&Options::continuous, "continuous", false, "two throttles instead of four keys"),
      pp::option(&Options::gravity, "gravity", -10.0, "downwards, in units of length per s^2",
                 pp::Range{-11.999999999999998, -1e-300}),
      pp::option(&Options::enable_wind, "enable_wind", false, "wind pushes and turns the lander"),
      pp::option(&Options::wind_power, "wind_power", 15.0,
                 "greatest force of the wind, 0 to 20 advised", computable),
      pp::option(&Options::turbulence_power, "turbulence_power", 1.5,
                 "greatest torque of the wind, 0 to 2 advised", computable));
};

class Lander {
 public:
  static constexpr const char* id = "box2d/LunarLander-v3";
  static constexpr const char* summary = "Land between two flags with three engines";
  static constexpr int64_t max_episode_steps = 1000;
  static constexpr double reward_threshold = 200;
  using Options = lunar::Options;
  using Obs = pp::Box<float, 8>;
  using Action = Played::Action;

  static void describe(pp::Spec& spec, const Options& options) {
    const double turn = static_cast<float>(2 * 3.141592653589793);
    spec.obs().bounds({-2.5, -2.5, -10, -10, -turn, -10, 0, 0}, {2.5, 2.5, 10, 10, turn, 10, 1, 1});
    Played::describe(spec, forms(), options.continuous);
  }

  explicit Lander(const Options& options)
      : weather_{options.gravity, options.enable_wind, options.wind_power,
                 options.turbulence_power},
        flight_(weather_),
        played_(forms(), options.continuous, max_episode_steps) {}

  void reset(pp::Rng& rng, Obs::Ref obs) {
    beginning_ = rng;
    played_.clear();
    shown_ = {};
    write(flight_.begin(rng), obs);
  }

  pp::Outcome step(Action::Value action, pp::Rng& rng, Obs::Ref obs) {
    const Flight::Result result = flight_.step(thrust_of(played_.add(action)), rng);
    write(result, obs);
    return {result.reward, result.terminated};
  }

  pp::FrameSize frame_size() const { return {scene_height, scene_width}; }
  void draw(uint8_t* rgb) const {
    Shown shown = std::exchange(shown_, {});  // if this fails, the next begins anew
    if (shown.flight == nullptr) {
      shown.flight = std::make_unique<Flight>(weather_, true);
      shown.rng = beginning_;
      shown.flight->begin(shown.rng);
    }
    play(*shown.flight, shown.rng, shown.played);
    shown.played = played_.size();
    draw_scene(*shown.flight, rgb);
    shown_ = std::move(shown);
  }

  void save(pp::StateWriter& out) const { out(beginning_, played_.numbers()); }
  // The saved generator is the one that the episode began with; steps draw from the lane's.
  void reseed(uint64_t) {}
  void load(pp::StateReader& in) {
    pp::Rng rng;
    std::vector<float> played;
    in(rng, played);
    played_.set(std::move(played));
    beginning_ = rng;
    shown_ = {};
    flight_.begin(rng);
    play(flight_, rng, 0);
  }
  void copy_from(const Lander& other) {
    flight_.copy_from(other.flight_);
    beginning_ = other.beginning_;
    played_ = other.played_;
    shown_ = {};
  }

 private:
  static ActionForms forms() { return {{-1, -1}, {1, 1}, 4}; }

  // The actions from that one on.
  void play(Flight& flight, pp::Rng& rng, size_t first) const {
    for (size_t i = first; i < played_.size(); ++i) flight.step(thrust_of(played_[i]), rng);
  }

  Thrust thrust_of(const float* command) const {
    Thrust thrust;
    if (played_.continuous()) {
      const double lift = std::clamp<double>(command[0], -1, 1);
      const double turn = std::clamp<double>(command[1], -1, 1);
      if (lift > 0) thrust.main = (lift + 1.0) * 0.5;
      if (std::abs(turn) > 0.5) {
        thrust.side = std::clamp(std::abs(turn), 0.5, 1.0);
        thrust.direction = turn > 0 ? 1 : -1;
      }
    } else {
      if (*command == 2) thrust.main = 1;
      if (*command == 1 || *command == 3) {
        thrust.side = 1;
        thrust.direction = static_cast<int>(*command) - 2;
      }
    }
    return thrust;
  }

  static void write(const Flight::Result& result, Obs::Ref obs) {
    for (size_t i = 0; i < result.state.size(); ++i) obs[i] = static_cast<float>(result.state[i]);
  }

  Weather weather_;
  Flight flight_;
  pp::Rng beginning_;
  Played played_;
  // The scene that is drawn; it is made at the first picture of an episode.
  struct Shown {
    std::unique_ptr<Flight> flight;
    pp::Rng rng;
    size_t played = 0;
  };
  mutable Shown shown_;
};

}  // namespace box2d::lunar

#endif
