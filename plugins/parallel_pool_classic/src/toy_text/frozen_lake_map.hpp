// Maps of FrozenLake: the two with names, random ones, and those that a user writes.
#ifndef PARALLEL_POOL_CLASSIC_TOY_TEXT_FROZEN_LAKE_MAP_HPP_
#define PARALLEL_POOL_CLASSIC_TOY_TEXT_FROZEN_LAKE_MAP_HPP_

#include <cstdint>
#include <string>

#include "parallel_pool/env.hpp"

namespace classic {

struct LakeMap {
  uint32_t rows = 0;
  uint32_t columns = 0;
  std::string tiles;  // row by row: S start, G goal, H hole; anything else is ice

  char tile(uint32_t row, uint32_t column) const { return tiles[row * columns + column]; }
};

// The options of FrozenLake that say which map.
enum class MapName { small, large, random };
struct LakeMapOptions {
  std::string desc;
  MapName map_name;
  uint32_t map_seed;
  int64_t size;
};

// The map that these options name. Throws std::invalid_argument where there is none.
LakeMap lake_map(const LakeMapOptions& options);

}  // namespace classic
#endif  // PARALLEL_POOL_CLASSIC_TOY_TEXT_FROZEN_LAKE_MAP_HPP_
