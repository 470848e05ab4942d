// The car of CarRacing: a hull and four wheels on a plane, with friction of its own
// (gymnasium/envs/box2d/car_dynamics.py, by Oleg Klimov, after Chris Campbell's tutorial).
#ifndef PARALLEL_POOL_BOX2D_CAR_RACING_CAR_HPP_
#define PARALLEL_POOL_BOX2D_CAR_RACING_CAR_HPP_

#include <array>

#include "engine/bodies.hpp"

namespace box2d::racing {

constexpr double car_size = 0.02;
constexpr double wheel_radius = 27;  // times car_size
constexpr double wheel_width = 14;

struct Wheel {
  b2Body* body = nullptr;
  b2RevoluteJoint* joint = nullptr;
  double gas = 0;
  double brake = 0;
  double steer = 0;
  double phase = 0;  // angle
  double omega = 0;  // angular speed
  int tiles = 0;     // that it touches
};

struct Controls {
  double steer = 0;  // -1 right to 1 left
  double gas = 0;    // 0 to 1
  double brake = 0;  // 0 to 1; from 0.9 on the wheels stand still
};

class Car {
 public:
  void build(b2World& world, double angle, Point at);
  void destroy(b2World& world);
  void control(const Controls& controls);
  // Forces and steering of the next step of the world.
  void push();

  const b2Body* hull() const { return hull_; }
  const std::array<Wheel, 4>& wheels() const { return wheels_; }
  // The wheel of that body, NULL if it is none.
  Wheel* wheel_of(const b2Body* body);

 private:
  void push(Wheel& wheel);

  b2Body* hull_ = nullptr;
  std::array<Wheel, 4> wheels_;
};

}  // namespace box2d::racing

#endif
