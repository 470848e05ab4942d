// Fills malloc's memory and the stack below the frame of a call, so that bytes that were never set
// have a known value: for the conformance kit.
#pragma once

#include <cstdint>

#include "parallel_pool/abi.h"
#include "parallel_pool/host/base/noinline.hpp"

namespace pp::python {

// Bytes that this process has from malloc, or -1 where they are not counted.
int64_t allocated_bytes();

// From now on memory that malloc hands out, here and in threads that begin, holds this byte where
// it can be arranged. 0xFF: as malloc has it.
void fill_new_memory(uint8_t byte);

// Below the frame of the call that follows, where temporaries lie that no longer exist.
PP_NOINLINE void fill_stack(uint8_t byte);

// Builds far down the stack, so that temporaries of the constructor lie where fill_stack() fills.
PP_NOINLINE void* create_below(const pp_env& env, const pp_shard& shard);

}  // namespace pp::python
