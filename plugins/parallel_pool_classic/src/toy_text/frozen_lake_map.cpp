#include "toy_text/frozen_lake_map.hpp"

#include <cstdlib>
#include <stdexcept>
#include <vector>

#include "parallel_pool/rng.hpp"
#include "toy_text/transitions.hpp"

namespace classic {
namespace {

// Gymnasium's maps of these names.
constexpr const char* map_4x4 =
    "SFFF\n"
    "FHFH\n"
    "FFFH\n"
    "HFFG";
constexpr const char* map_8x8 =
    "SFFFFFFF\n"
    "FFFFFFFF\n"
    "FFFHFFFF\n"
    "FFFFFHFF\n"
    "FFFHFFFF\n"
    "FHHFFFHF\n"
    "FHFFHFHF\n"
    "FFFHFFFG";

LakeMap parse(const std::string& text) {
  LakeMap map;
  size_t begin = 0;
  while (begin <= text.size()) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const auto width = static_cast<uint32_t>(end - begin);
    if (map.rows == 0) map.columns = width;
    if (width == 0 || width != map.columns) {
      throw std::invalid_argument("desc is not a map: its rows are texts of one length, but row " +
                                  std::to_string(map.rows) + " has " + std::to_string(width) +
                                  " tiles, not " +
                                  std::to_string(map.columns == 0 ? 1 : map.columns));
    }
    map.tiles += text.substr(begin, end - begin);
    ++map.rows;
    begin = end + 1;
  }
  if (static_cast<int64_t>(map.tiles.size()) > max_states) {
    throw std::invalid_argument("desc has " + std::to_string(map.tiles.size()) +
                                " tiles; a map has at most 65536");
  }
  if (map.tiles.find('S') == std::string::npos) {
    throw std::invalid_argument("desc has no tile 'S' to start from");
  }
  return map;
}

bool goal_in_reach(const LakeMap& map) {
  std::vector<uint32_t> frontier = {0};
  std::vector<bool> seen(map.tiles.size(), false);
  seen[0] = true;
  while (!frontier.empty()) {
    const uint32_t at = frontier.back();
    frontier.pop_back();
    if (map.tiles[at] == 'G') return true;
    const uint32_t column = at % map.columns;
    const uint32_t next[] = {at + map.columns, at - map.columns, column > 0 ? at - 1 : at,
                             column + 1 < map.columns ? at + 1 : at};
    for (const uint32_t to : next) {  // one above the first row wraps to a great number
      if (to >= map.tiles.size() || seen[to] || map.tiles[to] == 'H') continue;
      seen[to] = true;
      frontier.push_back(to);
    }
  }
  return false;
}

// Gymnasium's generate_random_map(size=8, p=0.8, seed=seed).
LakeMap random_map(uint64_t seed) {
  constexpr uint32_t size = 8;
  constexpr double ice = 0.8;
  const double probabilities[] = {ice, 1 - ice};
  pp::Rng rng(seed);
  LakeMap map;
  map.rows = map.columns = size;
  do {
    map.tiles.clear();
    for (const int64_t hole : rng.choice(2, size * size, true, probabilities)) {
      map.tiles += hole != 0 ? 'H' : 'F';
    }
    map.tiles.front() = 'S';
    map.tiles.back() = 'G';
  } while (!goal_in_reach(map));
  return map;
}

}  // namespace

LakeMap lake_map(const LakeMapOptions& options) {
  const int64_t size = options.size;
  if (!options.desc.empty()) return parse(options.desc);
  if (size == 4) return parse(map_4x4);
  if (size == 8) return parse(map_8x8);
  if (size != 0) {
    throw std::invalid_argument("size is " + std::to_string(size) +
                                ", but the maps with names are of 4 and 8; give desc");
  }
  if (options.map_name == MapName::small) return parse(map_4x4);
  if (options.map_name == MapName::large) return parse(map_8x8);
  return random_map(options.map_seed);
}

}  // namespace classic
