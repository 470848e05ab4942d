// pygame.transform.smoothscale of a larger picture to a smaller one: the mean over areas, first
// along rows and then along columns, rounded down in between, with weights of 14 bits as on x86-64
// (its plain C code has 16 and differs).
#ifndef PARALLEL_POOL_BOX2D_PICTURE_SMOOTH_SCALE_HPP_
#define PARALLEL_POOL_BOX2D_PICTURE_SMOOTH_SCALE_HPP_

#include <cstdint>
#include <vector>

#include "picture/canvas.hpp"

namespace box2d::picture {

class SmoothScale {
 public:
  // Smaller in both directions, and to at most 1/128 of them.
  SmoothScale(int width, int height, int new_width, int new_height);
  // pixels: height rows of width; rgb: new_height * new_width * 3 bytes. Uses scratch memory of the
  // object.
  void operator()(const Colour* pixels, uint8_t* rgb);

 private:
  // A pixel of the result: the rest of one pixel, whole ones, and a part of the last, in 1/16384.
  struct Area {
    int first;
    int last;
    uint32_t first_weight;  // 0: the first is whole
    uint32_t last_weight;
  };
  struct Axis {
    std::vector<Area> areas;
    uint32_t reciprocal;  // of an area's length, in 1/65536
  };
  static Axis axis(int size, int new_size);
  void shrink_row(const Colour* row, uint16_t* out) const;

  int width_;
  int new_width_;
  Axis across_;
  Axis down_;
  std::vector<uint16_t> row_;  // blue, green, red and nothing for each pixel
  std::vector<uint16_t> sums_;
};

}  // namespace box2d::picture

#endif
