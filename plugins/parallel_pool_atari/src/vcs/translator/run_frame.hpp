// SPDX-License-Identifier: GPL-2.0-only
// Executes a translated program for a frame, by whichever back end has what comes next.

#ifndef PARALLEL_POOL_ATARI_VCS_TRANSLATOR_RUN_FRAME_HPP_
#define PARALLEL_POOL_ATARI_VCS_TRANSLATOR_RUN_FRAME_HPP_

#include <cstdint>

#include "../bus.hpp"
#include "portable/program.hpp"

namespace pp::atari::vcs::translator {

// Does what cpu6507::run_frame does, which takes over where blocks end for good: near the end of
// the budget, and near the line on which a frame ends by force.
bool run_frame(Bus& bus, Program& program, bool machine_code, uint32_t budget);

}  // namespace pp::atari::vcs::translator

#endif  // PARALLEL_POOL_ATARI_VCS_TRANSLATOR_RUN_FRAME_HPP_
