// What Emulator holds: an ALE with one ROM. For emulator.cpp and emulator_state.cpp only.

#ifndef PARALLEL_POOL_ATARI_EMULATOR_IMPL_HPP_
#define PARALLEL_POOL_ATARI_EMULATOR_IMPL_HPP_

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "ale_private.hpp"
#include "emulator.hpp"
#include "fast_console.hpp"

namespace pp::atari {

struct Emulator::Impl {
  explicit Impl(const EmulatorOptions& from) : options(from) {}

  EmulatorOptions options;
  ale::ALEInterface ale;
  ale::stella::TIA* tia = nullptr;
  bool is_fast = false;
  FastConsole* fast = nullptr;  // ALE's to delete; null if ALE emulates
  bool* fast_update = nullptr;
  // Loading this ROM draws from the environment's generator, and what it draws matters.
  bool loading_draws = false;
  bool may_skip_drawing = true;
  int screen_height = 0;
  bool previous_kept = false;  // `previous` is the screen before; otherwise TIA has it
  std::vector<std::uint8_t> previous;
  Palette palette{};
  std::vector<int> minimal_actions, legal_actions, modes, difficulties;
  // The machine as loadROM left it. reset() from here is the first reset of a loaded ROM.
  ale::ALEState loaded;
  vcs::MachineState loaded_machine{};  // of the fast engine
  bool as_loaded = true;

  void load(std::uint32_t seed);
  std::string save_fast() const;
  void restore_fast(const std::string& state);
  bool unfinished() const;  // the frame shown last goes on
  ale::stella::MediaSource& source() const { return ale.theOSystem->console().mediaSource(); }
  void choose() {
    if (options.mode != -1) ale.setMode(static_cast<unsigned>(options.mode));
    if (options.difficulty != -1) ale.setDifficulty(static_cast<unsigned>(options.difficulty));
  }
  ale::stella::System& system() const { return ale.theOSystem->console().system(); }
  std::array<char, 32> rom_md5() const {
    std::array<char, 32> md5{};
    std::string(ale.romSettings->md5()).copy(md5.data(), md5.size());
    return md5;
  }
};

}  // namespace pp::atari

#endif  // PARALLEL_POOL_ATARI_EMULATOR_IMPL_HPP_
