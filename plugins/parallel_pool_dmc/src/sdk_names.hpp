// The namespace of the plugin, `suite`: its code is written in the names of the SDK.
#ifndef PARALLEL_POOL_DMC_SDK_NAMES_HPP_
#define PARALLEL_POOL_DMC_SDK_NAMES_HPP_

#include <parallel_pool/rng.hpp>

#include "parallel_pool/env.hpp"
#include "parallel_pool_mujoco/sdk.hpp"

namespace suite {

using namespace pp;          // NOLINT: only this plugin includes these headers
using namespace pp::mujoco;  // NOLINT: likewise

}  // namespace suite
#endif  // PARALLEL_POOL_DMC_SDK_NAMES_HPP_
