#include "picture/pygame_line.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace box2d::picture {
namespace {

// An antialiased line in one of two directions. In the code x is the axis along which it is longer.
class Brush {
 public:
  Brush(const Canvas& canvas, Colour colour, bool steep)
      : canvas_(canvas), colour_(colour), steep_(steep) {}
  // share: of the colour, from 0 to 1.
  void put(int x, int y, float share) const {
    if (steep_) std::swap(x, y);
    if (!canvas_.has(x, y)) return;
    Colour& pixel = canvas_.row(y)[x];
    Colour mixed = 0;
    for (int shift = 0; shift <= 16; shift += 8) {
      const auto wanted = static_cast<float>(colour_ >> shift & 255);
      const auto old = static_cast<float>(pixel >> shift & 255);
      mixed |= static_cast<Colour>(static_cast<uint8_t>(share * wanted + (1 - share) * old))
               << shift;
    }
    pixel = mixed;
  }
  // Two neighbours share a column; y is one more than the upper one.
  void put_pair(int x, float y, float scale) const {
    const int whole = static_cast<int>(y);
    const float below = y - static_cast<float>(whole);
    if (static_cast<float>(whole) < y) put(x, whole, below * scale);
    put(x, whole - 1, (1 - below) * scale);
  }

 private:
  const Canvas& canvas_;
  Colour colour_;
  bool steep_;
};

struct Edges {
  float left;
  float right;
  float top;
  float bottom;
};

// Cuts the line to the canvas and a pixel around it; false if nothing is left.
bool clip(FloatPoint& from, FloatPoint& to, float slope, const Edges& edges) {
  if (to.x <= edges.left || from.x >= edges.right) return false;
  if (from.x < edges.left) {
    from.y += slope * (edges.left - from.x);
    from.x = edges.left;
  }
  if (to.x > edges.right) {
    to.y += slope * (edges.right - to.x);
    to.x = edges.right;
  }
  FloatPoint& upper = slope > 0.0f ? from : to;
  FloatPoint& lower = slope > 0.0f ? to : from;
  if (lower.y <= edges.top || upper.y >= edges.bottom) return false;
  if (upper.y < edges.top) {
    upper.x += (edges.top - upper.y) / slope;
    upper.y = edges.top;
  }
  if (lower.y > edges.bottom) {
    lower.x += (edges.bottom - lower.y) / slope;
    lower.y = edges.bottom;
  }
  return true;
}

// Calls put(x, y, steep) for the pixels of Bresenham's line from one pixel to another, and not for
// a line that is more than a pixel beside the picture.
template <class Surface, class Put>
void walk(const Surface& surface, int x1, int y1, int x2, int y2, Put put) {
  if (std::max(x1, x2) < -1 || std::min(x1, x2) > surface.width() || std::max(y1, y2) < -1 ||
      std::min(y1, y2) > surface.height()) {
    return;
  }
  const int dx = std::abs(x2 - x1);
  const int dy = std::abs(y2 - y1);
  const int step_x = x1 < x2 ? 1 : -1;
  const int step_y = y1 < y2 ? 1 : -1;
  const bool steep = dx <= dy;
  int error = (steep ? -dy : dx) / 2;
  for (int left = std::max(dx, dy); left >= 0; --left) {
    put(x1, y1, steep);
    const int before = error;
    if (before > -dx) {
      error -= dy;
      x1 += step_x;
    }
    if (before < dy) {
      error += dx;
      y1 += step_y;
    }
  }
}

// The ends of an antialiased line that are seen: those of a line alone, and those of one of a
// chain, where those that are not whole pixels are left to the next line, unless that goes the
// other way.
enum class Ends { drawn, left_out, drawn_again };

void draw_part(const Canvas& canvas, FloatPoint from, FloatPoint to, Colour colour, Ends ends) {
  float dx = to.x - from.x;
  float dy = to.y - from.y;
  if (std::fabs(dx) < 0.0001 && std::fabs(dy) < 0.0001) {
    canvas.put(static_cast<int>(std::floor(from.x + 0.5)),
               static_cast<int>(std::floor(from.y + 0.5)), colour);
    return;
  }
  const float width = static_cast<float>(canvas.width());
  const float height = static_cast<float>(canvas.height());
  Edges edges{-1, width, -1, height};
  const bool steep = std::fabs(dx) < std::fabs(dy);
  if (steep) {
    std::swap(from.x, from.y);
    std::swap(to.x, to.y);
    std::swap(dx, dy);
    edges = {-1, height, -1, width};
  }
  if (dx < 0) {
    std::swap(from, to);
    dx = -dx;
    dy = -dy;
  }
  const float slope = dy / dx;
  if (!clip(from, to, slope, edges)) return;
  const Brush brush(canvas, colour, steep);
  // One pixel down, so that no y is negative and cutting the fraction off rounds down.
  from.y += 1.0f;
  to.y += 1.0f;
  const auto height_at = [&](int x) { return from.y + slope * (static_cast<float>(x) - from.x); };
  int x = static_cast<int>(from.x);
  float y = height_at(x);
  if (ends != Ends::left_out && to.x > edges.left + 1.0f) {
    brush.put_pair(x, y, static_cast<float>(1 + x) - from.x);
    y += slope;
    ++x;
  }
  if (ends != Ends::drawn) {
    x = static_cast<int>(std::ceil(from.x));
    y = height_at(x);
  }
  const int end = static_cast<int>(std::ceil(to.x));
  if (ends != Ends::left_out && from.x < edges.right - 1.0f) {
    brush.put_pair(end, to.y + slope * (static_cast<float>(end) - to.x),
                   static_cast<float>(1 - end) + to.x);
  }
  for (; x < end; ++x) {
    const int whole = static_cast<int>(y);
    const float above = 1 - y + static_cast<float>(whole);
    brush.put(x, whole - 1, above);
    if (static_cast<float>(whole) < y) brush.put(x, whole, 1 - above);
    y += slope;
  }
}

}  // namespace

