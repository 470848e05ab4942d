// SPDX-License-Identifier: GPL-2.0-only
// The state of ALE's random numbers, of which ale_random.cpp is the implementation here.

#ifndef PARALLEL_POOL_ATARI_ALE_RANDOM_HPP_
#define PARALLEL_POOL_ATARI_ALE_RANDOM_HPP_

#include "ale/emucore/Random.hxx"
#include "parallel_pool/rng/mt19937.hpp"

namespace pp::atari {

// To read, copy and replace. Owned by `random`.
Mt19937& state_of(const ale::stella::Random& random);

}  // namespace pp::atari

#endif  // PARALLEL_POOL_ATARI_ALE_RANDOM_HPP_
