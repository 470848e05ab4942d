// pygame.transform.smoothscale of a larger picture to a smaller one: the mean over areas, first
// along rows and then along columns, rounded down in between, with weights of 14 bits as on x86-64
// (its plain C code has 16 and differs). Where an area has one colour, the result is looked up.
#ifndef PARALLEL_POOL_BOX2D_PICTURE_SMOOTH_SCALE_HPP_
#define PARALLEL_POOL_BOX2D_PICTURE_SMOOTH_SCALE_HPP_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "picture/channels.hpp"
#include "picture/patchwork.hpp"

namespace box2d::picture {

class SmoothScale {
 public:
  // Smaller in both directions, and to at most 1/128 of them.
  SmoothScale(int width, int height, int new_width, int new_height);
  // Of the pictures to be made smaller: a patch begins with each pixel of the result.
  std::vector<int> cuts() const;
  // rgb: new_height * new_width * 3 bytes.
  void operator()(const Patchwork& picture, uint8_t* rgb);

 private:
  using Shade = Patchwork::Shade;
  // A pixel of the result: the rest of one pixel, whole ones, and a part of the last, in 1/16384.
  struct Area {
    int first;
    int last;
    uint32_t first_weight;  // 0: the first is whole
    uint32_t last_weight;
  };
  class Axis {
   public:
    Axis(int size, int new_size);
    // The share of the last pixel of an area.
    static Channels last(const Area& area, Channels pixel);
    // That of the other pixels: of(i) is one, sum(first, end) that of several.
    template <class Of, class Sum>
    static Channels others(const Area& area, Of of, Sum sum);
    static Channels others(const Area& area, Channels everywhere);
    Channels mean(Channels others, Channels last) const {
      return (others += last) * reciprocal_ >> 16;
    }
    Channels mean(const Area& area, Channels everywhere) const;

    std::vector<Area> areas;

   private:
    uint32_t reciprocal_;  // of an area's length, in 1/65536
  };
  // What becomes of one colour, in each column.
  struct Plain {
    Colour colour;
    std::vector<Channels> others;           // Axis::others
    std::vector<Channels> row;              // of one row
    std::vector<std::vector<uint8_t>> rgb;  // of an area, by the kind of its rows
  };

  void remember(const Patchwork& picture);
  void compare(const Patchwork& picture, const Area& rows);
  Channels mean_of_row(const Patchwork& picture, int y, size_t column) const;
  Channels mean_of_area(const Patchwork& picture, const Area& rows, size_t column) const;

  int width_;
  Axis across_;
  Axis down_;
  std::vector<size_t> kind_of_rows_;
  std::vector<const Area*> kinds_;
  std::vector<Plain> plain_;
  std::vector<Shade> shades_;  // of the areas in a row of them
  std::vector<Shade> differ_;
};

}  // namespace box2d::picture

#endif
