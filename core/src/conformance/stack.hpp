// What the stack holds below the frame of a call, for the conformance kit.
#ifndef PARALLEL_POOL_SRC_CONFORMANCE_STACK_HPP_
#define PARALLEL_POOL_SRC_CONFORMANCE_STACK_HPP_

#include <cstdint>

#include "parallel_pool/abi.h"

#if defined(_MSC_VER)
#define PP_NOINLINE __declspec(noinline)
#else
#define PP_NOINLINE __attribute__((noinline))
#endif

namespace pp::python {

// Below the frame of the call that follows, where temporaries lie that no longer exist.
PP_NOINLINE void fill_stack(uint8_t byte);

// Builds far down the stack, so that temporaries of the constructor lie where fill_stack() fills.
PP_NOINLINE void* create_below(const pp_env& env, const pp_shard& shard);

}  // namespace pp::python
#endif  // PARALLEL_POOL_SRC_CONFORMANCE_STACK_HPP_
