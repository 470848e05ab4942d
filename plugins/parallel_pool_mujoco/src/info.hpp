// The keys of `info` in Gymnasium's tasks: one list of them per generation of ids.
#ifndef PARALLEL_POOL_MUJOCO_INFO_HPP_
#define PARALLEL_POOL_MUJOCO_INFO_HPP_

#include "sdk_names.hpp"

namespace gymnasium_tasks {

// The two generations of Gymnasium's ids that are alive. EnvPool's v2 and v3 are v4 with options.
enum class Generation { v4, v5 };

}  // namespace gymnasium_tasks
#endif  // PARALLEL_POOL_MUJOCO_INFO_HPP_
