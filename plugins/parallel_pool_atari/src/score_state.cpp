// SPDX-License-Identifier: GPL-2.0-only
#include "score_state.hpp"

#include "ale/games/supported/Atlantis2.hpp"
#include "ale/games/supported/ChopperCommand.hpp"
#include "ale/games/supported/DemonAttack.hpp"
#include "ale/games/supported/MiniatureGolf.hpp"
#include "ale/games/supported/VideoCheckers.hpp"
#include "ale_private.hpp"

namespace pp::atari {
namespace ale_private {

using Atlantis2 = ale::Atlantis2Settings;
using ChopperCommand = ale::ChopperCommandSettings;
using DemonAttack = ale::DemonAttackSettings;
using Golf = ale::MiniatureGolfSettings;
using Checkers = ale::VideoCheckersSettings;

PP_ALE_MEMBER(AtlantisLives, int, Atlantis2, m_lives)
PP_ALE_MEMBER(ChopperStarted, bool, ChopperCommand, m_is_started)
PP_ALE_MEMBER(DemonLevelChange, bool, DemonAttack, m_level_change)
PP_ALE_MEMBER(GolfLevel, int, Golf, m_levelNumber)
PP_ALE_MEMBER(GolfPar, int, Golf, m_levelPar)
PP_ALE_MEMBER(GolfHits, int, Golf, m_hits)
PP_ALE_MEMBER(GolfStatus, int, Golf, m_leftStatus)
PP_ALE_MEMBER(GolfHitsBefore, int, Golf, m_hitsAtStartOfLevel)
PP_ALE_MEMBER(CheckersReverse, bool, Checkers, m_reverse_checkers)

}  // namespace ale_private

namespace {

using namespace ale_private;  // NOLINT: the tags of this file

// Calls `visit` with each member that is left out, as a place in a ScoreState and the member.
template <class Settings, class Visit>
void each_member(Settings& game, const Visit& visit) {
  const auto as = [&game](auto* type) {
    using Game = std::remove_pointer_t<decltype(type)>;
    using Wanted = std::conditional_t<std::is_const_v<Settings>, const Game, Game>;
    return dynamic_cast<Wanted*>(&game);
  };
  if (auto* golf = as(static_cast<Golf*>(nullptr))) {
    visit(0, golf->*member(GolfLevel{}));
    visit(1, golf->*member(GolfPar{}));
    visit(2, golf->*member(GolfHits{}));
    visit(3, golf->*member(GolfStatus{}));
    visit(4, golf->*member(GolfHitsBefore{}));
  } else if (auto* atlantis = as(static_cast<Atlantis2*>(nullptr))) {
    visit(0, atlantis->*member(AtlantisLives{}));
  } else if (auto* chopper = as(static_cast<ChopperCommand*>(nullptr))) {
    visit(0, chopper->*member(ChopperStarted{}));
  } else if (auto* demon = as(static_cast<DemonAttack*>(nullptr))) {
    visit(0, demon->*member(DemonLevelChange{}));
  } else if (auto* checkers = as(static_cast<Checkers*>(nullptr))) {
    visit(0, checkers->*member(CheckersReverse{}));
  }
}

}  // namespace

ScoreState save_score(const ale::RomSettings& game) {
  ScoreState state{};
  each_member(game,
              [&state](size_t at, const auto& value) { state[at] = static_cast<int32_t>(value); });
  return state;
}

void restore_score(ale::RomSettings& game, const ScoreState& state) {
  each_member(game, [&state](size_t at, auto& value) {
    value = static_cast<std::decay_t<decltype(value)>>(state[at]);
  });
}

}  // namespace pp::atari
