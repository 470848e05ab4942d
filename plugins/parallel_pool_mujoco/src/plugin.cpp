// The plugin's one exported symbol: each task in two generations. Which ids there are, and with
// what presets, is data in python/parallel_pool_mujoco/_envs.py.

#include "ant.hpp"
#include "half_cheetah.hpp"
#include "hopper.hpp"
#include "humanoid.hpp"
#include "humanoid_standup.hpp"
#include "inverted_double_pendulum.hpp"
#include "inverted_pendulum.hpp"
#include "parallel_pool/env.hpp"
#include "pusher.hpp"
#include "reacher.hpp"
#include "swimmer.hpp"
#include "walker2d.hpp"

namespace {

using namespace gymnasium_tasks;

#define BOTH(Name) pp::scalar<Name<Generation::v4>>(), pp::scalar<Name<Generation::v5>>()

}  // namespace

PP_PLUGIN("mujoco", BOTH(Ant), BOTH(HalfCheetah), BOTH(Hopper), BOTH(Humanoid),
          BOTH(HumanoidStandup), BOTH(InvertedDoublePendulum), BOTH(InvertedPendulum), BOTH(Pusher),
          BOTH(Reacher), BOTH(Swimmer), BOTH(Walker2d));
