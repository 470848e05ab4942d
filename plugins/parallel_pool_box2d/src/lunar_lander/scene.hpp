// A picture of a flight, as Gymnasium's LunarLander.render draws it.
#ifndef PARALLEL_POOL_BOX2D_LUNAR_LANDER_SCENE_HPP_
#define PARALLEL_POOL_BOX2D_LUNAR_LANDER_SCENE_HPP_

#include <cstdint>

#include "lunar_lander/flight.hpp"

namespace box2d::lunar {

constexpr uint32_t scene_width = 600;
constexpr uint32_t scene_height = 400;

// rgb: scene_height * scene_width * 3 bytes.
void draw_scene(const Flight& flight, uint8_t* rgb);

}  // namespace box2d::lunar

#endif
