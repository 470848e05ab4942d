// The iterations in which Box2D finds the velocities of an island, without those that change
// nothing.
#ifndef PARALLEL_POOL_BOX2D_ENGINE_VELOCITY_ITERATIONS_HPP_
#define PARALLEL_POOL_BOX2D_ENGINE_VELOCITY_ITERATIONS_HPP_

#include <Box2D/Box2D.h>
#include <Box2D/Dynamics/Contacts/b2ContactSolver.h>
#include <Box2D/Dynamics/b2Island.h>

namespace box2d {

// Leaves the island and its contacts as all iterations of the step would, bit for bit. False if the
// island is of a kind that it does not know, which stays as it is.
bool iterate_velocities(b2Island& island, b2ContactSolver& contacts, const b2TimeStep& step);

}  // namespace box2d

#endif
