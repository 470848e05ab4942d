// The picture that CarRacing observes: 1000 x 800 pixels around the car, drawn as Gymnasium draws
// them with pygame, and scaled to 96 x 96.
#ifndef PARALLEL_POOL_BOX2D_CAR_RACING_VIEW_HPP_
#define PARALLEL_POOL_BOX2D_CAR_RACING_VIEW_HPP_

#include <array>
#include <cstdint>

#include "car_racing/race.hpp"
#include "picture/score.hpp"

namespace box2d::racing {

constexpr int observation_side = 96;
constexpr int film_width = 600;
constexpr int film_height = 400;

struct Colours {  // red, green, blue, 0 to 255; fractions are cut off where they are drawn
  std::array<double, 3> road{102, 102, 102};
  std::array<double, 3> field{102, 204, 102};
  std::array<double, 3> grass{102, 230, 102};
};

// rgb: Height * Width * 3 bytes, of the observation or of a film; score: what the corner says. With
// skid marks, where the race has them.
template <int Width, int Height>
void draw_view(const Race& race, const Colours& colours, const picture::Score& digits, double score,
               uint8_t* rgb);

}  // namespace box2d::racing

#endif
