// Steps two worlds that are built and pushed alike, one of which computes all velocity iterations
// of Box2D's own loop. test_velocity_iterations.py loads it.
#include <cmath>
#include <cstring>
#include <memory>
#include <random>
#include <vector>

#include "engine/bodies.hpp"
#include "engine/island_iterations.hpp"
#include "engine/velocity_iterations.hpp"

namespace {

// The test's Counts has the same fields.
struct Counts {
  int64_t islands;
  int64_t unknown;     // islands that are left to Box2D's loop
  int64_t repeats[3];  // one iteration, two, more
  int64_t broken;      // repeats that ended before the iterations did
  int64_t skipped;     // iterations
};

bool all_iterations = false;
Counts counts;

}  // namespace

namespace box2d {

bool iterate_velocities(b2Island& island, b2ContactSolver& contacts, const b2TimeStep& step) {
  if (all_iterations) return false;
  ++counts.islands;
  IslandIterations iterations(island, contacts, step);
  if (!iterations.known()) {
    ++counts.unknown;
    return false;
  }
  int repeats = 0;
  iterations.run(step.velocityIterations, [&](int32 period, int32 followed) {
    ++repeats;
    ++counts.repeats[period < 3 ? period - 1 : 2];
    counts.skipped += followed;
  });
  if (repeats > 1) ++counts.broken;
  return true;
}

}  // namespace box2d

namespace {

using namespace box2d;

// In the order of KINDS in the test.
enum Kind { landers, walkers, piles, cars };

class World : b2ContactListener {
 public:
  World(Kind kind, unsigned seed) : kind_(kind), draw_(seed), world_(make_world(-10)) {
    world_->SetContactListener(this);
    b2Body* earth = add_body(*world_, b2_staticBody, {0, 0});
    for (int i = -10; i < 10; ++i) {
      add_fixture(*earth, edge({4.0 * i, height(i)}, {4.0 * i + 4, height(i + 1)}),
                  {0, uniform(0, 2)});
    }
    switch (kind) {
      case landers:
        hang(block({0, 12}, 1, 0.7), 2, 40, 0.4, 0.9);
        break;
      case walkers: {
        b2Body& hull = block({0, 6}, 1, 0.3);
        for (b2Body* thigh : hang(hull, 2, 80, -0.8, 1.1)) hang(*thigh, 1, 80, -1.6, -0.1);
        break;
      }
      case piles:
        for (int i = 0; i < 8; ++i) block({uniform(-2, 2), 2 + 1.5 * i}, 0.5, 0.5);
        break;
      case cars:
        hang(block({0, 6}, 1, 2), 4, 180, -0.4, 0.4);
        break;
    }
  }

  void step() {
    for (b2RevoluteJoint* each : hinges_) {
      if (chance(0.7)) continue;
      each->SetMotorSpeed(static_cast<float>(chance(0.3) ? 0 : uniform(-4, 4)));
      const double most = kind_ == landers ? 40 : 80;
      each->SetMaxMotorTorque(static_cast<float>(chance(0.2) ? 0 : uniform(0, most)));
    }
    if (chance(0.2)) {
      b2Body& body = *bodies_[draw_() % bodies_.size()];
      body.ApplyLinearImpulse(vec(uniform(-5, 5), uniform(-5, 5)), body.GetWorldCenter(), true);
    }
    if (chance(0.02)) {
      for (b2Body* each : bodies_) each->SetLinearVelocity(b2Vec2(0, 0));
    }
    solved_.clear();
    advance(world_);
  }

  // All that a step leaves behind.
  std::vector<float> state() {
    std::vector<float> all = solved_;
    for (const b2Body* each : bodies_) {
      const b2Vec2 place = each->GetPosition();
      const b2Vec2 speed = each->GetLinearVelocity();
      all.insert(all.end(), {place.x, place.y, each->GetAngle(), speed.x, speed.y,
                             each->GetAngularVelocity(), each->IsAwake() ? 1.0f : 0.0f});
    }
    for (const b2RevoluteJoint* each : hinges_) {
      const b2Vec2 force = each->GetReactionForce(1);
      all.insert(all.end(),
                 {force.x, force.y, each->GetReactionTorque(1), each->GetMotorTorque(1)});
    }
    return all;
  }

 private:
  void PostSolve(b2Contact*, const b2ContactImpulse* impulse) override {
    for (int32 i = 0; i < impulse->count; ++i) {
      solved_.push_back(impulse->normalImpulses[i]);
      solved_.push_back(impulse->tangentImpulses[i]);
    }
  }

  double uniform(double low, double high) {
    return low + (high - low) * static_cast<double>(draw_()) / 4294967296.0;
  }
  bool chance(double share) { return uniform(0, 1) < share; }
  static double height(int i) { return i % 3 == 0 ? 0.4 : 0; }

  b2Body& block(Point at, double half_width, double half_height) {
    b2Body* body = add_body(*world_, b2_dynamicBody, at, uniform(-0.3, 0.3));
    const auto mask = static_cast<uint16>(kind_ == piles ? 0x0003 : 0x0001);
    add_fixture(*body, box(half_width, half_height), {uniform(0.5, 5), uniform(0, 1)},
                {0x0002, mask});
    bodies_.push_back(body);
    return *body;
  }

  std::vector<b2Body*> hang(b2Body& from, int count, double torque, double lower, double upper) {
    std::vector<b2Body*> hung;
    for (int i = 0; i < count; ++i) {
      const int side = i % 2 == 0 ? -1 : 1;
      const b2Vec2 place = from.GetPosition();
      b2Body& body = block({place.x + side * 0.7, place.y - 0.7}, 0.1, 0.3);
      const Hinge hinge{{side * 0.3, -0.2 * i},    {side * 0.3, 0.5},        torque, 0.3 * side,
                        side < 0 ? lower : -upper, side < 0 ? upper : -lower};
      hinges_.push_back(add_hinge(*world_, from, body, hinge));
      hung.push_back(&body);
    }
    return hung;
  }

  Kind kind_;
  std::mt19937 draw_;
  std::unique_ptr<b2World> world_;
  std::vector<b2Body*> bodies_;
  std::vector<b2RevoluteJoint*> hinges_;
  std::vector<float> solved_;
};

}  // namespace

#define PUBLIC extern "C" __attribute__((visibility("default")))

// The number of the first step after which the worlds differ in a bit; -1 if there is none.
PUBLIC int compare(int kind, unsigned seed, int steps, Counts* out) {
  counts = {};
  World shortened(static_cast<Kind>(kind), seed);
  World whole(static_cast<Kind>(kind), seed);
  int different = -1;
  for (int i = 0; i < steps && different < 0; ++i) {
    all_iterations = false;
    shortened.step();
    all_iterations = true;
    whole.step();
    const std::vector<float> one = shortened.state();
    const std::vector<float> two = whole.state();
    if (one.size() != two.size() ||
        std::memcmp(one.data(), two.data(), one.size() * sizeof(float)) != 0) {
      different = i;
    }
  }
  *out = counts;
  return different;
}
