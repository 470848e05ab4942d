#include "engine/velocity_iterations.hpp"

#include "engine/island_iterations.hpp"

namespace box2d {

bool iterate_velocities(b2Island& island, b2ContactSolver& contacts, const b2TimeStep& step) {
  IslandIterations iterations(island, contacts, step);
  if (!iterations.known()) return false;
  iterations.run(step.velocityIterations, [](int32, int32) {});
  return true;
}

}  // namespace box2d
