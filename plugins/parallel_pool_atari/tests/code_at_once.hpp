// SPDX-License-Identifier: GPL-2.0-only
// Tests are short: in them, a block has machine code from the frame on that follows the one that
// reached it.

#ifndef PARALLEL_POOL_ATARI_TESTS_CODE_AT_ONCE_HPP_
#define PARALLEL_POOL_ATARI_TESTS_CODE_AT_ONCE_HPP_

#include "vcs/translator/portable/program.hpp"

namespace pp::atari {

inline const unsigned usual_frames_between_chunks =
    vcs::translator::Program::frames_between_chunks.exchange(1);

}  // namespace pp::atari

#endif  // PARALLEL_POOL_ATARI_TESTS_CODE_AT_ONCE_HPP_
