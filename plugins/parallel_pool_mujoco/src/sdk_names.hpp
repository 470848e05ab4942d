// The namespace of the plugin, `gymnasium_tasks`: its code is written in the names of the SDK.
#ifndef PARALLEL_POOL_MUJOCO_SDK_NAMES_HPP_
#define PARALLEL_POOL_MUJOCO_SDK_NAMES_HPP_

#include "parallel_pool/env.hpp"
#include "parallel_pool_mujoco/sdk.hpp"

namespace gymnasium_tasks {

using namespace pp;          // NOLINT: only this plugin includes these headers
using namespace pp::mujoco;  // NOLINT: likewise

}  // namespace gymnasium_tasks
#endif  // PARALLEL_POOL_MUJOCO_SDK_NAMES_HPP_
