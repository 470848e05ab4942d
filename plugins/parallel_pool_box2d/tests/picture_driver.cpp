// Puts src/picture behind C functions, for test_rasteriser.py. Pixels are 0x00RRGGBB, row by
// row.
#include <cstdint>
#include <memory>
#include <vector>

#include "picture/canvas.hpp"
#include "picture/patchwork.hpp"
#include "picture/polygon.hpp"
#include "picture/pygame_line.hpp"
#include "picture/smooth_scale.hpp"

namespace {

using namespace box2d::picture;

// In the order of KINDS in the test.
enum Kind { filled, smooth, double_line, line, aaline, aaline_loop, circle };

int whole(double x) {
  return static_cast<int>(x);
}

std::unique_ptr<Patchwork> patchwork;

}  // namespace

#define PUBLIC extern "C" __attribute__((visibility("default")))

// Onto pixels: those kinds that a Canvas takes.
PUBLIC void draw(uint32_t* pixels, int width, int height, int kind, const box2d::Point* points,
                 int count, uint32_t colour) {
  const Canvas canvas(pixels, width, height, width);
  const auto at = [&](size_t i) {
    return FloatPoint{static_cast<float>(points[i].x), static_cast<float>(points[i].y)};
  };
  switch (kind) {
    case filled:
      fill_polygon(canvas, points, count, colour);
      break;
    case aaline:
      draw_aaline(canvas, at(0), at(1), colour);
      break;
    case aaline_loop: {
      std::vector<FloatPoint> loop;
      for (int i = 0; i < count; ++i) loop.push_back(at(static_cast<size_t>(i)));
      draw_aaline_loop(canvas, loop.data(), count, colour);
      break;
    }
    case circle:
      fill_circle(canvas, whole(points[0].x), whole(points[0].y), whole(points[1].x), colour);
      break;
    case line:
      draw_line(canvas, whole(points[0].x), whole(points[0].y), whole(points[1].x),
                whole(points[1].y), colour);
  }
}

// A new patchwork, whose patches have that width.
PUBLIC void lay(int width, int height, int patch_width, uint32_t colour) {
  std::vector<int> cuts;
  for (int x = 0; x < width; x += patch_width) cuts.push_back(x);
  cuts.push_back(width);
  patchwork = std::make_unique<Patchwork>(cuts, height);
  patchwork->clear(colour);
}

// Onto it: those kinds that a Patchwork takes.
PUBLIC void draw_patches(int kind, const box2d::Point* points, int count, uint32_t colour) {
  switch (kind) {
    case filled:
      fill_polygon(*patchwork, points, count, colour);
      break;
    case smooth:
      fill_smooth_polygon(*patchwork, points, count, colour);
      break;
    case double_line:
      draw_double_line(*patchwork, whole(points[0].x), whole(points[0].y), whole(points[1].x),
                       whole(points[1].y), colour);
  }
}

PUBLIC void read_patches(uint32_t* pixels) {
  for (int y = 0; y < patchwork->height(); ++y) {
    for (int x = 0; x < patchwork->width(); ++x) *pixels++ = patchwork->at(x, y);
  }
}

// Runs of a colour become spans, other pixels are set one by one.
PUBLIC void scale(const uint32_t* pixels, int width, int height, int new_width, int new_height,
                  uint8_t* rgb) {
  SmoothScale smooth_scale(width, height, new_width, new_height);
  Patchwork& picture = smooth_scale.picture();
  for (int y = 0; y < height; ++y, pixels += width) {
    for (int x = 0; x < width;) {
      const int begin = x;
      while (x < width && pixels[x] == pixels[begin]) ++x;
      if (x - begin > 1) {
        picture.span(begin, x - 1, y, pixels[begin]);
      } else {
        picture.put(begin, y, pixels[begin]);
      }
    }
  }
  smooth_scale.write(rgb);
}
