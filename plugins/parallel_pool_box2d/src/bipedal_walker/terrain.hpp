// The ground of BipedalWalker: 200 points from left to right, and in the hardcore version blocks on
// it. As in Gymnasium's BipedalWalker._generate_terrain, draw by draw.
#ifndef PARALLEL_POOL_BOX2D_BIPEDAL_WALKER_TERRAIN_HPP_
#define PARALLEL_POOL_BOX2D_BIPEDAL_WALKER_TERRAIN_HPP_

#include <array>
#include <parallel_pool/rng.hpp>
#include <vector>

#include "engine/bodies.hpp"

namespace box2d::walker {

constexpr double kScale = 30.0;  // pixels of a unit of length
constexpr double kStep = 14 / kScale;
constexpr int kLength = 200;
constexpr double kHeight = 400 / kScale / 4;
constexpr int kStartPad = 20;
constexpr int kGrass = 10;

struct Terrain {
  using Block = std::array<Point, 4>;
  static constexpr int kClouds = kLength / 20;

  std::array<Point, kLength> ground{};
  std::vector<Block> blocks;
  std::array<std::array<Point, 5>, kClouds> clouds{};

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
