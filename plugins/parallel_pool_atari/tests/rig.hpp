// SPDX-License-Identifier: GPL-2.0-only
// Runs any ROM on ALE's console and on three of ours, which execute the program as machine code, as
// blocks, and interpreted, without a game around it: for programs that the tests write, which ALE
// does not list. They look at ports without meaning anything by it, so any key is pressed anytime.
//
// Compared after each frame: RAM, the cycle the frame ended in, both screens.

#ifndef PARALLEL_POOL_ATARI_TESTS_RIG_HPP_
#define PARALLEL_POOL_ATARI_TESTS_RIG_HPP_

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "ale/ale_interface.hpp"
#include "ale/emucore/Event.hxx"
#include "fast_console.hpp"
#include "rom.hpp"

namespace pp::atari {

class Rig {
 public:
  explicit Rig(const std::vector<uint8_t>& rom) {
    ale::Logger::setMode(ale::Logger::Error);
    for (ale::ALEInterface* each : all()) insert_cartridge(*each, rom);
    for (Ours& each : ours_) {
      each.console = FastConsole::install(each.ale);
      each.console->machine().translate(each.translation);
    }
    for (ale::ALEInterface* each : all()) system(*each).reset();
  }

  // The first difference in words; empty if there is none. `drawn` 0: our frames are drawn every
  // fourth time only, and compared then.
  std::string run(int frames, unsigned seed, bool drawn) {
    std::mt19937 random(seed);
    for (int frame = 0; frame < frames; ++frame) {
      for (const Key::Type key : keys) {
        const int value = random() % 4 == 0;
        for (ale::ALEInterface* each : all()) each->theOSystem->event()->set(key, value);
      }
      const unsigned fate = random();
      if (fate % 64 == 0) {
        // Sometimes twice, which is not the same: the second time takes other random numbers.
        for (unsigned times = 1 + fate / 64 % 2; times > 0; --times) {
          for (ale::ALEInterface* each : all()) system(*each).reset();
        }
      }
      const bool shown = drawn || frame % 4 == 3;
      for (Ours& each : ours_) each.console->draw(shown);
      for (ale::ALEInterface* each : all()) source(*each).update();
      for (Ours& each : ours_) {
        const std::string found = difference(each, shown);
        if (found.empty()) continue;
        return "frame " + std::to_string(frame) + ", " + each.name + ":" + found;
      }
    }
    return "";
  }

 private:
  using Key = ale::stella::Event;
  static constexpr Key::Type keys[] = {
      Key::JoystickZeroUp,   Key::JoystickZeroDown, Key::JoystickZeroLeft, Key::JoystickZeroRight,
      Key::JoystickZeroFire, Key::JoystickOneUp,    Key::JoystickOneDown,  Key::JoystickOneLeft,
      Key::JoystickOneRight, Key::JoystickOneFire,  Key::ConsoleSelect,    Key::ConsoleReset};

  static ale::stella::Console& console(ale::ALEInterface& ale) { return ale.theOSystem->console(); }
  static ale::stella::System& system(ale::ALEInterface& ale) { return console(ale).system(); }
  static ale::stella::MediaSource& source(ale::ALEInterface& ale) {
    return console(ale).mediaSource();
  }

  struct Ours {
    const char* name;
    vcs::Translation translation;
    ale::ALEInterface ale{};
    FastConsole* console = nullptr;
  };

  std::array<ale::ALEInterface*, 4> all() {
    return {&ale_, &ours_[0].ale, &ours_[1].ale, &ours_[2].ale};
  }

  // Between ALE's console and one of ours, in words.
  std::string difference(Ours& one, bool shown) {
    ale::ALEInterface& ours = one.ale;
    FastConsole& console = *one.console;
    std::ostringstream found;
    for (uint16_t i = 0; i < 128; ++i) {
      const int wanted = system(ale_).peek(0x80 + i), got = system(ours).peek(0x80 + i);
      if (wanted != got) found << " ram[" << i << "] " << got << " not " << wanted;
    }
    const auto cycles = console.machine().state().cpu.cycles;
    if (cycles != system(ale_).cycles()) {
      found << " cycles " << cycles << " not " << system(ale_).cycles();
    }
    if (shown) {
      const uint8_t* wanted = source(ale_).currentFrameBuffer();
      const uint8_t* got = source(ours).currentFrameBuffer();
      const size_t size = size_t{160} * source(ale_).height();
      for (size_t i = 0; i < size; ++i) {
        if (wanted[i] == got[i]) continue;
        found << " pixel " << i % 160 << " of line " << i / 160 << ": " << int{got[i]} << " not "
              << int{wanted[i]};
        break;
      }
    }
    return found.str();
  }

  ale::ALEInterface ale_;
  std::array<Ours, 3> ours_{{{"machine code", vcs::Translation::machine_code},
                             {"blocks", vcs::Translation::blocks},
                             {"interpreted", vcs::Translation::none}}};
};

}  // namespace pp::atari

#endif  // PARALLEL_POOL_ATARI_TESTS_RIG_HPP_
