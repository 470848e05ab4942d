#include "grid/tile_renderer.hpp"

#include <algorithm>
#include <cmath>

namespace minigrid {

TileRenderer::TileRenderer(int size)
    : size_(size), points_(3 * size), canvas_(static_cast<size_t>(points_ * points_ * 3), 0) {}

TileRenderer::Rgb TileRenderer::Rgb::times(double factor) const {
  return {static_cast<uint8_t>(factor * r), static_cast<uint8_t>(factor * g),
          static_cast<uint8_t>(factor * b)};
}

TileRenderer::Rgb TileRenderer::rgb(Color color) {
  constexpr Rgb colors[] = {{255, 0, 0},    {0, 255, 0},   {0, 0, 255},
                            {112, 39, 195}, {255, 255, 0}, {100, 100, 100}};
  return colors[static_cast<int>(color)];
}

template <class Shape>
void TileRenderer::fill(Shape&& inside, Rgb color) {
  uint8_t* p = canvas_.data();
  for (int y = 0; y < points_; ++y) {
    for (int x = 0; x < points_; ++x, p += 3) {
      if (!inside((x + 0.5) / points_, (y + 0.5) / points_)) continue;
      p[0] = color.r;
      p[1] = color.g;
      p[2] = color.b;
    }
  }
}

void TileRenderer::rectangle(double x0, double x1, double y0, double y1, Rgb color) {
  fill([=](double x, double y) { return x >= x0 && x <= x1 && y >= y0 && y <= y1; }, color);
}

void TileRenderer::circle(double cx, double cy, double r, Rgb color) {
  fill([=](double x, double y) { return (x - cx) * (x - cx) + (y - cy) * (y - cy) <= r * r; },
       color);
}

void TileRenderer::line(double x0, double y0, double x1, double y1, double r, Rgb color) {
  const float from_x = static_cast<float>(x0), from_y = static_cast<float>(y0);
  float along_x = static_cast<float>(x1) - from_x, along_y = static_cast<float>(y1) - from_y;
  const float length = std::sqrt(along_x * along_x + along_y * along_y);
  along_x /= length;
  along_y /= length;
  const double left = std::min(x0, x1) - r, right = std::max(x0, x1) + r;
  const double top = std::min(y0, y1) - r, bottom = std::max(y0, y1) + r;
  fill(
      [=](double x, double y) {
        if (x < left || x > right || y < top || y > bottom) return false;
        double a = (x - from_x) * along_x + (y - from_y) * along_y;
        a = std::min(std::max(a, 0.0), static_cast<double>(length));
        const double ex = x - (from_x + a * along_x), ey = y - (from_y + a * along_y);
        return std::sqrt(ex * ex + ey * ey) <= r;
      },
      color);
}

void TileRenderer::agent(int dir) {
  // A triangle, turned about the middle.
  const float ax = 0.12f, ay = 0.19f;
  const float v0x = 0.12f - ax, v0y = 0.81f - ay, v1x = 0.87f - ax, v1y = 0.50f - ay;
  const float d00 = v0x * v0x + v0y * v0y, d01 = v0x * v1x + v0y * v1y, d11 = v1x * v1x + v1y * v1y;
  const float scale = 1.0f / (d00 * d11 - d01 * d01);
  const double angle = 0.5 * 3.141592653589793 * dir;
  const double c = std::cos(-angle), s = std::sin(-angle);
  fill(
      [=](double x, double y) {
        x -= 0.5;
        y -= 0.5;
        const double v2x = 0.5 + x * c - y * s - ax, v2y = 0.5 + y * c + x * s - ay;
        const double d02 = v0x * v2x + v0y * v2y, d12 = v1x * v2x + v1y * v2y;
        const double u = (d11 * d02 - d01 * d12) * scale, v = (d00 * d12 - d01 * d02) * scale;
        return u >= 0 && v >= 0 && u + v < 1;
      },
      {255, 0, 0});
}

void TileRenderer::door(DoorState state, Rgb color) {
  const Rgb black{0, 0, 0};
  if (state == DoorState::open) {
    rectangle(0.88, 1.00, 0.00, 1.00, color);
    rectangle(0.92, 0.96, 0.04, 0.96, black);
    return;
  }
  rectangle(0, 1, 0, 1, color);
  if (state == DoorState::locked) {
    rectangle(0.06, 0.94, 0.06, 0.94, color.times(0.45));
    rectangle(0.52, 0.75, 0.50, 0.56, color);
    return;
  }
  rectangle(0.04, 0.96, 0.04, 0.96, black);
  rectangle(0.08, 0.92, 0.08, 0.92, color);
  rectangle(0.12, 0.88, 0.12, 0.88, black);
  circle(0.75, 0.50, 0.08, color);
}

void TileRenderer::lava() {
  const Rgb black{0, 0, 0};
  rectangle(0, 1, 0, 1, {255, 128, 0});
  for (int i = 0; i < 3; ++i) {
    const double low = 0.3 + 0.2 * i, high = 0.4 + 0.2 * i;
    line(0.1, low, 0.3, high, 0.03, black);
    line(0.3, high, 0.5, low, 0.03, black);
    line(0.5, low, 0.7, high, 0.03, black);
    line(0.7, high, 0.9, low, 0.03, black);
  }
}

void TileRenderer::object(Cell cell) {
  const Rgb color = rgb(color_of(cell)), black{0, 0, 0};
  switch (type_of(cell)) {
    case Type::wall:
    case Type::goal:
      rectangle(0, 1, 0, 1, color);
      break;
    case Type::lava:
      lava();
      break;
    case Type::door:
      door(state_of(cell), color);
      break;
    case Type::key:
      rectangle(0.50, 0.63, 0.31, 0.88, color);
      rectangle(0.38, 0.50, 0.59, 0.66, color);
      rectangle(0.38, 0.50, 0.81, 0.88, color);
      circle(0.56, 0.28, 0.190, color);
      circle(0.56, 0.28, 0.064, black);
      break;
    case Type::ball:
      circle(0.5, 0.5, 0.31, color);
      break;
    case Type::box:
      rectangle(0.12, 0.88, 0.12, 0.88, color);
      rectangle(0.18, 0.82, 0.18, 0.82, black);
      rectangle(0.16, 0.84, 0.47, 0.53, color);
      break;
    default:
      break;
  }
}

std::unique_ptr<uint8_t[]> TileRenderer::averaged() const {
  std::unique_ptr<uint8_t[]> out(new uint8_t[static_cast<size_t>(size_ * size_ * 3)]);
  uint8_t* pixel = out.get();
  for (int y = 0; y < size_; ++y) {
    for (int x = 0; x < size_; ++x) {
      for (int k = 0; k < 3; ++k) {
        double sum = 0;
        for (int j = 0; j < 3; ++j) {
          const uint8_t* p = &canvas_[static_cast<size_t>(((3 * y + j) * points_ + 3 * x) * 3 + k)];
          sum += static_cast<double>(p[0] + p[3] + p[6]) / 3.0;
        }
        *pixel++ = static_cast<uint8_t>(sum / 3.0);
      }
    }
  }
  return out;
}

std::unique_ptr<uint8_t[]> TileRenderer::tile(Cell cell, int dir, bool bright) {
  rectangle(0, 0.031, 0, 1, {100, 100, 100});
  rectangle(0, 1, 0, 0.031, {100, 100, 100});
  object(cell);
  if (dir < 4) agent(dir);
  if (bright) {
    for (uint8_t& p : canvas_) p = static_cast<uint8_t>(p + 0.30 * (255 - p));
  }
  return averaged();
}

}  // namespace minigrid
