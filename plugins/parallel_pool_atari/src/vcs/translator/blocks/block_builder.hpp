// SPDX-License-Identifier: GPL-2.0-only
// Makes a block out of the program's bytes.

#ifndef PARALLEL_POOL_ATARI_VCS_TRANSLATOR_BLOCKS_BLOCK_BUILDER_HPP_
#define PARALLEL_POOL_ATARI_VCS_TRANSLATOR_BLOCKS_BLOCK_BUILDER_HPP_

#include <bitset>
#include <cstdint>

#include "operation.hpp"
#include "program_map.hpp"

namespace pp::atari::vcs::translator {

// Instructions of one block at most. Whoever executes blocks looks at their ends whether the frame
// is nearly over, so a block has to be short beside a frame.
inline constexpr int longest_block = 48;

// The block at `pc` in `region`, where the map holds code. It ends where another block begins:
// `begun` has a bit for each offset in the view.
Block build_block(const ProgramMap& map, unsigned region, uint16_t pc,
                  const std::bitset<Cartridge::view_bytes>& begun);

}  // namespace pp::atari::vcs::translator

#endif  // PARALLEL_POOL_ATARI_VCS_TRANSLATOR_BLOCKS_BLOCK_BUILDER_HPP_
