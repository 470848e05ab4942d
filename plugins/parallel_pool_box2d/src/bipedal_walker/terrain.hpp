// The ground of BipedalWalker: 200 points from left to right, and in the hardcore version blocks on
// it. As in Gymnasium's BipedalWalker._generate_terrain, draw by draw.
#ifndef PARALLEL_POOL_BOX2D_BIPEDAL_WALKER_TERRAIN_HPP_
#define PARALLEL_POOL_BOX2D_BIPEDAL_WALKER_TERRAIN_HPP_

#include <array>
#include <parallel_pool/rng.hpp>
#include <vector>

#include "engine/bodies.hpp"

namespace box2d::walker {

constexpr double scale = 30.0;  // pixels of a unit of length
constexpr double terrain_step = 14 / scale;
constexpr int terrain_length = 200;
constexpr double ground_level = 400 / scale / 4;
constexpr int start_pad = 20;
constexpr int grass_points = 10;

struct Terrain {
  using Block = std::array<Point, 4>;
  static constexpr int cloud_count = terrain_length / 20;

  std::array<Point, terrain_length> ground{};
  std::vector<Block> blocks;
  std::array<std::array<Point, 5>, cloud_count> clouds{};

  void generate(pp::Rng& rng, bool hardcore);
  // Adds the blocks and then the ground to an empty world; bodies are in the order in which
  // Gymnasium destroys them.
  void build(b2World& world, std::vector<b2Body*>& bodies) const;

 private:
  void generate_ground(pp::Rng& rng, bool hardcore);
  void generate_clouds(pp::Rng& rng);
};

}  // namespace box2d::walker

#endif
