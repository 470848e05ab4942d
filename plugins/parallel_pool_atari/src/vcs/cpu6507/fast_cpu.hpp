// SPDX-License-Identifier: GPL-2.0-only
// The interpreter that games run on: instructions out of the 4 KiB of ROM in sight.
//
// It leaves to step() what is not plain: code elsewhere, and code next to a hot address, whose
// fetching would switch banks. One comparison per instruction finds all of that, as well as the end
// of the frame: whoever ends the loop makes the range of plain code empty.

#ifndef PARALLEL_POOL_ATARI_VCS_CPU6507_FAST_CPU_HPP_
#define PARALLEL_POOL_ATARI_VCS_CPU6507_FAST_CPU_HPP_

#include <climits>
#include <cstdint>

#include "../bus.hpp"

namespace pp::atari::vcs::cpu6507 {

// Runs until the frame is done, `budget` cycles have passed since the frame began, which is noticed
// somewhat late, or `most` instructions were executed. Whether the frame is done.
bool run_frame(Bus& bus, uint32_t budget, int most = INT_MAX);

}  // namespace pp::atari::vcs::cpu6507

#endif  // PARALLEL_POOL_ATARI_VCS_CPU6507_FAST_CPU_HPP_
