#include "picture/pygame_line.hpp"

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

// Liang and Barsky's clipping as pygame has it, a pixel wider on the right and below; false if
// nothing is left.
template <class Surface>
bool clip(const Surface& surface, int& x1, int& y1, int& x2, int& y2) {
  const int dx = x2 - x1;
  const int dy = y2 - y1;
  double first = 0;
  double last = 1;
  const auto cut = [&](int step, int before,
                       int after) {  // before and after: room to the two edges
    if (step == 0) return before >= 0 && after >= 0;
    const double to_before = static_cast<double>(before) / -step;
    const double to_after = static_cast<double>(after) / step;
    first = std::fmax(first, step > 0 ? to_before : to_after);
    last = std::fmin(last, step > 0 ? to_after : to_before);
    return true;
  };
  if (!cut(dx, x1, surface.width() - x1) || !cut(dy, y1, surface.height() - y1) || first > last)
    return false;
  const auto moved = [](int from, double by) {
    return from + static_cast<int>(by < 0 ? by - 0.5 : by + 0.5);
  };
  x2 = moved(x1, dx * last);
  y2 = moved(y1, dy * last);
  x1 = moved(x1, dx * first);
  y1 = moved(y1, dy * first);
  return true;
}

// Bresenham's way from one pixel to another.
class Steps {
 public:
  Steps(int x1, int y1, int x2, int y2)
      : dx_(std::abs(x2 - x1)),
        dy_(std::abs(y2 - y1)),
        step_x_(x1 < x2 ? 1 : -1),
        step_y_(y1 < y2 ? 1 : -1),
        error_((dx_ > dy_ ? dx_ : -dy_) / 2) {}
  void advance(int& x, int& y) {
    const int before = error_;
    if (before > -dx_) {
      error_ -= dy_;
      x += step_x_;
    }
    if (before < dy_) {
      error_ += dx_;
      y += step_y_;
    }
  }
  bool steep() const { return dx_ <= dy_; }
  // Whether the end is ahead, seen from x and y.
  bool before(int x, int y, int end_x, int end_y) const {
    return (x - end_x) * step_x_ < 0 || (y - end_y) * step_y_ < 0;
  }

 private:
  int dx_, dy_, step_x_, step_y_, error_;
};

}  // namespace

void draw_aaline(const Canvas& canvas, FloatPoint from, FloatPoint to, Colour colour) {
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
  int x = static_cast<int>(from.x);
  float y = from.y + slope * (static_cast<float>(x) - from.x);
  if (to.x > edges.left + 1.0f) {
    brush.put_pair(x, y, static_cast<float>(1 + x) - from.x);
    y += slope;
    ++x;
  }
  const int end = static_cast<int>(std::ceil(to.x));
  if (from.x < edges.right - 1.0f) {
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

void draw_aaline_loop(const Canvas& canvas, const FloatPoint* points, int count, Colour colour) {
  for (int i = 0; i < count; ++i) draw_aaline(canvas, points[i], points[(i + 1) % count], colour);
}

void draw_line(const Canvas& canvas, int x1, int y1, int x2, int y2, Colour colour) {
  if (!clip(canvas, x1, y1, x2, y2)) return;
  Steps steps(x1, y1, x2, y2);
  for (; x1 != x2 || y1 != y2; steps.advance(x1, y1)) canvas.put(x1, y1, colour);
  canvas.put(x2, y2, colour);
}

void draw_double_line(Patchwork& picture, int x1, int y1, int x2, int y2, Colour colour) {
  // Steps are those of the whole line, from where it enters the picture.
  const int end_x = x2;
  const int end_y = y2;
  Steps steps(x1, y1, x2, y2);
  const bool steep = steps.steep();
  if (!clip(picture, x1, y1, x2, y2)) return;
  const auto put = [&] {
    picture.put(x1, y1, colour);
    picture.put(steep ? x1 + 1 : x1, steep ? y1 : y1 + 1, colour);
  };
  const auto is_seen = [&] {
    const int right = steep ? x1 + 1 : x1;
    const int below = steep ? y1 : y1 + 1;
    return right >= 0 && x1 < picture.width() && below >= 0 && y1 < picture.height();
  };
  for (; steps.before(x1, y1, x2, y2); steps.advance(x1, y1)) put();
  for (; (steep ? y1 != end_y : x1 != end_x) && is_seen(); steps.advance(x1, y1)) put();
  put();
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
