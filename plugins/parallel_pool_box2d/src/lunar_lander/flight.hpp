// The physics of LunarLander (gymnasium/envs/box2d/lunar_lander.py, by Oleg Klimov): one world for
// each episode.
#ifndef PARALLEL_POOL_BOX2D_LUNAR_LANDER_FLIGHT_HPP_
#define PARALLEL_POOL_BOX2D_LUNAR_LANDER_FLIGHT_HPP_

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <parallel_pool/rng.hpp>

#include "engine/bodies.hpp"

namespace box2d::lunar {

constexpr double scale = 30.0;  // pixels of a unit of length
constexpr double world_width = 600 / scale;
constexpr double world_height = 400 / scale;

struct Weather {
  double gravity;
  bool windy;
  double wind_power;
  double turbulence_power;
};

struct Thrust {
  double main = 0;       // 0, or 0.5 to 1
  double side = 0;       // 0, or 0.5 to 1
  double direction = 0;  // direction of the side engine: -1 left, 1 right
};

class Flight : b2ContactListener {
 public:
  struct Result {
    std::array<double, 8> state;
    double reward;
    bool terminated;
  };
  // A particle of the exhaust, which is only seen.
  struct Particle {
    b2Body* body;
    double left;  // time of its life
  };

  // with_exhaust: engines leave particles behind, which change nothing else.
  explicit Flight(const Weather& weather, bool with_exhaust = false)
      : weather_(weather), with_exhaust_(with_exhaust) {}
  Flight(const Flight&) = delete;
  ~Flight() override = default;

  // A new world, and the first step of it, without thrust.
  Result begin(pp::Rng& rng);
  Result step(const Thrust& thrust, pp::Rng& rng);
  // Goes on as the other one, of the same weather, which has no exhaust.
  void copy_from(const Flight& other);

  const b2Body* lander() const { return lander_; }
  const std::array<b2Body*, 2>& legs() const { return legs_; }
  const std::array<Point, 11>& ground() const { return ground_; }
  double pad_height() const { return pad_; }
  const std::deque<Particle>& exhaust() const { return exhaust_; }

 private:
  void BeginContact(b2Contact* contact) override;
  void EndContact(b2Contact* contact) override { note_legs(*contact, false); }
  void note_legs(b2Contact& contact, bool touches);
  void add_moon(pp::Rng& rng);
  void add_lander(pp::Rng& rng);
  void add_leg(size_t which, int side, double lower, double upper);
  void blow();
  void fire(const Thrust& thrust, pp::Rng& rng);
  void push(Point offset, Point shift, double engine, double power, double mass);
  void add_particle(double mass, Point at, Point impulse, double life);
  void fade();
  void drop_faded();
  Result judge(const Thrust& thrust);

  Weather weather_;
  bool with_exhaust_;
  std::unique_ptr<b2World> world_;
  b2Body* lander_ = nullptr;
  std::array<b2Body*, 2> legs_{};
  std::array<bool, 2> touches_{};
  std::array<Point, 11> ground_{};
  std::deque<Particle> exhaust_;
  bool crashed_ = false;
  bool has_shaping_ = false;
  double shaping_ = 0;
  double pad_ = 0;  // height of the landing pad
  int64_t wind_ = 0;
  int64_t twist_ = 0;
};

}  // namespace box2d::lunar

#endif
