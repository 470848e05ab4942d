// What CarRacing observes: 1000 x 800 pixels around the car, drawn as Gymnasium draws them with
// pygame, and scaled to 96 x 96.
#ifndef PARALLEL_POOL_BOX2D_CAR_RACING_VIEW_HPP_
#define PARALLEL_POOL_BOX2D_CAR_RACING_VIEW_HPP_

#include <array>
#include <cstdint>
#include <string>

#include "car_racing/race.hpp"
#include "picture/canvas.hpp"
#include "picture/score.hpp"
#include "picture/smooth_scale.hpp"

namespace box2d::racing {

constexpr int observation_side = 96;

struct Colours {  // red, green, blue, 0 to 255; fractions are cut off where they are drawn
  std::array<double, 3> road{102, 102, 102};
  std::array<double, 3> field{102, 204, 102};
  std::array<double, 3> grass{102, 230, 102};
};

class View {
 public:
  explicit View(const std::string& score_font)
      : score_(score_font), scale_(frame_width, frame_height, observation_side, observation_side) {}
  // rgb: 96 * 96 * 3 bytes.
  void draw(const Race& race, const Colours& colours, uint8_t* rgb);

 private:
  static constexpr int frame_width = 1000;
  static constexpr int frame_height = 800;

  picture::Score score_;
  picture::SmoothScale scale_;
};

}  // namespace box2d::racing

#endif
