// What test_rasteriser.py draws with: src/picture behind C functions. Pixels are 0x00RRGGBB, row by
// row.
#include <cstdint>
#include <vector>

#include "picture/canvas.hpp"
#include "picture/polygon.hpp"
#include "picture/pygame_line.hpp"
#include "picture/smooth_scale.hpp"

namespace {

using namespace box2d::picture;

// In the order of KINDS in the test.
enum Kind { filled, smooth, line, double_line, aaline, circle };

int whole(double x) {
  return static_cast<int>(x);
}

}  // namespace

extern "C" {

__attribute__((visibility("default"))) void draw(uint32_t* pixels, int width, int height, int kind,
                                                 const double* numbers, int count,
                                                 uint32_t colour) {
  const Canvas canvas(pixels, width, height, width);
  std::vector<box2d::Point> points;
  for (int i = 0; i < count; ++i) points.push_back({numbers[2 * i], numbers[2 * i + 1]});
  const auto at = [&](size_t i) {
    return FloatPoint{static_cast<float>(points[i].x), static_cast<float>(points[i].y)};
  };
  switch (kind) {
    case filled:
      fill_polygon(canvas, points.data(), count, colour);
      break;
    case smooth:
      fill_smooth_polygon(canvas, points.data(), count, colour);
      break;
    case aaline:
      draw_aaline(canvas, at(0), at(1), colour);
      break;
    case circle:
      fill_circle(canvas, whole(points[0].x), whole(points[0].y), whole(points[1].x), colour);
      break;
    default: {
      const auto stroke = kind == line ? draw_line : draw_double_line;
      stroke(canvas, whole(points[0].x), whole(points[0].y), whole(points[1].x), whole(points[1].y),
             colour);
    }
  }
}

__attribute__((visibility("default"))) void scale(const uint32_t* pixels, int width, int height,
                                                  int new_width, int new_height, uint8_t* rgb) {
  SmoothScale(width, height, new_width, new_height)(pixels, rgb);
}

}  // extern "C"
