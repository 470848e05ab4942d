// From the plane of the race to pixels, in the steps and roundings of
// pygame.math.Vector2.rotate_rad.
#ifndef PARALLEL_POOL_BOX2D_CAR_RACING_CAMERA_HPP_
#define PARALLEL_POOL_BOX2D_CAR_RACING_CAMERA_HPP_

#include <cmath>

#include "engine/bodies.hpp"

namespace box2d::racing {

// A rotation by an angle in radians; within 1e-6 of a right angle it is that one.
class Rotation {
 public:
  explicit Rotation(double angle) {
    constexpr double quarter = 1.5707963267948966;
    constexpr double near_enough = 1e-6;
    angle = std::fmod(angle, 4 * quarter);
    if (angle < 0) angle += 4 * quarter;
    if (std::fmod(angle + near_enough, quarter) < 2 * near_enough) {
      quarters_ = static_cast<int>((angle + near_enough) / quarter) % 4;
      return;
    }
    sine_ = std::sin(angle);
    cosine_ = std::cos(angle);
  }
  Point operator()(Point p) const {
    switch (quarters_) {
      case 0:
        return p;
      case 1:
        return {-p.y, p.x};
      case 2:
        return {-p.x, -p.y};
      case 3:
        return {p.y, -p.x};
      default:
        return {cosine_ * p.x - sine_ * p.y, sine_ * p.x + cosine_ * p.y};
    }
  }

 private:
  int quarters_ = -1;
  double sine_ = 0;
  double cosine_ = 0;
};

// Follows the car, whose front is up, and comes nearer in the first second.
class Camera {
 public:
  Camera(const b2Body& car, double time, int width, int height)
      : rotation_(-static_cast<double>(car.GetAngle())),
        zoom_(0.1 * 6.0 * std::fmax(1 - time, 0) + 2.7 * 6.0 * std::fmin(time, 1)) {
    reach_ = std::hypot(0.5 * width, 0.75 * height) + 2;
    const b2Vec2 at = car.GetPosition();
    const Point shift =
        rotation_({-static_cast<double>(at.x) * zoom_, -static_cast<double>(at.y) * zoom_});
    shift_ = {static_cast<double>(width) / 2 + shift.x, static_cast<double>(height) / 4 + shift.y};
  }
  Point operator()(Point p) const {
    const Point turned = rotation_(p);
    return {turned.x * zoom_ + shift_.x, turned.y * zoom_ + shift_.y};
  }

  // From the car, as far as the farthest corner of the picture.
  double reach() const { return reach_ / zoom_; }

 private:
  Rotation rotation_;
  double zoom_;
  double reach_ = 0;
  Point shift_{0, 0};
};

}  // namespace box2d::racing

#endif
