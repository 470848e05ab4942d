// What Box2D shares among all worlds of a process, made safe for threads. CMakeLists.txt removes
// its counters of calls.
#include "engine/bodies.hpp"

// A clock that stands still, in place of Box2D's: it measures what is never asked for, by a call of
// the system for each step.
b2Timer::b2Timer() = default;
void b2Timer::Reset() {}
float32 b2Timer::GetMilliseconds() const {
  return 0;
}

namespace {

// Box2D fills two tables when they are first needed: here that is while the library is loaded,
// before there are threads.
[[maybe_unused]] const bool filled = [] {
  b2World world(b2Vec2(0, 0));
  for (int i = 0; i < 2; ++i) {
    b2Body* body = box2d::add_body(world, b2_dynamicBody, {0.1 * i, 0});
    box2d::add_fixture(*body, box2d::box(1, 1), {1, 0.2});
  }
  world.Step(0.02f, 1, 1);
  return true;
}();

}  // namespace
