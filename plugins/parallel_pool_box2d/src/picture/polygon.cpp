#include "picture/polygon.hpp"

#include <algorithm>
#include <array>

#include "picture/smooth_line.hpp"

namespace box2d::picture {
namespace {

struct Corner {
  int x;
  int y;
};
using Corners = std::array<Corner, most_corners>;
using Crossings = std::array<int, most_corners>;

Pixel pixel_of(Point p) {
  return {static_cast<int16_t>(static_cast<int64_t>(p.x)),
          static_cast<int16_t>(static_cast<int64_t>(p.y))};
}

// Calls draw(crossings, number) for each visible row between the lowest and the highest corner;
// cross(y, above, below) is where an edge crosses a row, in any unit.
template <class Cross, class Draw>
void scan(const Corners& corners, int count, int height, Cross cross, Draw draw) {
  const auto [low, high] = std::minmax_element(corners.begin(), corners.begin() + count,
                                               [](Corner a, Corner b) { return a.y < b.y; });
  const int last = high->y;
  Crossings crossings;
  for (int y = std::max(low->y, 0); y <= std::min(last, height - 1); ++y) {
    int found = 0;
    for (int i = 0; i < count; ++i) {
      Corner above = corners[static_cast<size_t>(i == 0 ? count - 1 : i - 1)];
      Corner below = corners[static_cast<size_t>(i)];
      if (above.y == below.y) continue;
      if (above.y > below.y) std::swap(above, below);
      // The lower end belongs to the edge in the last row alone.
      if ((y >= above.y && y < below.y) || (y == last && below.y == last)) {
        crossings[static_cast<size_t>(found++)] = cross(y, above, below);
      }
    }
    std::sort(crossings.begin(), crossings.begin() + found);
    draw(y, crossings, found);
  }
}

}  // namespace

void fill_polygon(const Canvas& canvas, const Point* points, int count, Colour colour) {
  Corners corners;
  for (int i = 0; i < count; ++i) {
    corners[static_cast<size_t>(i)] = {static_cast<int>(points[i].x),
                                       static_cast<int>(points[i].y)};
  }
  const auto [low, high] = std::minmax_element(corners.begin(), corners.begin() + count,
                                               [](Corner a, Corner b) { return a.y < b.y; });
  const int first = low->y;
  const int last = high->y;
  if (first == last) {
    const auto [left, right] = std::minmax_element(corners.begin(), corners.begin() + count,
                                                   [](Corner a, Corner b) { return a.x < b.x; });
    canvas.span(left->x, right->x, first, colour);
    return;
  }
  scan(
      corners, count, canvas.height(),
      [](int y, Corner above, Corner below) {
        const double down = static_cast<double>(y) - above.y;
        return static_cast<int>(down * (static_cast<double>(below.x) - above.x) /
                                    (static_cast<double>(below.y) - above.y) +
                                above.x);
      },
      [&](int y, const Crossings& crossings, int found) {
        for (int i = 0; i + 1 < found; i += 2) {
          canvas.span(crossings[static_cast<size_t>(i)], crossings[static_cast<size_t>(i + 1)], y,
                      colour);
        }
      });
  // Horizontal edges in between, which may be the lower border of a part.
  for (int i = 0; i < count; ++i) {
    const Corner a = corners[static_cast<size_t>(i == 0 ? count - 1 : i - 1)];
    const Corner b = corners[static_cast<size_t>(i)];
    if (a.y == b.y && first < b.y && b.y < last) canvas.span(a.x, b.x, b.y, colour);
  }
}

void draw_smooth_border(const Canvas& canvas, const Point* points, int count, Colour colour) {
  for (int i = 0; i < count; ++i) {
    draw_smooth_line(canvas, pixel_of(points[i]), pixel_of(points[(i + 1) % count]), colour);
  }
}

void fill_bordered(const Canvas& canvas, const Point* points, int count, Colour colour) {
  fill_polygon(canvas, points, count, colour);
  draw_smooth_border(canvas, points, count, colour);
}

void fill_smooth_polygon(const Canvas& canvas, const Point* points, int count, Colour colour) {
  draw_smooth_border(canvas, points, count, colour);
  Corners corners;
  for (int i = 0; i < count; ++i) {
    const Pixel pixel = pixel_of(points[i]);
    corners[static_cast<size_t>(i)] = {pixel.x, pixel.y};
  }
  scan(
      corners, count, canvas.height(),
      [](int y, Corner above, Corner below) {
        const int share = 65536 * (y - above.y) / (below.y - above.y);  // of the edge, in 1/65536
        return static_cast<int>(static_cast<int64_t>(share) * (below.x - above.x) +
                                static_cast<int64_t>(65536) * above.x);
      },
      [&](int y, const Crossings& crossings, int found) {
        const auto nearest = [](int x) {
          return static_cast<int16_t>((x >> 16) + ((x & 32768) >> 15));
        };
        for (int i = 0; i + 1 < found; i += 2) {
          canvas.span(nearest(crossings[static_cast<size_t>(i)] + 1),
                      nearest(crossings[static_cast<size_t>(i + 1)] - 1), y, colour);
        }
      });
}

}  // namespace box2d::picture
