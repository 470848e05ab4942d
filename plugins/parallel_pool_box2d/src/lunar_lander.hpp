// LunarLander-v3 and LunarLanderContinuous-v3, equal to those of Gymnasium 1.4
// (gymnasium/envs/box2d/lunar_lander.py, by Oleg Klimov) in every bit. Each episode has a world of
// its own.
//
// A state is the generator at the start of the episode and its actions: a world is full of lists in
// an order that matters, so that it is restored by playing the episode again.
#ifndef PARALLEL_POOL_BOX2D_LUNAR_LANDER_HPP_
#define PARALLEL_POOL_BOX2D_LUNAR_LANDER_HPP_

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <parallel_pool/env.hpp>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "engine/bodies.hpp"

namespace box2d::lunar {

constexpr double fps = 50;
constexpr double scale = 30.0;  // pixels of a unit of length
constexpr double world_width = 600 / scale;
constexpr double world_height = 400 / scale;
constexpr double pi = 3.141592653589793;
constexpr double leg_down = 18 / scale;
constexpr double leg_away = 20 / scale;
constexpr Filter only_ground{0x0010, 0x0001};
constexpr Filter leg_only_ground{0x0020, 0x0001};

struct Options {
  double gravity;
  bool enable_wind;
  double wind_power;
  double turbulence_power;
  static constexpr auto declared = pp::options(
      pp::option(&Options::gravity, "gravity", -10.0, "downwards, in units of length per s^2",
                 pp::Range{-11.999999999999998, -1e-300}),
      pp::option(&Options::enable_wind, "enable_wind", false, "wind pushes and turns the lander"),
      pp::option(&Options::wind_power, "wind_power", 15.0,
                 "greatest force of the wind, 0 to 20 advised"),
      pp::option(&Options::turbulence_power, "turbulence_power", 1.5,
                 "greatest torque of the wind, 0 to 2 advised"));
};

template <bool Continuous>
class Lander : b2ContactListener {
 public:
  static constexpr const char* id =
      Continuous ? "box2d/LunarLanderContinuous-v3" : "box2d/LunarLander-v3";
  static constexpr const char* summary = Continuous ? "Land between two flags with two throttles"
                                                    : "Land between two flags with three engines";
  static constexpr int64_t max_episode_steps = 1000;
  static constexpr double reward_threshold = 200;
  using Options = lunar::Options;
  using Obs = pp::Box<float, 8>;
  using Action = std::conditional_t<Continuous, pp::Box<float, 2>, pp::Discrete<4>>;

  static void describe(pp::Spec& spec, const Options&) {
    const double turn = static_cast<float>(2 * pi);
    spec.obs().bounds({-2.5, -2.5, -10, -10, -turn, -10, 0, 0}, {2.5, 2.5, 10, 10, turn, 10, 1, 1});
    if constexpr (Continuous) spec.action().bounds(-1, 1);
  }

  explicit Lander(const Options& options) : options_(options) {
    played_.reserve(static_cast<size_t>(max_episode_steps) * action_size);
  }
  Lander(const Lander&) = delete;
  ~Lander() override = default;

  void reset(pp::Rng& rng, typename Obs::Ref obs) {
    beginning_ = rng;
    played_.clear();
    begin(rng);
    advance_by(Command{}, rng, obs);
  }

  pp::Outcome step(typename Action::Value action, pp::Rng& rng, typename Obs::Ref obs) {
    Command command;
    if constexpr (Continuous) {
      command = {action[0], action[1]};
    } else {
      command = {static_cast<uint8_t>(action)};
    }
    played_.insert(played_.end(), command.begin(), command.end());
    return advance_by(command, rng, obs);
  }

  void save(pp::StateWriter& out) const { out(world_ != nullptr, beginning_, played_); }
  void load(pp::StateReader& in) {
    bool begun = false;
    pp::Rng rng;
    std::vector<Played> played;
    in(begun, rng, played);
    check(played);
    world_.reset();
    beginning_ = rng;
    played_ = std::move(played);
    if (!begun) return;
    std::array<float, 8> unseen{};
    begin(rng);
    advance_by(Command{}, rng, unseen);
    for (size_t i = 0; i < played_.size(); i += action_size) {
      Command command;
      std::copy_n(played_.begin() + static_cast<ptrdiff_t>(i), action_size, command.begin());
      advance_by(command, rng, unseen);
    }
  }

 private:
  static constexpr size_t action_size = Continuous ? 2 : 1;
  using Played = std::conditional_t<Continuous, float, uint8_t>;
  using Command = std::array<Played, action_size>;

