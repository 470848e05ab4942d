// SPDX-License-Identifier: GPL-2.0-only
#include "proven_games.hpp"

#include <algorithm>
#include <iterator>

namespace pp::atari {
namespace {

constexpr const char* proven[] = {
#include "proven_games.inc"  // written by CMake from python/parallel_pool_atari/games.txt
};

}  // namespace

bool is_proven(const std::string& game) {
  return std::any_of(std::begin(proven), std::end(proven),
                     [&game](const char* proven) { return game == proven; });
}

}  // namespace pp::atari
