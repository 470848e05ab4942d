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
  static constexpr Shade mixed = 0xFF;  // of a patch that has pixels
  static constexpr size_t most_shades = 64;

  // cuts: the column in which each patch begins, and the width.
  Patchwork(std::vector<int> cuts, int height);
  Patchwork(const Patchwork&) = delete;

  int width() const { return width_; }
  int height() const { return height_; }
  bool has(int x, int y) const { return x >= 0 && x < width_ && y >= 0 && y < height_; }

  // All of it in one colour. Until the next time, spans have at most half of most_shades colours.
  void clear(Colour colour);
  // Whether the first row is at the bottom from now on. What has been drawn stays where it is.
  void set_upside_down(bool upside_down);

  Colour at(int x, int y) const {
    const size_t patch = patch_of_[static_cast<size_t>(x)];
    const Shade shade = shades(y)[patch];
    return shade == mixed ? row(y)[x] : colours_[shade];
  }
  void set(int x, int y, Colour colour) {
    const size_t patch = patch_of_[static_cast<size_t>(x)];
    unfold(y, patch);
    pixels(y)[x] = colour;
  }
  void put(int x, int y, Colour colour) {
    if (has(x, y) && at(x, y) != colour) set(x, y, colour);
  }
  // Both ends included, in any order.
  void span(int x1, int x2, int y, Colour colour) {
    if (y < 0 || y >= height_) return;
    const int left = std::max(std::min(x1, x2), 0);
    const int end = std::min(std::max(x1, x2), width_ - 1) + 1;
    if (left >= end) return;
    const Shade shade = shade_of(colour);
    size_t first = patch_of_[static_cast<size_t>(left)];
    size_t last = patch_of_[static_cast<size_t>(end - 1)];
    if (first == last) {
      fill(y, first, left, end, shade);
      return;
    }
    if (left > cuts_[first]) {
      fill(y, first, left, cuts_[first + 1], shade);
      ++first;
    }
    if (end < cuts_[last + 1]) {
      fill(y, last, cuts_[last], end, shade);
      --last;
    }
    if (first <= last) std::memset(patches(y) + first, shade, last + 1 - first);
  }

  // How many there are, and which.
  size_t shade_count() const { return shade_count_; }
  Colour colour(Shade shade) const { return colours_[shade]; }
  // Of the patches of a row; the memory goes on to a multiple of 16.
  const Shade* shades(int y) const { return shades_first_ + y * shades_stride_; }
  // Its mixed patches.
  const Colour* row(int y) const { return first_ + y * stride_; }

 private:
  Shade* patches(int y) { return shades_first_ + y * shades_stride_; }
  Colour* pixels(int y) { return first_ + y * stride_; }
  Shade shade_of(Colour colour) {
    if (colours_[latest_] != colour) find(colour);
    return latest_;
  }
  void find(Colour colour);
  void unfold(int y, size_t patch) {
    Shade& shade = patches(y)[patch];
    if (shade == mixed) return;
    std::fill(pixels(y) + cuts_[patch], pixels(y) + cuts_[patch + 1], colours_[shade]);
    shade = mixed;
  }
  // Columns left to end - 1 of one patch.
  void fill(int y, size_t patch, int left, int end, Shade shade) {
    Shade& before = patches(y)[patch];
    if (before == shade) return;
    if (left == cuts_[patch] && end == cuts_[patch + 1]) {
      before = shade;
      return;
    }
    unfold(y, patch);
    std::fill(pixels(y) + left, pixels(y) + end, colours_[shade]);
  }

  std::vector<int> cuts_;
  int width_;
  int height_;
  std::vector<uint16_t> patch_of_;  // of each column
  std::vector<Colour> pixels_;
  std::vector<Shade> all_shades_;
  std::array<Colour, most_shades> colours_{};
  size_t shade_count_ = 1;
  Shade latest_ = 0;
  Colour* first_ = nullptr;
  ptrdiff_t stride_ = 0;
  Shade* shades_first_ = nullptr;
  ptrdiff_t shades_stride_ = 0;
};

}  // namespace box2d::picture

#endif
