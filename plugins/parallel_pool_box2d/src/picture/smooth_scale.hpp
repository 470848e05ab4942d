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
  // The larger one: a patch begins with each pixel of the smaller one.
  Patchwork& picture() { return picture_; }
  // rgb: new_height * new_width * 3 bytes.
  void write(uint8_t* rgb);

 private:
  using Shade = Patchwork::Shade;
  // A pixel of the result: the rest of one pixel, whole ones, and a part of the last, in 1/16384.
  struct Area {
    int first;
    int last;
    uint32_t first_weight;  // 0: the first is whole
    uint32_t last_weight;

    int first_whole() const { return first_weight == 0 ? first : first + 1; }
    Channels others(Channels everywhere) const;
    Channels last_of(Channels pixel) const;
  };
  struct Axis {
    Axis(int size, int new_size);
    // others: the sum without the last pixel.
    Channels mean(Channels others, Channels last) const;
    Channels mean(const Area& area, Channels everywhere) const;

    std::vector<Area> areas;
    uint32_t reciprocal;  // reciprocal of an area's length, in 1/65536
  };
  struct Column {
    Area area;
    size_t last_patch;  // 1: the last pixel is in the patch after its own
    size_t last_pixel;  // the last pixel of that patch
  };
  // The contributions of one colour to the mean of a row's area, and that mean where the colour is
  // everywhere.
  struct Shares {
    Channels others;
    Channels last;
    Channels mean;
  };

  static std::vector<int> cuts(const Axis& across, int width);
  void compare_rows();
  void prepare_columns();
  void remember_colours();
  void compare_patches(const Area& rows);
  Channels mean_of_area(const Area& rows, size_t column) const;
  // A row of the result in one colour.
  uint8_t* plain(Shade shade, size_t kind) {
    return &plain_[(shade * kinds_.size() + kind) * columns_.size() * 3];
  }

  Axis across_;
  Axis down_;
  Patchwork picture_;
  std::vector<const Area*> kinds_;  // rows that treat all colours the same are of one kind
  std::vector<size_t> kind_of_rows_;
  std::vector<Column> columns_;
  std::vector<Colour> masks_;       // masks of the whole pixels in each patch
  std::vector<Colour> remembered_;  // by shade, as the next two
  std::vector<Shares> shares_;
  std::vector<uint8_t> plain_;
  std::vector<Shade> shades_;  // shades of the areas in a row of them
  std::vector<Shade> differ_;  // not 0 where the rows of a patch differ
};

}  // namespace box2d::picture

#endif
