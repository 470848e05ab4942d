// Makes safe for threads what Box2D shares among all worlds of a process. CMakeLists.txt removes
// its counters of calls.
#include "engine/bodies.hpp"

// A clock that stands still, in place of Box2D's: it measures what is never asked for, by a call of
// the system for each step.
b2Timer::b2Timer() = default;
void b2Timer::Reset() {}
float32 b2Timer::GetMilliseconds() const {
  return 0;
}

namespace box2d {

std::unique_ptr<b2World> make_world(double gravity) {
  // Box2D fills two tables when they are first needed: here that is in one thread alone.
  [[maybe_unused]] static const bool filled = [] {
    const auto world = std::make_unique<b2World>(b2Vec2(0, 0));
    for (int i = 0; i < 2; ++i) {
      b2Body* body = add_body(*world, b2_dynamicBody, {0.1 * i, 0});
      add_fixture(*body, box(1, 1), {1, 0.2});
    }
    world->Step(0.02f, 1, 1);
    return true;
  }();
  return std::make_unique<b2World>(vec(0, gravity));
}

}  // namespace box2d
