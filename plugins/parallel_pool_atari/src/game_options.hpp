// SPDX-License-Identifier: GPL-2.0-only
// Options that the environments of this plugin share.

#ifndef PARALLEL_POOL_ATARI_GAME_OPTIONS_HPP_
#define PARALLEL_POOL_ATARI_GAME_OPTIONS_HPP_

#include <stdexcept>
#include <string>
#include <vector>

#include "emulator.hpp"
#include "parallel_pool/env.hpp"

namespace pp::atari {

inline constexpr double max_frames = 2147483647.0;

// The names are EnvPool's and ale-py's. Two options have another default or meaning in each
// environment, which declares them itself.
struct GameOptions {
  std::string game;
  std::string rom_path;
  int mode;
  int difficulty;
  bool full_action_space;
  Engine engine;
  vcs::Translation translation;
  float repeat_action_probability;
  int max_num_frames_per_episode;

  static constexpr auto which_game = pp::options(
      option(&GameOptions::game, "game", "", "name of a ROM of ale-py, such as 'space_invaders'"),
      option(&GameOptions::rom_path, "rom_path", "", "path of the ROM; empty: the ROM of game")
          .local());
  static constexpr auto which_mode =
      pp::options(option(&GameOptions::mode, "mode", -1, "mode of the game; -1: the game's default",
                         Range{-1, 255}),
                  option(&GameOptions::difficulty, "difficulty", -1,
                         "difficulty of the game; -1: the game's default", Range{-1, 255}));
  static constexpr auto which_actions =
      option(&GameOptions::full_action_space, "full_action_space", false,
             "all 18 actions instead of those that the game uses");
  static constexpr auto which_engine = pp::options(
      option(&GameOptions::engine, "engine", Engine::automatic,
             "emulator, with equal results: fast (our own), ale (ALE's), auto (our own where it is "
             "proven equal to ALE's)",
             {{"auto", Engine::automatic}, {"fast", Engine::fast}, {"ale", Engine::ale}})
          .local(),
      option(&GameOptions::translation, "translation", vcs::Translation::machine_code,
             "how our own emulator executes a game, with equal results: auto (machine code where "
             "the system lets a process make it, blocks elsewhere), blocks (portable), none "
             "(interpreted)",
             {{"auto", vcs::Translation::machine_code},
              {"blocks", vcs::Translation::blocks},
              {"none", vcs::Translation::none}})
          .local());
  static constexpr auto sticky_actions = option(
      &GameOptions::repeat_action_probability, "repeat_action_probability", 0.0,
      "probability per frame that the previous action is repeated (sticky actions)", Range{0, 1});
  static constexpr auto frame_limit = option(
      &GameOptions::max_num_frames_per_episode, "max_num_frames_per_episode", 0,
      "number of frames after which an episode is truncated; 0: no limit", Range{0, max_frames});
};

inline EmulatorOptions emulator_options(const GameOptions& options) {
  if (options.rom_path.empty()) throw std::invalid_argument("the option rom_path is not set");
  EmulatorOptions out;
  out.rom_path = options.rom_path;
  out.repeat_action_probability = options.repeat_action_probability;
  out.max_frames = options.max_num_frames_per_episode;
  out.mode = options.mode;
  out.difficulty = options.difficulty;
  out.engine = options.engine;
  out.translation = options.translation;
  return out;
}

inline const std::vector<int>& action_set(const Emulator& emulator, const GameOptions& options) {
  return options.full_action_space ? emulator.legal_actions() : emulator.minimal_actions();
}

}  // namespace pp::atari

#endif  // PARALLEL_POOL_ATARI_GAME_OPTIONS_HPP_
