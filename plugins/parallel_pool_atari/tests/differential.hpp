// SPDX-License-Identifier: GPL-2.0-only
// Plays the fast engine against ALE: the same actions, everything compared after each frame.
//
// Three emulators: ALE; the fast engine, drawing every frame; the fast engine, leaving frames out
// and now and then replaced by a saved state of the second. The second one executes machine code;
// the third interprets programs or executes their blocks, and executes them otherwise with each
// state. Compared: RAM, reward, lives, end, frame numbers, both screens where they were drawn.
// Episodes end as they do, and sometimes by a reset in the middle, with and without a new seed.

#ifndef PARALLEL_POOL_ATARI_TESTS_DIFFERENTIAL_HPP_
#define PARALLEL_POOL_ATARI_TESTS_DIFFERENTIAL_HPP_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <sstream>
#include <string>

#include "emulator.hpp"

namespace pp::atari {

class Differential {
 public:
  explicit Differential(const EmulatorOptions& options)
      : ale_(with(options, Engine::ale)),
        fast_(with(options, Engine::fast)),
        sparse_(with(options, Engine::fast)),
        size_(static_cast<size_t>(ale_.screen_height()) * screen_width) {}

  const Emulator& ale() const { return ale_; }

  // The first difference in words; empty if there is none.
  std::string play(int frames, unsigned seed) {
    std::mt19937 random(seed);
    unsigned translation = seed % 2;  // interpreted, or blocks
    const auto translate = [&] {
      sparse_.translate(static_cast<vcs::Translation>(translation % 3));
    };
    translate();
    const auto reset = [&](bool reseed, unsigned value) {
      for (Emulator* e : {&ale_, &fast_, &sparse_}) {
        if (reseed) e->reseed(value);
        e->reset();
      }
    };
    reset(true, seed);
    std::string found = compare(true);
    int action = 0;
    int skip = 4;
    for (int frame = 0, of_step = 0; frame < frames && found.empty(); ++frame, ++of_step) {
      if (of_step == skip) of_step = 0;
      if (of_step == 0) {
        // Mostly what the game reads, sometimes what it does not.
        const auto& from = random() % 8 == 0 ? ale_.legal_actions() : ale_.minimal_actions();
        action = from[random() % from.size()];
        if (random() % 50 == 0) skip = 1 + static_cast<int>(random() % 8);
      }
      const bool drawn = of_step >= skip - 2;
      // Seldom a frame is looked at that was not meant to be seen.
      const bool seen = drawn || random() % 32 == 0;
      const int reward = ale_.act(action);
      const int fast_reward = fast_.act(action);
      const int sparse_reward = sparse_.act(action, drawn);
      found = compare(seen);
      if (reward != fast_reward) found += " reward";
      if (reward != sparse_reward) found += " reward of the sparse one";
      if (random() % 300 == 0) {
        ++translation;
        translate();
        sparse_.restore(fast_.save());
        found += compare(true);
      }
      if (ale_.game_over() || ale_.truncated() || random() % 3000 == 0) {
        reset(random() % 2 == 0, static_cast<unsigned>(random()));
        found += compare(true);
      }
      if (!found.empty()) {
        std::ostringstream where;
        where << "frame " << frame << ":" << found;
        found = where.str();
      }
    }
    return found;
  }

 private:
  static EmulatorOptions with(EmulatorOptions options, Engine engine) {
    options.engine = engine;
    return options;
  }
  static bool same_play(const Emulator& a, const Emulator& b) {
    return a.lives() == b.lives() && a.game_over() == b.game_over() &&
           a.truncated() == b.truncated() && a.frame_number() == b.frame_number() &&
           a.episode_frame_number() == b.episode_frame_number();
  }
  bool same(const uint8_t* a, const uint8_t* b) const { return std::memcmp(a, b, size_) == 0; }

  std::string compare(bool seen) const {
    std::string found;
    if (std::memcmp(ale_.ram(), fast_.ram(), ram_size) != 0) found += " ram";
    if (!same(ale_.screen(), fast_.screen())) found += " screen";
    if (!same(ale_.previous_screen(), fast_.previous_screen())) found += " previous screen";
    if (!same_play(ale_, fast_)) found += " lives or end";
    if (std::memcmp(ale_.ram(), sparse_.ram(), ram_size) != 0) found += " ram of the sparse one";
    if (seen && !same(ale_.screen(), sparse_.screen())) found += " screen of the sparse one";
    if (!same_play(ale_, sparse_)) found += " lives or end of the sparse one";
    return found;
  }

  Emulator ale_, fast_, sparse_;
  size_t size_;
};

}  // namespace pp::atari

#endif  // PARALLEL_POOL_ATARI_TESTS_DIFFERENTIAL_HPP_