  static void check(const std::vector<Played>& played) {
    if (played.size() % action_size != 0) throw std::invalid_argument("a part of an action");
    for (const Played each : played) {
      if constexpr (Continuous) {
        if (!std::isfinite(each)) throw std::invalid_argument("an action that is no number");
      } else if (each > 3) {
        throw std::invalid_argument("action " + std::to_string(each) + " of 4");
      }
    }
  }

  void BeginContact(b2Contact* contact) override {
    if (contact->GetFixtureA()->GetBody() == lander_ ||
        contact->GetFixtureB()->GetBody() == lander_) {
      crashed_ = true;
    }
    note_legs(*contact, true);
  }
  void EndContact(b2Contact* contact) override { note_legs(*contact, false); }
  void note_legs(b2Contact& contact, bool touches) {
    for (size_t i = 0; i < legs_.size(); ++i) {
      if (contact.GetFixtureA()->GetBody() == legs_[i] ||
          contact.GetFixtureB()->GetBody() == legs_[i]) {
        touches_[i] = touches;
      }
    }
  }

  void begin(pp::Rng& rng) {
    world_ = std::make_unique<b2World>(vec(0, options_.gravity));
    world_->SetContactListener(this);
    crashed_ = false;
    touches_ = {};
    lander_ = nullptr;
    legs_ = {};
    has_shaping_ = false;
    add_moon(rng);
    add_lander(rng);
    if (options_.enable_wind) {
      wind_ = rng.integers(-9999, 9999);
      twist_ = rng.integers(-9999, 9999);
    }
    add_leg(0, -1, 0.9 - 0.5, 0.9);
    add_leg(1, 1, -0.9, -0.9 + 0.5);
  }

  void add_moon(pp::Rng& rng) {
    constexpr size_t chunks = 11;
    std::array<double, chunks + 1> height;
    rng.fill_uniform(height.data(), height.size(), 0, world_height / 2);
    pad_ = world_height / 4;
    std::fill_n(height.begin() + chunks / 2 - 2, 5, pad_);
    for (size_t i = 0; i < chunks; ++i) {
      const double before = height[i == 0 ? chunks : i - 1];
      ground_[i] = {world_width / (chunks - 1) * static_cast<double>(i),
                    0.33 * (before + height[i] + height[i + 1])};
    }
    b2Body* moon = add_body(*world_, b2_staticBody, {0, 0});
    add_fixture(*moon, edge({0, 0}, {world_width, 0}), {0, 0.2});
    for (size_t i = 0; i + 1 < chunks; ++i)
      add_fixture(*moon, edge(ground_[i], ground_[i + 1]), {0, 0.1});
  }

  void add_lander(pp::Rng& rng) {
    lander_ = add_body(*world_, b2_dynamicBody, {world_width / 2, world_height});
    add_fixture(*lander_,
                polygon({{-14 / scale, 17 / scale},
                         {-17 / scale, 0 / scale},
                         {-17 / scale, -10 / scale},
                         {17 / scale, -10 / scale},
                         {17 / scale, 0 / scale},
                         {14 / scale, 17 / scale}}),
                {5.0, 0.1}, only_ground);
    const double x = rng.uniform(-1000, 1000);
    const double y = rng.uniform(-1000, 1000);
    lander_->ApplyForceToCenter(vec(x, y), true);
  }

  void add_leg(size_t which, int side, double lower, double upper) {
    legs_[which] = add_body(*world_, b2_dynamicBody,
                            {world_width / 2 - side * 20 / scale, world_height}, side * 0.05);
    add_fixture(*legs_[which], box(2 / scale, 8 / scale), {1.0, 0.2}, leg_only_ground);
    add_hinge(*world_, *lander_, *legs_[which],
              {{0, 0}, {side * 20 / scale, leg_down}, 40, 0.3 * side, lower, upper});
  }

  static double gust(int64_t at, double power) {
    const double i = static_cast<double>(at);
    return std::tanh(std::sin(0.02 * i) + std::sin(pi * 0.01 * i)) * power;
  }
  void blow() {
    if (!options_.enable_wind || touches_[0] || touches_[1]) return;
    lander_->ApplyForceToCenter(vec(gust(wind_++, options_.wind_power), 0), true);
    lander_->ApplyTorque(static_cast<float>(gust(twist_++, options_.turbulence_power)), true);
  }

