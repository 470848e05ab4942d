// Pixels that a picture is drawn into. Everything that draws keeps to its area.
#ifndef PARALLEL_POOL_BOX2D_PICTURE_CANVAS_HPP_
#define PARALLEL_POOL_BOX2D_PICTURE_CANVAS_HPP_

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace box2d::picture {

using Colour = uint32_t;  // 0x00RRGGBB

constexpr Colour rgb(int red, int green, int blue) {
  return static_cast<Colour>((red & 255) << 16 | (green & 255) << 8 | (blue & 255));
}

class Canvas {
 public:
  // Row y begins at first + y * stride; with a negative stride the picture stands on its head.
  Canvas(Colour* first, int width, int height, ptrdiff_t stride)
      : first_(first), width_(width), height_(height), stride_(stride) {}

  int width() const { return width_; }
  int height() const { return height_; }
  int first_row() const { return 0; }
  bool has(int x, int y) const { return x >= 0 && x < width_ && y >= 0 && y < height_; }
  Colour* row(int y) const { return first_ + y * stride_; }
  Colour at(int x, int y) const { return row(y)[x]; }
  void set(int x, int y, Colour colour) const { row(y)[x] = colour; }
  void put(int x, int y, Colour colour) const {
    if (has(x, y)) set(x, y, colour);
  }
  // Both ends included, in any order.
  void span(int x1, int x2, int y, Colour colour) const {
    if (y < 0 || y >= height_) return;
    const int left = std::max(std::min(x1, x2), 0);
    const int right = std::min(std::max(x1, x2), width_ - 1);
    if (left <= right) std::fill(row(y) + left, row(y) + right + 1, colour);
  }

 private:
  Colour* first_;
  int width_;
  int height_;
  ptrdiff_t stride_;
};

// Red, green and blue of all pixels, the last row first.
inline void write_upside_down(const Canvas& canvas, uint8_t* out) {
  for (int y = canvas.height() - 1; y >= 0; --y) {
    const Colour* row = canvas.row(y);
    for (int x = 0; x < canvas.width(); ++x) {
      *out++ = static_cast<uint8_t>(row[x] >> 16);
      *out++ = static_cast<uint8_t>(row[x] >> 8);
      *out++ = static_cast<uint8_t>(row[x]);
    }
  }
}

}  // namespace box2d::picture

#endif
