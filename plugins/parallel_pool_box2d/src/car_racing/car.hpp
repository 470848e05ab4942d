// The car of CarRacing: a hull and four wheels on a plane, with friction of its own
// (gymnasium/envs/box2d/car_dynamics.py, by Oleg Klimov, after Chris Campbell's tutorial).
#ifndef PARALLEL_POOL_BOX2D_CAR_RACING_CAR_HPP_
#define PARALLEL_POOL_BOX2D_CAR_RACING_CAR_HPP_

#include <array>
#include <memory>

#include "car_racing/skid_marks.hpp"
#include "engine/bodies.hpp"
#include "engine/world_copy.hpp"

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
  int tiles = 0;     // the number of tiles that it touches
};

struct Controls {
  double steer = 0;  // -1 right to 1 left
  double gas = 0;    // 0 to 1
  double brake = 0;  // 0 to 1; from 0.9 on the wheels stand still
};

class Car {
 public:
  // with_marks: sliding wheels leave traces, which change nothing else.
  explicit Car(bool with_marks = false)
      : marks_(with_marks ? std::make_unique<SkidMarks>() : nullptr) {}

  void build(b2World& world, double angle, Point at);
  void destroy(b2World& world);
  void forget();  // forgets what was built, which is gone with its world
  // Is what the other one is in the copy of its world; marks stay.
  void copy_from(const Car& other, const WorldCopy& copy);
  void control(const Controls& controls);
  // Forces and steering of the next step of the world.
  void push();

  const b2Body* hull() const { return hull_; }
  const std::array<Wheel, 4>& wheels() const { return wheels_; }
  // NULL without them.
  const SkidMarks* marks() const { return marks_.get(); }
  // The wheel of that body, NULL if it is none.
  Wheel* wheel_of(const b2Body* body);

 private:
  void push(size_t which);

  b2Body* hull_ = nullptr;
  std::array<Wheel, 4> wheels_;
  std::unique_ptr<SkidMarks> marks_;
};

}  // namespace box2d::racing

#endif
