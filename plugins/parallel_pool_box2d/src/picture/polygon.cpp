#include "picture/polygon.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <vector>

#include "picture/smooth_line.hpp"

namespace box2d::picture {
namespace {

struct Corner {
  int x;
  int y;
};
using Corners = std::array<Corner, most_corners>;

Pixel pixel_of(Point p) {
  return {static_cast<int16_t>(static_cast<int64_t>(p.x)),
          static_cast<int16_t>(static_cast<int64_t>(p.y))};
}

// Calls draw(y, crossings, number) for each visible row between the lowest and the highest corner,
// with the places where edges cross it, in ascending order. Edge(above, below).at(y, i) is such a
// place, in any unit; the edge is the i-th of those that cross the row.
template <class Edge, class Surface, class Draw>
void scan(const Surface& surface, const Corners& corners, int count, Draw draw) {
  const auto [low, high] = std::minmax_element(corners.begin(), corners.begin() + count,
                                               [](Corner a, Corner b) { return a.y < b.y; });
  const int last = high->y;
  std::array<Edge, most_corners> edges;
  std::array<int, most_corners> crossings;
  for (int y = std::max(low->y, surface.first_row()), end = std::min(last + 1, surface.height());
       y < end;) {
    // Up to the next corner, the same edges are crossed.
    size_t found = 0;
    int next = y == last ? end : std::min(last, end);
    for (int i = 0; i < count; ++i) {
      Corner above = corners[static_cast<size_t>(i == 0 ? count - 1 : i - 1)];
      Corner below = corners[static_cast<size_t>(i)];
      if (below.y > y) next = std::min(next, below.y);
      if (above.y == below.y) continue;
      if (above.y > below.y) std::swap(above, below);
      // The lower end belongs to the edge in the last row alone.
      if (above.y <= y && (y < below.y || (y == last && below.y == last))) {
        edges[found++] = Edge(above, below);
      }
    }
    for (; y < next; ++y) {
      for (size_t i = 0; i < found; ++i) crossings[i] = edges[i].at(y, i);
      if (found == 2) {
        if (crossings[0] > crossings[1]) std::swap(crossings[0], crossings[1]);
      } else {
        std::sort(crossings.begin(), crossings.begin() + static_cast<ptrdiff_t>(found));
      }
      draw(y, crossings.data(), found);
    }
  }
}

// A border of pygame.draw, which rounds every second place up, and the others down.
class Edge {
 public:
  Edge() = default;
  Edge(Corner above, Corner below)
      : top_(above.y),
        left_(above.x),
        width_(below.x - above.x),
        height_(static_cast<float>(below.y - above.y)) {}
  int at(int y, size_t i) const {
    const float across = static_cast<float>((y - top_) * width_) / height_;
    const int whole = static_cast<int>(across);
    const float fraction = across - static_cast<float>(whole);
    return left_ + whole + (i % 2 == 0 ? -(fraction < 0 ? 1 : 0) : (fraction > 0 ? 1 : 0));
  }

 private:
  int top_;
  int left_;
  int64_t width_;
  float height_;
};

// A border of SDL_gfx, in 1/65536.
class FineEdge {
 public:
  FineEdge() = default;
  FineEdge(Corner above, Corner below)
      : top_(above.y),
        left_(65536 * above.x),
        width_(below.x - above.x),
        height_(below.y - above.y) {}
  int at(int y, size_t) const {
    // Numbers of 32 bits are exact in double, and so are their quotients, cut off.
    const int share = static_cast<int>(static_cast<double>(65536 * (y - top_)) / height_);
    return share * width_ + left_;
  }

 private:
  int top_;
  int left_;
  int width_;
  double height_;
};

// The part of a row that is filled.
struct Space {
  int left;
  unsigned width;
};

// Draws the part of a border beside a polygon, which is filled in the same colour afterwards.
class Beside {
 public:
  // spaces: of each row; the border is in rows first to last.
  Beside(Patchwork& picture, const Space* spaces, int first, int last)
      : picture_(picture), spaces_(spaces), first_(first), last_(last) {}
  int width() const { return picture_.width(); }
  int height() const { return picture_.height(); }
  bool has(int x, int y) const {
    if (y < first_ || y > last_) return false;
    const Space space = spaces_[y];
    return static_cast<unsigned>(x - space.left) >= space.width && x >= 0 && x < picture_.width();
  }
  Colour at(int x, int y) const { return picture_.at(x, y); }
  void set(int x, int y, Colour colour) { picture_.set(x, y, colour); }
  void put(int x, int y, Colour colour) { picture_.put(x, y, colour); }
  void span(int x1, int x2, int y, Colour colour) { picture_.span(x1, x2, y, colour); }

