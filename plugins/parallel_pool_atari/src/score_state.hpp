// SPDX-License-Identifier: GPL-2.0-only
// The numbers of the play that ALE's games leave out of their saved state (RomSettings::saveState),
// so that rewards, lives or the end of a restored game could differ.
//
// Found by comparing the members of all games with what they save, and by a round of Miniature Golf
// that was restored (tests/differential.hpp); it saves its counts as flags.

#ifndef PARALLEL_POOL_ATARI_SCORE_STATE_HPP_
#define PARALLEL_POOL_ATARI_SCORE_STATE_HPP_

#include <array>
#include <cstdint>

#include "ale/games/RomSettings.hpp"

namespace pp::atari {

// Zeros for games that leave nothing out.
using ScoreState = std::array<int32_t, 5>;

ScoreState save_score(const ale::RomSettings& game);
// Called after ALE has restored what it keeps.
void restore_score(ale::RomSettings& game, const ScoreState& state);

}  // namespace pp::atari

#endif  // PARALLEL_POOL_ATARI_SCORE_STATE_HPP_
