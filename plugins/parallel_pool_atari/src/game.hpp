// SPDX-License-Identifier: GPL-2.0-only
// The data that emulators of one ROM with the same options share.
//
// The first emulator of a pool loads the ROM and finds these out; on the fast engine the others
// share them and begin where the first one got to, so that they emulate nothing while they are
// made. On ALE each emulator finds out for itself.

#ifndef PARALLEL_POOL_ATARI_GAME_HPP_
#define PARALLEL_POOL_ATARI_GAME_HPP_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "ale_private.hpp"
#include "emulator.hpp"

namespace pp::atari {

struct Game {
  int screen_height = 0;
  bool may_skip_drawing = true;  // on ALE
  Palette palette{};
  std::vector<int> minimal_actions, legal_actions, modes, difficulties;
  // Loading this ROM draws from the environment's generator, and what it draws matters.
  bool loading_draws = false;

  // Only the fast engine has these. States as Emulator::save gives them.
  ale::stella::Properties properties;  // with the television standard that ALE detected
  std::string built;                   // before the reset that belongs to loading
  std::string loaded;  // the end of loading: reset() from here is the first one of a loaded ROM
  std::string fresh;   // after that reset, if no seed changes it; empty otherwise
};

// All but the states; after loading.
void find_facts(ale::ALEInterface& ale, Game& game);

// The game of `key`, from an emulator that has it still or had it last; made by `make` otherwise.
// Emulators of one key wait for each other here, others do not.
std::shared_ptr<const Game> shared_game(const std::string& key,
                                        const std::function<std::shared_ptr<const Game>()>& make);

// Equal where games can be shared.
std::string game_key(const EmulatorOptions& options, const std::string& md5);

}  // namespace pp::atari

#endif  // PARALLEL_POOL_ATARI_GAME_HPP_
