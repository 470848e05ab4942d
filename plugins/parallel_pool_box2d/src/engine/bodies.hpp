// Bodies as Gymnasium's environments build them through pybox2d. Python computes in double, and
// pybox2d rounds each number to float once, at the call: so do these functions.
#ifndef PARALLEL_POOL_BOX2D_ENGINE_BODIES_HPP_
#define PARALLEL_POOL_BOX2D_ENGINE_BODIES_HPP_

#include <Box2D/Box2D.h>

#include <initializer_list>
#include <memory>

namespace box2d {

struct Point {
  double x;
  double y;
};

inline b2Vec2 vec(double x, double y) {
  return {static_cast<float>(x), static_cast<float>(y)};
}
inline b2Vec2 vec(Point p) {
  return vec(p.x, p.y);
}

// numpy.sign, but 0 for NaN.
template <class T>
T sign(T x) {
  return static_cast<T>(x > 0 ? 1 : x < 0 ? -1 : 0);
}

// Takes at most b2_maxPolygonVertices corners.
inline b2PolygonShape polygon(std::initializer_list<Point> corners) {
  b2Vec2 points[b2_maxPolygonVertices];
  int32 n = 0;
  for (const Point& each : corners) points[n++] = vec(each);
  b2PolygonShape shape;
  shape.Set(points, n);
  return shape;
}

inline b2PolygonShape box(double half_width, double half_height) {
  b2PolygonShape shape;
  shape.SetAsBox(static_cast<float>(half_width), static_cast<float>(half_height));
  return shape;
}

inline b2EdgeShape edge(Point from, Point to) {
  b2EdgeShape shape;
  shape.Set(vec(from), vec(to));
  return shape;
}

// Throws std::bad_alloc, as all that works with it.
std::unique_ptr<b2World> make_world(double gravity);

// Does work(*world). A world that an exception leaves is in no order: it is thrown away.
template <class Work>
void work_in(std::unique_ptr<b2World>& world, Work&& work) {
  try {
    work(*world);
  } catch (...) {
    world.reset();
    throw;
  }
}

inline b2Body* add_body(b2World& world, b2BodyType type, Point position, double angle = 0) {
  b2BodyDef definition;
  definition.type = type;
  definition.position = vec(position);
  definition.angle = static_cast<float>(angle);
  return world.CreateBody(&definition);
}

// Decides which bodies touch: a fixture collides with those in whose mask its category is, and the
// other way round.
struct Filter {
  uint16 category = 0x0001;
  uint16 mask = 0xFFFF;
};

struct Material {
  double density;
  double friction;
};

inline b2Fixture* add_fixture(b2Body& body, const b2Shape& shape, Material material,
                              Filter filter = {}) {
  b2FixtureDef definition;
  definition.shape = &shape;
  definition.density = static_cast<float>(material.density);
  definition.friction = static_cast<float>(material.friction);
  definition.filter.categoryBits = filter.category;
  definition.filter.maskBits = filter.mask;
  return body.CreateFixture(&definition);
}

struct Hinge {
  Point anchor_a;
  Point anchor_b;
  double torque;  // the limit of the motor
  double speed;   // the motor aims at it
  double lower;
  double upper;
};

// A joint with a motor and limits. Its zero is the angle between the bodies now, which pybox2d sets
// without being asked.
inline b2RevoluteJoint* add_hinge(b2World& world, b2Body& a, b2Body& b, const Hinge& hinge) {
  b2RevoluteJointDef definition;
  definition.bodyA = &a;
  definition.bodyB = &b;
  definition.localAnchorA = vec(hinge.anchor_a);
  definition.localAnchorB = vec(hinge.anchor_b);
  definition.enableMotor = definition.enableLimit = true;
  definition.maxMotorTorque = static_cast<float>(hinge.torque);
  definition.motorSpeed = static_cast<float>(hinge.speed);
  definition.referenceAngle =
      static_cast<float>(static_cast<double>(b.GetAngle()) - static_cast<double>(a.GetAngle()));
  definition.lowerAngle = static_cast<float>(hinge.lower);
  definition.upperAngle = static_cast<float>(hinge.upper);
  return static_cast<b2RevoluteJoint*>(world.CreateJoint(&definition));
}

// One step of 1/50 s, with the iterations that all environments of Gymnasium ask for.
inline void advance(std::unique_ptr<b2World>& world) {
  work_in(world, [](b2World& it) { it.Step(static_cast<float>(1.0 / 50), 6 * 30, 2 * 30); });
}

}  // namespace box2d

#endif
