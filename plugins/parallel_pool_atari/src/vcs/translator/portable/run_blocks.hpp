// SPDX-License-Identifier: GPL-2.0-only
// Runs a program's blocks: each operation jumps to the handler of the next one.

#ifndef PARALLEL_POOL_ATARI_VCS_TRANSLATOR_PORTABLE_RUN_BLOCKS_HPP_
#define PARALLEL_POOL_ATARI_VCS_TRANSLATOR_PORTABLE_RUN_BLOCKS_HPP_

#include <cstdint>

#include "../../bus.hpp"
#include "program.hpp"

namespace pp::atari::vcs::translator {

// Executes the block at the CPU's program counter and what follows it, until something else is due
// there. No block begins in a later cycle than `limit`.
void run_blocks(Bus& bus, Program& program, const Op* first, uint32_t limit);

// Returns the address of the code of each Operation.
const void* const* block_handlers();

}  // namespace pp::atari::vcs::translator

#endif  // PARALLEL_POOL_ATARI_VCS_TRANSLATOR_PORTABLE_RUN_BLOCKS_HPP_
