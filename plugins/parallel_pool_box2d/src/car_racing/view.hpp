// What CarRacing observes: 1000 x 800 pixels around the car, drawn as Gymnasium draws them with
// pygame, and scaled to 96 x 96.
#ifndef PARALLEL_POOL_BOX2D_CAR_RACING_VIEW_HPP_
#define PARALLEL_POOL_BOX2D_CAR_RACING_VIEW_HPP_

#include <array>
#include <cstdint>

#include "car_racing/race.hpp"
#include "picture/canvas.hpp"
#include "picture/score.hpp"
#include "picture/smooth_scale.hpp"

namespace box2d::racing {

constexpr int observation_side = 96;
constexpr int film_width = 600;
constexpr int film_height = 400;

struct Colours {  // red, green, blue, 0 to 255; fractions are cut off where they are drawn
  std::array<double, 3> road{102, 102, 102};
  std::array<double, 3> field{102, 204, 102};
  std::array<double, 3> grass{102, 230, 102};
};

class View {
 public:
  // Of that size.
  View(const picture::Score& digits, int width, int height)
      : digits_(digits), scale_(frame_width, frame_height, width, height) {}
  // rgb: height * width * 3 bytes; score: what the corner says. With skid marks, where the race has
  // them.
  void draw(const Race& race, const Colours& colours, double score, uint8_t* rgb);

 private:
  static constexpr int frame_width = 1000;
  static constexpr int frame_height = 800;

  const picture::Score& digits_;
  picture::SmoothScale scale_;
};

}  // namespace box2d::racing

#endif
