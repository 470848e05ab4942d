#include "picture/smooth_line.hpp"

#include <utility>

namespace box2d::picture {
namespace {

enum Side { left = 1, right = 2, below = 4, above = 8 };

int16_t cut(float x) {
  return static_cast<int16_t>(static_cast<int32_t>(x));
}

void move_x(Pixel& a, int16_t x, float slope) {
  a.y = static_cast<int16_t>(a.y + cut(static_cast<float>(x - a.x) * slope));
  a.x = x;
}

void move_y(Pixel& a, Pixel b, int16_t y, float slope) {
  if (b.x != a.x) a.x = static_cast<int16_t>(a.x + cut(static_cast<float>(y - a.y) / slope));
  a.y = y;
}

}  // namespace

bool clip_line(int width, int height, Pixel& a, Pixel& b) {
  const auto last_x = static_cast<int16_t>(width - 1);
  const auto last_y = static_cast<int16_t>(height - 1);
  const auto side_of = [&](Pixel p) {
    const int across = p.x < 0 ? left : p.x > last_x ? right : 0;
    const int along = p.y < 0 ? above : p.y > last_y ? below : 0;
    return across | along;
  };
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
      move_x(a, last_x, slope);
    } else {
      move_y(a, b, (side_a & below) != 0 ? last_y : int16_t{0}, slope);
    }
  }
}

}  // namespace box2d::picture
