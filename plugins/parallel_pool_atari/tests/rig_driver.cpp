// SPDX-License-Identifier: GPL-2.0-only
// The rig behind C functions, for the tests that load this library with ctypes.

#include <array>
#include <cstdint>
#include <exception>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "code_at_once.hpp"
#include "rig.hpp"
#include "twins.hpp"

#define API extern "C" __attribute__((visibility("default")))

namespace {

std::string answer;

std::vector<uint8_t> bytes_of(const char* rom) {
  std::ifstream file(rom, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

// The first difference between the machines in `frames` frames of any ROM; empty if there is none.
API const char* compare_machines(const char* rom, int frames, unsigned seed, int drawn) {
  try {
    answer = pp::atari::Rig(bytes_of(rom)).run(frames, seed, drawn != 0);
  } catch (const std::exception& e) {
    answer = e.what();
  }
  return answer.c_str();
}

// The first difference between a machine of ours and one that is restored from its saved states;
// empty if there is none. `rom` is of 4 KiB.
API const char* compare_twins(const char* rom, int frames, unsigned seed, int drawn) {
  try {
    answer = pp::atari::Twins(bytes_of(rom), seed).run(frames, drawn != 0);
  } catch (const std::exception& e) {
    answer = e.what();
  }
  return answer.c_str();
}

// Draws random layers with every instruction set that this processor has. Which one differs from
// the scalar code, as a number of tia::InstructionSet; -1: none. `sets` is how many were compared.
API int compare_painters(unsigned seed, int rounds, int* sets) {
  namespace tia = pp::atari::vcs::tia;
  constexpr tia::InstructionSet wider[] = {tia::InstructionSet::avx2, tia::InstructionSet::avx512};
  std::mt19937 random(seed);
  *sets = 0;
  for (const auto set : wider) *sets += tia::available(set);
  for (int round = 0; round < rounds; ++round) {
    tia::Layers layers;
    std::array<pp::atari::vcs::LineMask, 5> masks;
    layers.background = static_cast<uint8_t>(random());
    for (size_t left = random() % 6; left > 0; --left) {
      pp::atari::vcs::LineMask& mask = masks[left - 1];
      for (auto& word : mask) word = random() | uint64_t{random()} << 32;
      layers.add(mask, static_cast<uint8_t>(random()));
    }
    const int from = static_cast<int>(random() % 160);
    const int to = from + 1 + static_cast<int>(random() % static_cast<unsigned>(160 - from));
    std::array<uint8_t, 160> before;
    for (auto& pixel : before) pixel = static_cast<uint8_t>(random());
    auto wanted = before;
    tia::painter(tia::InstructionSet::scalar)(layers, from, to, wanted.data());
    for (const auto set : wider) {
      if (!tia::available(set)) continue;
      auto got = before;
      tia::painter(set)(layers, from, to, got.data());
      if (got != wanted) return static_cast<int>(set);
    }
  }
  return -1;
}