 private:
  Patchwork& picture_;
  const Space* spaces_;
  int first_;
  int last_;
};

// Fills as pygame.draw does for three corners alone: it cuts the fractions of both borders off.
template <class Surface>
void fill_triangle(Surface& surface, Corner top, Corner middle, Corner bottom, Colour colour) {
  if (middle.y < top.y) std::swap(middle, top);
  if (bottom.y < middle.y) {
    std::swap(middle, bottom);
    if (middle.y < top.y) std::swap(middle, top);
  }
  if (top.y == bottom.y && top.x == middle.x) std::swap(middle, bottom);
  struct Border {
    Border(Corner from, Corner to)
        : start(from),
          slope(from.y == to.y ? 0.0f
                               : static_cast<float>((static_cast<double>(to.x) - from.x) /
                                                    (static_cast<double>(to.y) - from.y))) {}
    int at(int y) const {
      return start.x + static_cast<int>(static_cast<float>(y - start.y) * slope);
    }
    Corner start;
    float slope;
  };
  const Border whole(top, bottom);
  const Border upper(top, middle);
  const Border lower(middle, bottom);
  const int end = std::min(bottom.y + 1, surface.height());
  for (int y = std::max(top.y, surface.first_row()); y < end; ++y) {
    surface.span(whole.at(y), y < middle.y ? upper.at(y) : lower.at(y), y, colour);
  }
}

}  // namespace

template <class Surface>
void fill_polygon(Surface& surface, const Point* points, int count, Colour colour) {
  Corners corners;
  for (int i = 0; i < count; ++i) {
    corners[static_cast<size_t>(i)] = {static_cast<int>(points[i].x),
                                       static_cast<int>(points[i].y)};
  }
  if (count == 3) {
    fill_triangle(surface, corners[0], corners[1], corners[2], colour);
    return;
  }
  const auto [low, high] = std::minmax_element(corners.begin(), corners.begin() + count,
                                               [](Corner a, Corner b) { return a.y < b.y; });
  const int first = low->y;
  const int last = high->y;
  if (first == last) {
    const auto [left, right] = std::minmax_element(corners.begin(), corners.begin() + count,
                                                   [](Corner a, Corner b) { return a.x < b.x; });
    surface.span(left->x, right->x, first, colour);
    return;
  }
  scan<Edge>(surface, corners, count, [&](int y, const int* crossings, size_t found) {
    for (size_t i = 0; i + 1 < found; i += 2)
      surface.span(crossings[i], crossings[i + 1], y, colour);
  });
  // Horizontal edges in between, which may be the lower border of a part.
  for (int i = 0; i < count; ++i) {
    const Corner a = corners[static_cast<size_t>(i == 0 ? count - 1 : i - 1)];
    const Corner b = corners[static_cast<size_t>(i)];
    if (a.y == b.y && first < b.y && b.y < last) surface.span(a.x, b.x, b.y, colour);
  }
}

template void fill_polygon(const Canvas& canvas, const Point* points, int count, Colour colour);
template void fill_polygon(Patchwork& picture, const Point* points, int count, Colour colour);

void draw_smooth_border(const Canvas& canvas, const Point* points, int count, Colour colour) {
  for (int i = 0; i < count; ++i) {
    draw_smooth_line(canvas, pixel_of(points[i]), pixel_of(points[(i + 1) % count]), colour);
  }
}

void fill_bordered(const Canvas& canvas, const Point* points, int count, Colour colour) {
  fill_polygon(canvas, points, count, colour);
  draw_smooth_border(canvas, points, count, colour);
}

void fill_smooth_polygon(Patchwork& picture, const Point* points, int count, Colour colour) {
  std::array<Pixel, most_corners> pixels;
  Corners corners;
  for (size_t i = 0; i < static_cast<size_t>(count); ++i) {
    pixels[i] = pixel_of(points[i]);
    corners[i] = {pixels[i].x, pixels[i].y};
  }
  const auto nearest = [](int x) { return static_cast<int16_t>((x >> 16) + ((x & 32768) >> 15)); };
  const auto for_each_row = [&](auto draw) { scan<FineEdge>(picture, corners, count, draw); };
  // The border comes first, but what is filled afterwards need not be drawn.
  thread_local std::vector<Space> memory;
  if (memory.size() < static_cast<size_t>(picture.height())) {
    memory.resize(static_cast<size_t>(picture.height()));
  }
  Space* const spaces = memory.data();
  int first = picture.height();
  int last = -1;
  bool is_simple = true;
  for_each_row([&](int y, const int* crossings, size_t found) {
    first = std::min(first, y);
    last = y;
    is_simple = is_simple && found == 2;
    spaces[y] = {0, 0};
    if (found < 2) return;
    const int left = nearest(crossings[0] + 1);
    const int right = nearest(crossings[1] - 1);
    spaces[y] = {std::min(left, right), static_cast<unsigned>(std::abs(right - left)) + 1};
  });
  // A line may touch the row below its end.
  const int touched = std::min(last + 1, picture.height() - 1);
  if (touched > last) spaces[touched] = {0, 0};
  Beside beside(picture, spaces, first, touched);
  for (int i = 0; i < count; ++i) {
    draw_smooth_line(beside, pixels[static_cast<size_t>(i)],
                     pixels[static_cast<size_t>((i + 1) % count)], colour);
  }
  if (is_simple) {
    for (int y = first; y <= last; ++y) {
      const Space space = spaces[y];
      picture.span(space.left, space.left + static_cast<int>(space.width) - 1, y, colour);
    }
    return;
  }
  for_each_row([&](int y, const int* crossings, size_t found) {
    for (size_t i = 0; i + 1 < found; i += 2) {
      picture.span(nearest(crossings[i] + 1), nearest(crossings[i + 1] - 1), y, colour);
    }
  });
}

}  // namespace box2d::picture
