#include "picture/polygon.hpp"

#include <algorithm>
#include <array>
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

// Where edges cross the visible rows between the lowest and the highest corner, in any unit.
class Crossings {
 public:
  // For rows of a picture of that height.
  explicit Crossings(int height) : height_(height) {
    if (counts_.size() < static_cast<size_t>(height)) {
      counts_.resize(static_cast<size_t>(height));
      for (auto& each : places_) each.resize(static_cast<size_t>(height));
    }
  }

  // cross(above, below) gives the function that says where that edge crosses row y.
  template <class Cross>
  void find(const Corners& corners, int count, Cross cross) {
    const auto [low, high] = std::minmax_element(corners.begin(), corners.begin() + count,
                                                 [](Corner a, Corner b) { return a.y < b.y; });
    const int last = high->y;
    first_ = std::max(low->y, 0);
    end_ = std::max(std::min(last + 1, height_), first_);
    std::fill(counts_.begin() + first_, counts_.begin() + end_, 0);
    for (int i = 0; i < count; ++i) {
      Corner above = corners[static_cast<size_t>(i == 0 ? count - 1 : i - 1)];
      Corner below = corners[static_cast<size_t>(i)];
      if (above.y == below.y) continue;
      if (above.y > below.y) std::swap(above, below);
      // The lower end belongs to the edge in the last row alone.
      const int end = std::min(below.y == last ? last + 1 : below.y, height_);
      const auto at = cross(above, below);
      for (int y = std::max(above.y, 0); y < end; ++y) {
        const auto row = static_cast<size_t>(y);
        places_[counts_[row]++][row] = at(y);
      }
    }
  }

  int first() const { return first_; }
  int end() const { return end_; }
  // Calls draw(y, left, right) for the space between each two crossings of a row.
  template <class Draw>
  void for_each_space(int y, Draw draw) const {
    const auto row = static_cast<size_t>(y);
    const size_t found = counts_[row];
    if (found == 2) {
      const auto [left, right] = std::minmax(places_[0][row], places_[1][row]);
      draw(left, right);
      return;
    }
    std::array<int, most_corners> sorted;
    for (size_t i = 0; i < found; ++i) sorted[i] = places_[i][row];
    std::sort(sorted.begin(), sorted.begin() + static_cast<ptrdiff_t>(found));
    for (size_t i = 0; i + 1 < found; i += 2) draw(sorted[i], sorted[i + 1]);
  }

 private:
  // For all polygons of a thread.
  static thread_local std::vector<size_t> counts_;
  static thread_local std::array<std::vector<int>, most_corners> places_;

  int height_;
  int first_ = 0;
  int end_ = 0;
};

thread_local std::vector<size_t> Crossings::counts_;
thread_local std::array<std::vector<int>, most_corners> Crossings::places_;

struct Space {
  int16_t left;
  int16_t right;
};

// What a border draws outside of a polygon, which is filled in the same colour afterwards.
class Outside {
 public:
  // spaces: that of each row, beginning with row first.
  Outside(Patchwork& picture, int first, const std::vector<Space>& spaces)
      : picture_(picture), first_(first), spaces_(spaces) {}
  int width() const { return picture_.width(); }
  int height() const { return picture_.height(); }
  bool has(int x, int y) const {
    if (!picture_.has(x, y)) return false;
    const auto row = static_cast<size_t>(y - first_);
    return row >= spaces_.size() || x < spaces_[row].left || x > spaces_[row].right;
  }
  Colour at(int x, int y) const { return picture_.at(x, y); }
  void set(int x, int y, Colour colour) { picture_.set(x, y, colour); }
  void put(int x, int y, Colour colour) { picture_.put(x, y, colour); }
  void span(int x1, int x2, int y, Colour colour) { picture_.span(x1, x2, y, colour); }

 private:
  Patchwork& picture_;
  int first_;
  const std::vector<Space>& spaces_;
};

}  // namespace

template <class Surface>
void fill_polygon(Surface& surface, const Point* points, int count, Colour colour) {
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
    surface.span(left->x, right->x, first, colour);
    return;
  }
  Crossings crossings(surface.height());
  crossings.find(corners, count, [](Corner above, Corner below) {
    return [=](int y) {
      const double down = static_cast<double>(y) - above.y;
      return static_cast<int>(down * (static_cast<double>(below.x) - above.x) /
                                  (static_cast<double>(below.y) - above.y) +
                              above.x);
    };
  });
  for (int y = crossings.first(); y < crossings.end(); ++y) {
    crossings.for_each_space(y, [&](int left, int right) { surface.span(left, right, y, colour); });
  }
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
  thread_local std::vector<Space> spaces;
  std::array<Pixel, most_corners> pixels;
  Corners corners;
  for (size_t i = 0; i < static_cast<size_t>(count); ++i) {
    pixels[i] = pixel_of(points[i]);
    corners[i] = {pixels[i].x, pixels[i].y};
  }
  Crossings crossings(picture.height());
  crossings.find(corners, count, [](Corner above, Corner below) {
    const int width = below.x - above.x;
    const int height = below.y - above.y;
    return [=](int y) {
      // Of the edge, in 1/65536. 32 bits are exact in double, and so is the quotient, cut off.
      const int share = static_cast<int>(static_cast<double>(65536 * (y - above.y)) /
                                         static_cast<double>(height));
      return share * width + 65536 * above.x;
    };
  });
  const auto nearest = [](int x) { return static_cast<int16_t>((x >> 16) + ((x & 32768) >> 15)); };
  const auto for_each_span = [&](int y, auto draw) {
    crossings.for_each_space(
        y, [&](int left, int right) { draw(nearest(left + 1), nearest(right - 1)); });
  };
  // The border comes first, but what is filled afterwards need not be drawn.
  spaces.clear();
  for (int y = crossings.first(); y < crossings.end(); ++y) {
    Space space{1, 0};
    for_each_span(y, [&](int16_t left, int16_t right) {
      space = {std::min(left, right), std::max(left, right)};
    });
    spaces.push_back(space);
  }
  Outside outside(picture, crossings.first(), spaces);
  for (int i = 0; i < count; ++i) {
    draw_smooth_line(outside, pixels[static_cast<size_t>(i)],
                     pixels[static_cast<size_t>((i + 1) % count)], colour);
  }
  for (int y = crossings.first(); y < crossings.end(); ++y) {
    for_each_span(y, [&](int left, int right) { picture.span(left, right, y, colour); });
  }
}

}  // namespace box2d::picture
