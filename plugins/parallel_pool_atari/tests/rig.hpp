// Runs any ROM on ALE's console and on ours, without a game around it: for programs that the tests
// write, which ALE does not list, and for players and keys that ALE's games leave alone.
//
// Compared after each frame: RAM, the cycle the frame ended in, both screens.

#ifndef PARALLEL_POOL_ATARI_TESTS_RIG_HPP_
#define PARALLEL_POOL_ATARI_TESTS_RIG_HPP_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "ale/ale_interface.hpp"
#include "fast_console.hpp"
#include "hands.hpp"
#include "rom.hpp"

namespace pp::atari {

class Rig {
 public:
  explicit Rig(const std::vector<uint8_t>& rom) {
    ale::Logger::setMode(ale::Logger::Error);
    for (ale::ALEInterface* each : {&ale_, &fast_}) insert_cartridge(*each, rom);
    ours_ = FastConsole::install(fast_);
    system(ale_).reset();
    system(fast_).reset();
  }

  FastConsole& ours() { return *ours_; }

  // The first difference in words; empty if there is none. `drawn` 0: our frames are drawn every
  // fourth time only, and compared then.
  std::string run(int frames, unsigned seed, bool drawn, Hands& hands) {
    std::mt19937 random(seed);
    const size_t size = size_t{160} * source(ale_).height();
    for (int frame = 0; frame < frames; ++frame) {
      hands.move(random, [this](ale::stella::Event::Type key, int value) {
        for (ale::ALEInterface* each : {&ale_, &fast_}) each->theOSystem->event()->set(key, value);
      });
      const unsigned fate = random();
      if (fate % hands.power_cycle_every() == 0) {
        // Sometimes twice, which is not the same: the second time takes other random numbers.
        for (unsigned times = 1 + fate / hands.power_cycle_every() % 2; times > 0; --times) {
          system(ale_).reset();
          system(fast_).reset();
        }
      }
      const bool shown = drawn || frame % 4 == 3;
      ours_->draw(shown);
      source(ale_).update();
      source(fast_).update();
      std::ostringstream found;
      for (uint16_t i = 0; i < 128; ++i) {
        const int wanted = system(ale_).peek(0x80 + i), got = system(fast_).peek(0x80 + i);
        if (wanted != got) found << " ram[" << i << "] " << got << " not " << wanted;
      }
      const auto cycles = ours_->machine().state().cpu.cycles;
      if (cycles != system(ale_).cycles()) {
        found << " cycles " << cycles << " not " << system(ale_).cycles();
      }
      if (shown) {
        const uint8_t* wanted = source(ale_).currentFrameBuffer();
        const uint8_t* got = source(fast_).currentFrameBuffer();
        for (size_t i = 0; i < size; ++i) {
          if (wanted[i] == got[i]) continue;
          found << " pixel " << i % 160 << " of line " << i / 160 << ": " << int{got[i]} << " not "
                << int{wanted[i]};
          break;
        }
      }
      if (!found.str().empty()) return "frame " + std::to_string(frame) + ":" + found.str();
    }
    return "";
  }

 private:
  static ale::stella::Console& console(ale::ALEInterface& ale) { return ale.theOSystem->console(); }
  static ale::stella::System& system(ale::ALEInterface& ale) { return console(ale).system(); }
  static ale::stella::MediaSource& source(ale::ALEInterface& ale) {
    return console(ale).mediaSource();
  }

  ale::ALEInterface ale_, fast_;
  FastConsole* ours_;
};

}  // namespace pp::atari

#endif  // PARALLEL_POOL_ATARI_TESTS_RIG_HPP_