  struct Thrust {
    double main = 0;       // 0, or 0.5 to 1
    double side = 0;       // 0, or 0.5 to 1
    double direction = 0;  // of the side engine: -1 left, 1 right
  };
  static Thrust thrust_of(const Command& command) {
    Thrust thrust;
    if constexpr (Continuous) {
      const double lift = std::clamp<double>(command[0], -1, 1);
      const double turn = std::clamp<double>(command[1], -1, 1);
      if (lift > 0) thrust.main = (lift + 1.0) * 0.5;
      if (std::abs(turn) > 0.5) {
        thrust.side = std::clamp(std::abs(turn), 0.5, 1.0);
        thrust.direction = turn > 0 ? 1 : -1;
      }
    } else {
      if (command[0] == 2) thrust.main = 1;
      if (command[0] == 1 || command[0] == 3) {
        thrust.side = 1;
        thrust.direction = command[0] - 2;
      }
    }
    return thrust;
  }

  // The engines push at places that depend on the angle in Gymnasium's own way, which its page
  // calls a bug.
  void fire(const Thrust& thrust, pp::Rng& rng) {
    const double angle = lander_->GetAngle();
    const double tip[2] = {std::sin(angle), std::cos(angle)};
    const double side[2] = {-tip[1], tip[0]};
    double dispersion[2];
    for (double& each : dispersion) each = rng.uniform(-1.0, 1.0) / scale;
    if (thrust.main > 0) {
      const double along = 4 / scale + 2 * dispersion[0];
      const Point offset{tip[0] * along + side[0] * dispersion[1],
                         -tip[1] * along - side[1] * dispersion[1]};
      push(offset, 13.0, thrust.main, {0, 0});
    }
    if (thrust.side > 0) {
      const double arm = 3 * dispersion[1] + thrust.direction * 12 / scale;
      const Point offset{tip[0] * dispersion[0] + side[0] * arm,
                         -tip[1] * dispersion[0] - side[1] * arm};
      push(offset, 0.6, thrust.side, {tip[0] * 17 / scale, tip[1] * 14 / scale});
    }
  }
  void push(Point offset, double engine, double power, Point shift) {
    const b2Vec2 at = lander_->GetPosition();
    lander_->ApplyLinearImpulse(vec(-offset.x * engine * power, -offset.y * engine * power),
                                vec(static_cast<double>(at.x) + offset.x - shift.x,
                                    static_cast<double>(at.y) + offset.y + shift.y),
                                true);
  }

  template <class Row>
  pp::Outcome advance_by(const Command& command, pp::Rng& rng, Row&& obs) {
    blow();
    const Thrust thrust = thrust_of(command);
    fire(thrust, rng);
    advance(*world_);

    const b2Vec2 position = lander_->GetPosition();
    const b2Vec2 velocity = lander_->GetLinearVelocity();
    const double state[8] = {
        (position.x - world_width / 2) / (world_width / 2),
        (position.y - (pad_ + leg_down)) / (world_height / 2),
        velocity.x * (world_width / 2) / fps,
        velocity.y * (world_height / 2) / fps,
        lander_->GetAngle(),
        20.0 * lander_->GetAngularVelocity() / fps,
        touches_[0] ? 1.0 : 0.0,
        touches_[1] ? 1.0 : 0.0,
    };
    for (size_t i = 0; i < 8; ++i) obs[i] = static_cast<float>(state[i]);

    const double shaping = -100 * std::sqrt(state[0] * state[0] + state[1] * state[1]) -
                           100 * std::sqrt(state[2] * state[2] + state[3] * state[3]) -
                           100 * std::abs(state[4]) + 10 * state[6] + 10 * state[7];
    double reward = has_shaping_ ? shaping - shaping_ : 0.0;
    shaping_ = shaping;
    has_shaping_ = true;
    reward -= thrust.main * 0.30;
    reward -= thrust.side * 0.03;
    if (!lander_->IsAwake()) return {100, true};
    if (crashed_ || std::abs(state[0]) >= 1.0) return {-100, true};
    return {reward, false};
  }

  Options options_;
  std::unique_ptr<b2World> world_;
  b2Body* lander_ = nullptr;
  std::array<b2Body*, 2> legs_{};
  std::array<bool, 2> touches_{};
  std::array<Point, 11> ground_{};
  bool crashed_ = false;
  bool has_shaping_ = false;
  double shaping_ = 0;
  double pad_ = 0;  // height of the landing pad
  int64_t wind_ = 0;
  int64_t twist_ = 0;
  pp::Rng beginning_;
  std::vector<Played> played_;
};

}  // namespace box2d::lunar

#endif
