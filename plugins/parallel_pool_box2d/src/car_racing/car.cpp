#include "car_racing/car.hpp"

#include <algorithm>
#include <cmath>

namespace box2d::racing {
namespace {

constexpr double dt = 1.0 / 50;
constexpr double engine_power = 100000000 * car_size * car_size;
constexpr double wheel_inertia = 4000 * car_size * car_size;
constexpr double road_friction = 1000000 * car_size * car_size;
constexpr double stiffness = 205000 * car_size * car_size;  // keeps the forces from swinging
constexpr double brake_force = 15;                          // radians per second
constexpr double tyre_radius = wheel_radius * car_size;
constexpr Point wheel_places[] = {{-55, 80}, {55, 80}, {-55, -82}, {55, -82}};

b2PolygonShape scaled(std::initializer_list<Point> corners) {
  b2Vec2 points[b2_maxPolygonVertices];
  int32 n = 0;
  for (const Point& each : corners) points[n++] = vec(each.x * car_size, each.y * car_size);
  b2PolygonShape shape;
  shape.Set(points, n);
  return shape;
}

}  // namespace

void Car::build(b2World& world, double angle, Point at) {
  if (marks_ != nullptr) marks_->clear();
  hull_ = add_body(world, b2_dynamicBody, at, angle);
  const Material body{1.0, 0.2};
  add_fixture(*hull_, scaled({{-60, 130}, {60, 130}, {60, 110}, {-60, 110}}), body);
  add_fixture(*hull_, scaled({{-15, 120}, {15, 120}, {20, 20}, {-20, 20}}), body);
  add_fixture(*hull_,
              scaled({{25, 20},
                      {50, -10},
                      {50, -40},
                      {20, -90},
                      {-20, -90},
                      {-50, -40},
                      {-50, -10},
                      {-25, 20}}),
              body);
  add_fixture(*hull_, scaled({{-50, -120}, {50, -120}, {50, -90}, {-50, -90}}), body);
  for (size_t k = 0; k < wheels_.size(); ++k) {
    const Point place{wheel_places[k].x * car_size, wheel_places[k].y * car_size};
    Wheel wheel;
    wheel.body = add_body(world, b2_dynamicBody, {at.x + place.x, at.y + place.y}, angle);
    add_fixture(*wheel.body,
                scaled({{-wheel_width, wheel_radius},
                        {wheel_width, wheel_radius},
                        {wheel_width, -wheel_radius},
                        {-wheel_width, -wheel_radius}}),
                {0.1, 0.2}, {0x0020, 0x0001});
    wheel.joint = add_hinge(world, *hull_, *wheel.body,
                            {place, {0, 0}, 180 * 900 * car_size * car_size, 0, -0.4, 0.4});
    wheels_[k] = wheel;
  }
}

void Car::destroy(b2World& world) {
  if (hull_ != nullptr) world.DestroyBody(hull_);
  for (const Wheel& each : wheels_) {
    if (each.body != nullptr) world.DestroyBody(each.body);
  }
  forget();
}

void Car::forget() {
  hull_ = nullptr;
  wheels_ = {};
}

void Car::copy_from(const Car& other, const WorldCopy& copy) {
  hull_ = copy.of(other.hull_);
  wheels_ = other.wheels_;
  for (Wheel& each : wheels_) {
    each.body = copy.of(each.body);
    each.joint = copy.of(each.joint);
  }
}

Wheel* Car::wheel_of(const b2Body* body) {
  for (Wheel& each : wheels_) {
    if (each.body == body) return &each;
  }
  return nullptr;
}

void Car::control(const Controls& controls) {
  wheels_[0].steer = wheels_[1].steer = controls.steer;
  const double gas = std::clamp(controls.gas, 0.0, 1.0);
  for (size_t k : {2, 3}) wheels_[k].gas += std::min(gas - wheels_[k].gas, 0.1);
  for (Wheel& each : wheels_) each.brake = controls.brake;
}

void Car::push() {
  for (size_t k = 0; k < wheels_.size(); ++k) push(k);
}

void Car::push(size_t which) {
  Wheel& wheel = wheels_[which];
  const double turn = wheel.steer - static_cast<double>(wheel.joint->GetJointAngle());
  wheel.joint->SetMotorSpeed(static_cast<float>(sign(turn) * std::min(50.0 * std::abs(turn), 3.0)));
  const double limit = wheel.tiles > 0
                           ? road_friction
                           : road_friction * 0.6;  // share of the force, on the road and on grass

  const b2Vec2 forward = wheel.body->GetWorldVector(b2Vec2(0, 1));
  const b2Vec2 side = wheel.body->GetWorldVector(b2Vec2(1, 0));
  const b2Vec2 velocity = wheel.body->GetLinearVelocity();
  const auto dot = [](const b2Vec2& a, const b2Vec2& b) {
    return static_cast<double>(a.x) * static_cast<double>(b.x) +
           static_cast<double>(a.y) * static_cast<double>(b.y);
  };
  const double forward_speed = dot(forward, velocity);
  const double side_speed = dot(side, velocity);

  // The 5 keeps the engine's power from being divided by zero.
  wheel.omega += dt * engine_power * wheel.gas / wheel_inertia / (std::abs(wheel.omega) + 5.0);
  if (wheel.brake >= 0.9) {
    wheel.omega = 0;
  } else if (wheel.brake > 0) {
    const double slower = std::min(brake_force * wheel.brake, std::abs(wheel.omega));
    wheel.omega += -sign(wheel.omega) * slower;
  }
  wheel.phase += wheel.omega * dt;

  double forward_force = (-forward_speed + wheel.omega * tyre_radius) * stiffness;
  double side_force = -side_speed * stiffness;
  const double force = std::sqrt(forward_force * forward_force + side_force * side_force);
  if (marks_ != nullptr) {
    const b2Vec2 at = wheel.body->GetPosition();
    marks_->note(which, force > 2.0 * limit, wheel.tiles == 0,
                 {static_cast<double>(at.x), static_cast<double>(at.y)});
  }
  if (force > limit) {
    forward_force = forward_force / force * limit;
    side_force = side_force / force * limit;
  }
  wheel.omega -= dt * forward_force * tyre_radius / wheel_inertia;
  wheel.body->ApplyForceToCenter(
      vec(side_force * static_cast<double>(side.x) + forward_force * static_cast<double>(forward.x),
          side_force * static_cast<double>(side.y) +
              forward_force * static_cast<double>(forward.y)),
      true);
}

}  // namespace box2d::racing
