// SPDX-License-Identifier: GPL-2.0-only
// One frame of play on the fast engine: what StellaEnvironment::act does around the machine.

#ifndef PARALLEL_POOL_ATARI_FAST_PLAY_HPP_
#define PARALLEL_POOL_ATARI_FAST_PLAY_HPP_

#include "ale_private.hpp"
#include "fast_console.hpp"

namespace pp::atari {

// The reward of one frame of `ale`, in which `console` is installed. ALE's own act() goes on to
// copy screen and RAM; here they are read where they lie.
int play_frame(ale::ALEInterface& ale, FastConsole& console, ale::Action action);

}  // namespace pp::atari

#endif  // PARALLEL_POOL_ATARI_FAST_PLAY_HPP_
