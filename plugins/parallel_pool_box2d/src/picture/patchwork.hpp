// A picture that is mostly areas of one colour, and is to be made smaller (smooth_scale.hpp). Each
// row consists of patches, about as wide as a pixel of the smaller picture: a patch has one colour,
// or pixels where colours meet in it.
#ifndef PARALLEL_POOL_BOX2D_PICTURE_PATCHWORK_HPP_
#define PARALLEL_POOL_BOX2D_PICTURE_PATCHWORK_HPP_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "picture/canvas.hpp"

namespace box2d::picture {

class Patchwork {
 public:
  using Shade = uint8_t;                // the number of a colour
  static constexpr Shade mixed = 0xFF;  // the shade of a patch that has pixels
  static constexpr size_t most_shades = 64;
  static constexpr int block = 4;  // the memory of a patch is a multiple of that many pixels

  // cuts: the column in which each patch begins, and the width.
  Patchwork(std::vector<int> cuts, int height);
  Patchwork(const Patchwork&) = delete;

  int width() const { return width_; }
  int height() const { return height_; }
  int first_row() const { return first_row_; }
  bool has(int x, int y) const { return x >= 0 && x < width_ && y >= first_row_ && y < height_; }

  // All of it in one colour. Until the next time, spans have at most half of most_shades colours.
  void clear(Colour colour);
  // Decides whether the first row is at the bottom from now on. What has been drawn stays where it
  // is.
  void set_upside_down(bool upside_down);
  // Nothing is drawn in the rows before that one from now on: something will cover them.
  void set_first_row(int y) { first_row_ = y; }

  // Returns the colour at a point of the picture, as for set.
  Colour at(int x, int y) const {
    const Place place = places_[static_cast<size_t>(x)];
    const Shade shade = shades(y)[place.patch];
    return shade == mixed ? pixels(y, place.patch)[place.pixel] : colours_[shade];
  }
  void set(int x, int y, Colour colour) {
    const Place place = places_[static_cast<size_t>(x)];
    Shade& shade = patches(y)[place.patch];
    Colour* const here = pixels(y, place.patch);
    if (shade != mixed) {
      const Block old = block_of(colours_[shade]);
      for (size_t i = 0; i < patch_size_; i += block) std::memcpy(here + i, &old, sizeof old);
      shade = mixed;
    }
    here[place.pixel] = colour;
  }
  void put(int x, int y, Colour colour) {
    if (has(x, y) && at(x, y) != colour) set(x, y, colour);
  }
  // Both ends included, in any order.
  void span(int x1, int x2, int y, Colour colour) {
    if (y < first_row_ || y >= height_) return;
    const int left = std::max(std::min(x1, x2), 0);
    const int right = std::min(std::max(x1, x2), width_ - 1);
    if (left > right) return;
    const Shade shade = shade_of(colour);
    const size_t first = places_[static_cast<size_t>(left)].patch;
    const size_t last = places_[static_cast<size_t>(right)].patch;
    fill(y, first, left, right, shade);
    if (first == last) return;
    std::memset(patches(y) + first + 1, shade, last - first - 1);
    fill(y, last, left, right, shade);
  }

  // The number of shades, and the shades.
  size_t shade_count() const { return shade_count_; }
  Colour colour(Shade shade) const { return colours_[shade]; }
  // Returns the shades of the patches of a row.
  const Shade* shades(int y) const { return first_shades_ + y * shades_stride_; }
  // Returns the pixels of a mixed patch: patch_size() of them, of which it may need fewer.
  const Colour* pixels(int y, size_t patch) const {
    return first_pixel_ + static_cast<ptrdiff_t>(patch * patch_stride_) + y * pixels_stride_;
  }
  size_t patch_size() const { return patch_size_; }

 private:
  // Colours side by side, or columns, or masks.
  using Block = int32_t __attribute__((vector_size(block * sizeof(int32_t))));

  template <class Number>
  static Block block_of(Number number) {
    const auto each = static_cast<int32_t>(number);
    return Block{each, each, each, each};
  }

  struct Place {
    uint16_t patch;
    uint16_t pixel;  // its first pixel
  };

  Shade* patches(int y) { return first_shades_ + y * shades_stride_; }
  Colour* pixels(int y, size_t patch) {
    return first_pixel_ + static_cast<ptrdiff_t>(patch * patch_stride_) + y * pixels_stride_;
  }
  Shade shade_of(Colour colour) {
    if (colours_[latest_] != colour) find(colour);
    return latest_;
  }
  void find(Colour colour);
  // The part of a patch that is between two columns. Without branches on where that is, as they
  // would be guessed wrongly.
  void fill(int y, size_t patch, int left, int right, Shade shade) {
    Shade& there = patches(y)[patch];
    const Shade before = there;
    if (before == shade) return;
    if (left <= cuts_[patch] && right + 1 >= cuts_[patch + 1]) {
      there = shade;
      return;
    }
    there = mixed;
    const Block old = block_of(colours_[before]);
    const Block kept = block_of(before == mixed ? -1 : 0);
    const Block colour = block_of(colours_[shade]);
    Colour* const here = pixels(y, patch);
    const Block begin = block_of(left);
    const Block end = block_of(right);
    Block column = block_of(cuts_[patch]) + Block{0, 1, 2, 3};
    for (size_t i = 0; i < patch_size_; i += block, column += block_of(block)) {
      Block pixels;
      std::memcpy(&pixels, here + i, sizeof pixels);
      const Block inside = (column >= begin) & (column <= end);
      const Block outside = (pixels & kept) | (old & ~kept);
      pixels = (colour & inside) | (outside & ~inside);
      std::memcpy(here + i, &pixels, sizeof pixels);
    }
  }

  std::vector<int> cuts_;
  int width_;
  int height_;
  int first_row_ = 0;
  size_t patch_size_ = 0;
  std::vector<Place> places_;                // places of the columns
  std::vector<Colour> pixels_;               // patch by patch, and row by row in each
  std::vector<Shade> all_shades_;            // row by row
  std::array<Colour, mixed + 1> colours_{};  // by shade
  size_t shade_count_ = 1;
  Shade latest_ = 0;
  Colour* first_pixel_ = nullptr;
  size_t patch_stride_ = 0;
  ptrdiff_t pixels_stride_ = 0;
  Shade* first_shades_ = nullptr;
  ptrdiff_t shades_stride_ = 0;
};

}  // namespace box2d::picture

#endif
