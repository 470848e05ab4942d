// Options that the environments of this plugin share.

#ifndef PARALLEL_POOL_ATARI_OPTION_READER_HPP_
#define PARALLEL_POOL_ATARI_OPTION_READER_HPP_

#include <stdexcept>
#include <string>
#include <vector>

#include "emulator.hpp"
#include "parallel_pool/env.hpp"

namespace pp::atari {

inline constexpr double kMaxFrames = 2147483647.0;

// Declarations to repeat in each environment's table; the names are EnvPool's and ale-py's.
inline constexpr pp_option kGame = text_option(
    "game", "", "name of the game's ROM in ale-py, such as 'space_invaders'; finds rom_path");
inline constexpr pp_option kRomPath = text_option("rom_path", "", "file of the ROM");
inline constexpr pp_option kMode =
    option("mode", -1, "game mode, one of the game's own; -1: its default", Range{-1, 255});
inline constexpr pp_option kDifficulty =
    option("difficulty", -1, "difficulty, one of the game's own; -1: its default", Range{-1, 255});
inline constexpr pp_option kFullActionSpace =
    option("full_action_space", false, "all 18 actions instead of those that the game uses");

inline constexpr const char* kEngines[] = {"auto", "fast", "ale"};
inline constexpr pp_option kEngine = text_option(
    "engine", "auto",
    "who emulates, to the same result: our own machine (fast), ALE's (ale), or ours where "
    "it was shown to equal ALE (auto)",
    kEngines);

inline EmulatorOptions emulator_options(const Options& options) {
  EmulatorOptions out;
  out.rom_path = options.text("rom_path");
  if (out.rom_path.empty()) throw std::invalid_argument("the option rom_path is not set");
  out.repeat_action_probability = static_cast<float>(options.real("repeat_action_probability"));
  out.max_frames = static_cast<int>(options.integer("max_num_frames_per_episode"));
  out.mode = static_cast<int>(options.integer("mode"));
  out.difficulty = static_cast<int>(options.integer("difficulty"));
  const std::string engine = options.text("engine");
  out.engine = engine == "fast" ? Engine::kFast : engine == "ale" ? Engine::kAle : Engine::kAuto;
  return out;
}

inline const std::vector<int>& action_set(const Emulator& emulator, const Options& options) {
  return options.flag("full_action_space") ? emulator.legal_actions() : emulator.minimal_actions();
}

}  // namespace pp::atari

#endif  // PARALLEL_POOL_ATARI_OPTION_READER_HPP_
