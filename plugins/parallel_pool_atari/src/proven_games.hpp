// SPDX-License-Identifier: GPL-2.0-only
// The games in which the fast engine was shown to equal ALE.

#ifndef PARALLEL_POOL_ATARI_PROVEN_GAMES_HPP_
#define PARALLEL_POOL_ATARI_PROVEN_GAMES_HPP_

#include <string>

namespace pp::atari {

// Takes ALE's name of the game.
bool is_proven(const std::string& game);

}  // namespace pp::atari

#endif  // PARALLEL_POOL_ATARI_PROVEN_GAMES_HPP_
