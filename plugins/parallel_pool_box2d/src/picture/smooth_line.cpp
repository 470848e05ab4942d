#include "picture/smooth_line.hpp"

#include <cstdlib>
#include <utility>

namespace box2d::picture {
namespace {

int16_t cut(float x) {
  return static_cast<int16_t>(static_cast<int32_t>(x));
}

// Cohen and Sutherland's clipping, in 16 bits and floats. False if nothing of the line is seen.
class Clip {
 public:
  explicit Clip(const Canvas& canvas)
      : right_(static_cast<int16_t>(canvas.width() - 1)),
        bottom_(static_cast<int16_t>(canvas.height() - 1)) {}

  bool operator()(Pixel& a, Pixel& b) const {
    while (true) {
      int side_a = side_of(a);
      const int side_b = side_of(b);
      if ((side_a | side_b) == 0) return true;
      if ((side_a & side_b) != 0) return false;
      if (side_a == 0) {
        std::swap(a, b);
        side_a = side_b;
      }
      const float slope =
          b.x != a.x ? static_cast<float>(b.y - a.y) / static_cast<float>(b.x - a.x) : 1.0f;
      if ((side_a & left) != 0) {
        move_x(a, 0, slope);
      } else if ((side_a & right) != 0) {
        move_x(a, right_, slope);
      } else {
        move_y(a, b, (side_a & below) != 0 ? bottom_ : int16_t{0}, slope);
      }
    }
  }

 private:
  enum Side { left = 1, right = 2, below = 4, above = 8 };

  int side_of(Pixel p) const {
    const int across = p.x < 0 ? left : p.x > right_ ? right : 0;
    const int along = p.y < 0 ? above : p.y > bottom_ ? below : 0;
    return across | along;
  }
  static void move_x(Pixel& a, int16_t x, float slope) {
    a.y = static_cast<int16_t>(a.y + cut(static_cast<float>(x - a.x) * slope));
    a.x = x;
  }
  static void move_y(Pixel& a, Pixel b, int16_t y, float slope) {
    if (b.x != a.x) a.x = static_cast<int16_t>(a.x + cut(static_cast<float>(y - a.y) / slope));
    a.y = y;
  }

  int16_t right_;
  int16_t bottom_;
};

// weight: 0 to 255, of the colour.
void blend(const Canvas& canvas, int x, int y, Colour colour, uint32_t weight) {
  if (!canvas.has(x, y)) return;
  const int alpha = static_cast<int>((255 * weight) >> 8);
  Colour& pixel = canvas.row(y)[x];
  Colour mixed = 0;
  for (int shift = 0; shift <= 16; shift += 8) {
    const int old = static_cast<int>(pixel >> shift & 255);
    const int wanted = static_cast<int>(colour >> shift & 255);
    // Shifts of negative numbers round down, as in the original.
    mixed |= static_cast<Colour>((old + (((wanted - old) * alpha) >> 8)) & 255) << shift;
  }
  pixel = mixed;
}

}  // namespace

void draw_smooth_line(const Canvas& canvas, Pixel from, Pixel to, Colour colour) {
  if (!Clip(canvas)(from, to)) return;
  Pixel top = from;
  Pixel bottom = to;
  if (top.y > bottom.y) std::swap(top, bottom);
  const int width = std::abs(bottom.x - top.x);
  const int height = bottom.y - top.y;
  if (width == 0) {
    for (int y = top.y; y <= bottom.y; ++y) canvas.put(top.x, y, colour);
    return;
  }
  if (height == 0) {
    canvas.span(top.x, bottom.x, top.y, colour);
    return;
  }
  canvas.put(from.x, from.y, colour);
  const int direction = bottom.x > top.x ? 1 : -1;
  const bool steep = height > width;
  const int slow = steep ? width : height;
  const int fast = steep ? height : width;
  // The fraction of a pixel that the slow coordinate advances, in 32 bits that overflow at a whole
  // pixel.
  const uint32_t advance = static_cast<uint32_t>((slow << 16) / fast) << 16;
  uint32_t fraction = 0;
  int x = top.x;
  int y = top.y;
  for (int left = fast - 1; left > 0; --left) {
    const uint32_t before = fraction;
    fraction += advance;
    const bool over = fraction <= before;
    if (steep || over) ++y;
    if (!steep || over) x += direction;
    const uint32_t weight = fraction >> 24;
    blend(canvas, x, y, colour, 255 - weight);
    blend(canvas, steep ? x + direction : x, steep ? y : y + 1, colour, weight);
  }
}

}  // namespace box2d::picture
