// SPDX-License-Identifier: GPL-2.0-only
// Plays the fast engine against ALE: the same actions, everything compared after each frame.
//
// Four emulators: each engine draws every frame, and beside it is one of its kind that leaves
// frames out and is now and then replaced by a saved state of the other. The fast engine that draws
// executes machine code; the sparse one interprets programs or executes their blocks, and executes
// them otherwise with each state. Compared: RAM, reward, lives, end, frame numbers, both screens
// where they were drawn. Episodes end as they do, and sometimes by a reset in the middle, with and
// without a new seed.

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
        sparse_ale_(with(options, Engine::ale)),
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
      for (Emulator* e : {&ale_, &fast_, &sparse_, &sparse_ale_}) {
        if (reseed) e->reseed(value);
        e->reset();
      }
    };
    reset(true, seed);
    std::string found = compare();
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
      // Seldom a frame is looked at that was not meant to be seen, which ALE cannot show.
      const bool seen = drawn || random() % 32 == 0;
      const int reward = ale_.act(action);
      if (fast_.act(action) != reward) found += " reward";
      if (sparse_.act(action, drawn) != reward) found += " reward of the sparse one";
      if (sparse_ale_.act(action, drawn) != reward) found += " reward of the sparse ALE";
      found += compare(seen, drawn, of_step == skip - 1);
      if (random() % 300 == 0) {
        ++translation;
        translate();
        sparse_.restore(fast_.save());
        sparse_ale_.restore(ale_.save());
        found += compare();
      }
      if (ale_.game_over() || ale_.truncated() || random() % 3000 == 0) {
        reset(random() % 2 == 0, static_cast<unsigned>(random()));
        found += compare();
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

  // Whether the sparse one of each kind shows the frame, and whether both have drawn the last two.
  std::string compare(bool seen = true, bool seen_on_ale = true, bool both = true) const {
    std::string found;
    if (std::memcmp(ale_.ram(), fast_.ram(), ram_size) != 0) found += " ram";
    if (!same(ale_.screen(), fast_.screen())) found += " screen";
    if (!same(ale_.previous_screen(), fast_.previous_screen())) found += " previous screen";
    if (!same_play(ale_, fast_)) found += " lives or end";
    return found + compare_sparse(sparse_, " of the sparse one", seen, both) +
           compare_sparse(sparse_ale_, " of the sparse ALE", seen_on_ale, both);
  }
  std::string compare_sparse(const Emulator& sparse, const char* whose, bool seen,
                             bool both) const {
    std::string found;
    if (std::memcmp(ale_.ram(), sparse.ram(), ram_size) != 0) found += " ram";
    if (seen && !same(ale_.screen(), sparse.screen())) found += " screen";
    if (both && !same(ale_.previous_screen(), sparse.previous_screen())) {
      found += " previous screen";
    }
    if (!same_play(ale_, sparse)) found += " lives or end";
    return found.empty() ? found : found + whose;
  }

  Emulator ale_, fast_, sparse_, sparse_ale_;
  size_t size_;
};

}  // namespace pp::atari

#endif  // PARALLEL_POOL_ATARI_TESTS_DIFFERENTIAL_HPP_
