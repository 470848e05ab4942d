// Runs a program's blocks: each operation jumps to the handler of the next one.

#ifndef PARALLEL_POOL_ATARI_VCS_TRANSLATOR_PORTABLE_RUN_BLOCKS_HPP_
#define PARALLEL_POOL_ATARI_VCS_TRANSLATOR_PORTABLE_RUN_BLOCKS_HPP_

#include <cstdint>

#include "../../bus.hpp"
#include "program.hpp"

namespace pp::atari::vcs::translator {

// As cpu6507::run_frame, which takes over where blocks end for good: near the end of the budget,
// and near the line on which a frame ends by force.
bool run_frame(Bus& bus, Program& program, uint32_t budget);

// Where the code of each Operation is.
const void* const* block_handlers();

}  // namespace pp::atari::vcs::translator

#endif  // PARALLEL_POOL_ATARI_VCS_TRANSLATOR_PORTABLE_RUN_BLOCKS_HPP_
