// SPDX-License-Identifier: GPL-2.0-only
// Two of our machines with the same program, which one executes as machine code and the other one,
// the twin, interprets or executes as blocks. The twin is now and then replaced by a saved state of
// the other, and goes on as it does: the same RAM, cycles, screens, and the same saved states.
//
// Resets come often, also while a frame is unfinished, which begins it anew in its middle.

#ifndef PARALLEL_POOL_ATARI_TESTS_TWINS_HPP_
#define PARALLEL_POOL_ATARI_TESTS_TWINS_HPP_

#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "saved_machine.hpp"

namespace pp::atari {

class Twins {
 public:
  // `rom` is of 4 KiB.
  Twins(const std::vector<uint8_t>& rom, unsigned seed)
      : random_(seed),
        leader_(vcs::Cartridge(vcs::Scheme::plain_4k, rom), television(seed)),
        twin_(vcs::Cartridge(vcs::Scheme::plain_4k, rom), television(seed)) {
    twin_.translate(seed % 4 < 2 ? vcs::Translation::none : vcs::Translation::blocks);
    power_on();
  }

  // The first difference in words; empty if there is none. `drawn` false: most frames are left out
  // until they are looked at.
  std::string run(int frames, bool drawn) {
    for (int frame = 0; frame < frames; ++frame) {
      if (random_() % 8 == 0) power_on();
      vcs::Pins pins;
      pins.joysticks = static_cast<uint8_t>(random_());
      pins.triggers = {random_() % 2 == 0, random_() % 2 == 0};
      leader_.run_frame(pins, drawn || frame % 4 == 3);
      twin_.run_frame(pins, drawn || random_() % 4 == 0);
      // Looking has both screens drawn, which is not to be the rule.
      const bool restored = random_() % 6 == 0;
      if (!restored && random_() % 3 != 0) continue;
      const SavedMachine saved(leader_);
      if (restored) {
        soil();
        saved.restore(twin_);
      }
      const std::string found = saved.difference(twin_);
      if (!found.empty()) {
        return "frame " + std::to_string(frame) + (restored ? ", restored: " : ": ") + found;
      }
    }
    return "";
  }

 private:
  static vcs::Television television(unsigned seed) {
    vcs::Television tv;
    if (seed % 2 == 0) return tv;
    tv.pal = true;
    tv.height = 250;
    tv.most_lines = 342;
    return tv;
  }

  void power_on() {
    const auto timer = static_cast<uint32_t>(25 + random_() % 75);
    const std::array<uint8_t, 128> no_ram{};
    leader_.power_on(timer, no_ram.data());
    twin_.power_on(timer, no_ram.data());
  }

  // Nothing that the twin showed must be left after it is restored.
  void soil() {
    std::vector<uint8_t> noise(twin_.screen_bytes());
    for (auto& pixel : noise) pixel = static_cast<uint8_t>(random_());
    twin_.set_pixels(vcs::Machine::Which::screen, noise.data());
    twin_.set_pixels(vcs::Machine::Which::previous_screen, noise.data());
  }

  std::mt19937 random_;
  vcs::Machine leader_, twin_;
};

}  // namespace pp::atari

#endif  // PARALLEL_POOL_ATARI_TESTS_TWINS_HPP_
