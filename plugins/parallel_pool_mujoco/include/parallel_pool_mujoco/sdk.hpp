// parallel_pool_mujoco/sdk.hpp: MuJoCo for authors of environments, without MuJoCo's headers.
//
//   struct Hopper {
//     using Options = pp::mujoco::ModelOptions;  // or a set that inherits from it
//     explicit Hopper(const Options& options) : sim_(pp::mujoco::Model::share(options)) {}
//     ... sim_.ctrl[0] = action[0]; sim_.step(4); obs[0] = sim_.qpos[1]; ...
//     pp::mujoco::Simulation sim_;
//   };
//
// The plugin is compiled without MuJoCo and works with the one that the user has, from 3.6 on: in
// Python, its hook `parallel_pool_options` sets the option "model" by
// parallel_pool_mujoco.sdk.hand_over (docs/mujoco.md shows the whole way). Not part of env.hpp:
// include it beside.
//
// For tasks on top of that, task/: Task (the base of one), Observer (float32, stacks and
// pictures as options), their sets of options, InfoWriter, WarningPolicy, numpy's sums.
#ifndef PARALLEL_POOL_MUJOCO_SDK_HPP_
#define PARALLEL_POOL_MUJOCO_SDK_HPP_

#include "parallel_pool_mujoco/arrays.hpp"
#include "parallel_pool_mujoco/derived.hpp"
#include "parallel_pool_mujoco/engine.hpp"
#include "parallel_pool_mujoco/model.hpp"
#include "parallel_pool_mujoco/scene.hpp"
#include "parallel_pool_mujoco/simulation.hpp"
#include "parallel_pool_mujoco/task/info.hpp"
#include "parallel_pool_mujoco/task/numerics.hpp"
#include "parallel_pool_mujoco/task/observed_numbers.hpp"
#include "parallel_pool_mujoco/task/observed_scene.hpp"
#include "parallel_pool_mujoco/task/observer.hpp"
#include "parallel_pool_mujoco/task/options.hpp"
#include "parallel_pool_mujoco/task/task.hpp"
#include "parallel_pool_mujoco/task/warnings.hpp"
#include "parallel_pool_mujoco/trap.hpp"

#endif  // PARALLEL_POOL_MUJOCO_SDK_HPP_
