// SPDX-License-Identifier: GPL-2.0-only
// The content of an Emulator: an ALE with one ROM. For the files emulator*.cpp only.

#ifndef PARALLEL_POOL_ATARI_EMULATOR_IMPL_HPP_
#define PARALLEL_POOL_ATARI_EMULATOR_IMPL_HPP_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ale_private.hpp"
#include "emulator.hpp"
#include "fast_console.hpp"
#include "game.hpp"
#include "rom.hpp"

namespace pp::atari {

struct Emulator::Impl {
  // A screen that was remembered, as what draws it or as its pixels.
  struct KeptScreen {
    bool as_picture = false;
    vcs::Picture picture;
    std::vector<uint8_t> pixels;
  };

  Impl(const EmulatorOptions& from, Rom file, bool fast_engine)
      : options(from), is_fast(fast_engine), rom(std::move(file)) {}

  EmulatorOptions options;
  bool is_fast;
  Rom rom;  // without its bytes once our own machine has them
  std::shared_ptr<const Game> game;
  ale::ALEInterface ale;
  ale::stella::TIA* tia = nullptr;
  FastConsole* fast = nullptr;  // ALE's to delete; null if ALE emulates
  bool* fast_update = nullptr;
  bool previous_kept = false;  // `previous` is the screen before; otherwise TIA has it
  std::vector<uint8_t> previous;
  std::array<KeptScreen, 2> kept;
  ale::ALEState loaded;  // if ALE emulates: the machine as loadROM left it
  bool as_loaded = true;

  // emulator_loading.cpp
  void load_on_ale(uint32_t seed);
  std::shared_ptr<const Game> load_on_fast();
  void build_console(const ale::stella::Properties* known);
  void build_on_fast(const ale::stella::Properties* known);
  void choose();

  // emulator_state*.cpp
  std::string save_fast() const;
  void restore_fast(const std::string& state);
  // Throws std::invalid_argument for numbers that no play of this game leads to, in a state that
  // may be made up. restore_fast() finds what reaches memory.
  void check_play(const std::string& state) const;

  bool unfinished() const;  // the frame shown last goes on
  size_t screen_bytes() const { return static_cast<size_t>(game->screen_height) * screen_width; }
  ale::stella::MediaSource& source() const { return ale.theOSystem->console().mediaSource(); }
  ale::stella::System& system() const { return ale.theOSystem->console().system(); }
  std::array<char, 32> rom_md5() const {
    std::array<char, 32> md5{};
    rom.md5.copy(md5.data(), md5.size());
    return md5;
  }
};

}  // namespace pp::atari

#endif  // PARALLEL_POOL_ATARI_EMULATOR_IMPL_HPP_
