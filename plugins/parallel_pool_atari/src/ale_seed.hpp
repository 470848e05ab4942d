// SPDX-License-Identifier: GPL-2.0-only
// Turns the seed of reset(seed=...) into the seeds of ale_py.AtariEnv's two generators, so that the
// same seed gives the same episode here (ale_py/env.py, seed_game).

#ifndef PARALLEL_POOL_ATARI_ALE_SEED_HPP_
#define PARALLEL_POOL_ATARI_ALE_SEED_HPP_

#include <cstdint>

#include "parallel_pool/rng.hpp"

namespace pp::atari {

struct AleSeed {
  AleSeed() = default;
  explicit AleSeed(uint64_t seed) : given(true) {
    uint32_t words[2];
    SeedSequence(seed).generate_state(words, 2);
    numpy = words[0];
    emulator = words[1];
  }

  bool given = false;
  uint32_t numpy = 0;     // seeds np_random: the number of no-ops, a random frameskip
  uint32_t emulator = 0;  // ALE's `random_seed`: sticky actions
};

}  // namespace pp::atari

#endif  // PARALLEL_POOL_ATARI_ALE_SEED_HPP_
