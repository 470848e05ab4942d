// A picture of a walker, as Gymnasium's BipedalWalker.render draws it.
#ifndef PARALLEL_POOL_BOX2D_BIPEDAL_WALKER_SCENE_HPP_
#define PARALLEL_POOL_BOX2D_BIPEDAL_WALKER_SCENE_HPP_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "bipedal_walker/terrain.hpp"
#include "engine/bodies.hpp"

namespace box2d::walker {

constexpr uint32_t scene_width = 600;
constexpr uint32_t scene_height = 400;

struct Scene {
  const Terrain& terrain;
  const std::vector<b2Body*>& ground;  // bodies, as Terrain::build orders them
  const std::array<b2Body*, 4>& legs;
  const b2Body* hull;
  const std::array<Point, 10>& rays;  // their ends
  size_t step;                        // the step of the episode: films show one ray after the other

  // rgb: scene_height * scene_width * 3 bytes.
  void draw(uint8_t* rgb) const;
};

}  // namespace box2d::walker

#endif