void draw_aaline(const Canvas& canvas, FloatPoint from, FloatPoint to, Colour colour) {
  draw_part(canvas, from, to, colour, Ends::drawn);
}

void draw_aaline_loop(const Canvas& canvas, const FloatPoint* points, int count, Colour colour) {
  const auto is_steep = [](float dx, float dy) { return std::fabs(dx) < std::fabs(dy); };
  bool was_steep = false;
  for (int i = 0; i < count; ++i) {
    const FloatPoint from = points[i];
    const FloatPoint to = points[(i + 1) % count];
    const bool steep = is_steep(to.x - from.x, to.y - from.y);
    // The first line has no line before it. pygame looks at the next one, whose height it takes
    // from this one's beginning.
    const bool turns =
        i > 0 ? steep != was_steep : steep && !is_steep(points[2].x - to.x, points[2].y - from.y);
    const bool is_whole = std::round(to.x) == to.x && std::round(to.y) == to.y;
    draw_part(canvas, from, to, colour,
              is_whole ? Ends::drawn
              : turns  ? Ends::drawn_again
                       : Ends::left_out);
    was_steep = steep;
  }
}

void draw_line(const Canvas& canvas, int x1, int y1, int x2, int y2, Colour colour) {
  walk(canvas, x1, y1, x2, y2, [&](int x, int y, bool) { canvas.put(x, y, colour); });
}

void draw_double_line(Patchwork& picture, int x1, int y1, int x2, int y2, Colour colour) {
  walk(picture, x1, y1, x2, y2, [&](int x, int y, bool steep) {
    picture.put(x, y, colour);
    picture.put(steep ? x + 1 : x, steep ? y : y + 1, colour);
  });
}

// Spans between the steps of Bresenham's circle; even diameters, as pygame's.
void fill_circle(const Canvas& canvas, int x, int y, int radius, Colour colour) {
  int error = 1 - radius;
  int across = 0;
  int up = radius;
  while (across < up) {
    if (error >= 0) {
      --up;
      error += -2 * up;
    }
    ++across;
    error += 2 * across + 1;
    if (error >= 0) {
      canvas.span(x - across, x + across - 1, y + up - 1, colour);
      canvas.span(x - across, x + across - 1, y - up, colour);
    }
    canvas.span(x - up, x + up - 1, y + across - 1, colour);
    canvas.span(x - up, x + up - 1, y - across, colour);
  }
}

}  // namespace box2d::picture
