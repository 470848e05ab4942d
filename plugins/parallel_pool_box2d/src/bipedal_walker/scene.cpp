#include "bipedal_walker/scene.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "picture/canvas.hpp"
#include "picture/polygon.hpp"
#include "picture/pygame_line.hpp"

namespace box2d::walker {
namespace {

using picture::Canvas;
using picture::Colour;
using picture::rgb;

constexpr double view_width = 600 / scale;

struct Colours {
  Colour inner;
  Colour border;
};

int whole(double x) {
  return static_cast<int>(x);
}

void draw_line(const Canvas& canvas, Point from, Point to, Colour colour) {
  picture::draw_line(canvas, whole(from.x), whole(from.y), whole(to.x), whole(to.y), colour);
}

b2Vec2 pixel_of(const b2Body& body, const b2Vec2& corner) {
  return static_cast<float>(scale) * b2Mul(body.GetTransform(), corner);
}

void draw_sky(const Canvas& canvas, const Terrain& terrain, double scroll) {
  const double left = scroll * scale;
  const Point corners[] = {{left, 0}, {left + 600, 0}, {left + 600, 400}, {left, 400}};
  picture::fill_polygon(canvas, corners, 4, rgb(215, 215, 255));
  for (const auto& cloud : terrain.clouds) {
    const auto [first, last] =
        std::minmax_element(cloud.begin(), cloud.end(), [](Point a, Point b) { return a.x < b.x; });
    if (last->x < scroll / 2 || first->x > scroll / 2 + view_width) continue;
    std::array<Point, 5> seen;
    for (size_t i = 0; i < seen.size(); ++i) {
      seen[i] = {cloud[i].x * scale + scroll * scale / 2, cloud[i].y * scale};
    }
    picture::fill_bordered(canvas, seen.data(), 5, rgb(255, 255, 255));
  }
}

void draw_earth(const Canvas& canvas, const Terrain& terrain, double scroll) {
  for (size_t i = 0; i + 1 < terrain.ground.size(); ++i) {
    const Point a = terrain.ground[i];
    const Point b = terrain.ground[i + 1];
    if (b.x < scroll || a.x > scroll + view_width) continue;
    const Point corners[] = {
        {a.x * scale, a.y * scale}, {b.x * scale, b.y * scale}, {b.x * scale, 0}, {a.x * scale, 0}};
    picture::fill_bordered(canvas, corners, 4, rgb(102, 153, 76));
  }
}

void draw_edge(const Canvas& canvas, const b2Body& body, bool bright) {
  const auto& shape = static_cast<const b2EdgeShape&>(*body.GetFixtureList()->GetShape());
  const b2Vec2 from = pixel_of(body, shape.m_vertex1);
  const b2Vec2 to = pixel_of(body, shape.m_vertex2);
  picture::draw_aaline(canvas, {from.x, from.y}, {to.x, to.y}, rgb(76, bright ? 255 : 204, 76));
}

void draw_body(const Canvas& canvas, const b2Body& body, const Colours& colours) {
  const auto& shape = static_cast<const b2PolygonShape&>(*body.GetFixtureList()->GetShape());
  std::array<Point, picture::most_corners + 1> corners{};
  const int count = shape.m_count;
  for (int i = 0; i <= count; ++i) {
    const b2Vec2 at = pixel_of(body, shape.m_vertices[i % count]);
    corners[static_cast<size_t>(i)] = {static_cast<double>(at.x), static_cast<double>(at.y)};
  }
  picture::fill_bordered(canvas, corners.data(), count, colours.inner);
  for (size_t i = 0; i < static_cast<size_t>(count); ++i) {
    draw_line(canvas, corners[i], corners[i + 1], colours.border);
  }
  picture::draw_smooth_border(canvas, corners.data(), count + 1, colours.border);
}

void draw_flag(const Canvas& canvas) {
  const double x = terrain_step * 3 * scale;
  const double foot = ground_level * scale;
  const double top = foot + 50;
  const auto at = [](double px, double py) {
    return picture::FloatPoint{static_cast<float>(px), static_cast<float>(py)};
  };
  picture::draw_aaline(canvas, at(x, foot), at(x, top), rgb(0, 0, 0));
  const Point corners[] = {{x, top}, {x, top - 10}, {x + 25, top - 5}};
  picture::fill_polygon(canvas, corners, 3, rgb(230, 51, 0));
  for (size_t i = 0; i < 3; ++i) draw_line(canvas, corners[i], corners[(i + 1) % 3], rgb(0, 0, 0));
}

}  // namespace

void Scene::draw(uint8_t* out) const {
  const b2Vec2 position = hull->GetPosition();
  const double scroll = static_cast<double>(position.x) - view_width / 5;
  // All that lies to the left, too: antialiased lines are cut at the border of the picture, which
  // moves their pixels.
  const int width = whole(600 + std::fmax(0.0, scroll) * scale);
  std::vector<Colour> pixels(static_cast<size_t>(width) * scene_height, 0);
  const Canvas canvas(pixels.data(), width, scene_height, width);
  draw_sky(canvas, terrain, scroll);
  draw_earth(canvas, terrain, scroll);

  const size_t turn = (step + 1) % 100;
  if (turn < 2 * rays.size()) {
    const Point to = rays[turn < rays.size() ? turn : 2 * rays.size() - turn - 1];
    draw_line(canvas,
              {static_cast<double>(position.x) * scale, static_cast<double>(position.y) * scale},
              {to.x * scale, to.y * scale}, rgb(255, 0, 0));
  }

  size_t edges = terrain.ground.size() - 1;
  for (const b2Body* each : ground) {
    if (edges > 0) {
      draw_edge(canvas, *each, --edges % 2 == 0);
    } else {
      draw_body(canvas, *each, {rgb(255, 255, 255), rgb(153, 153, 153)});
    }
  }
  for (size_t k = 0; k < legs.size(); ++k) {
    const int lighter = k < 2 ? 25 : -25;
    draw_body(canvas, *legs[k],
              {rgb(153 + lighter, 76 + lighter, 127 + lighter),
               rgb(102 + lighter, 51 + lighter, 76 + lighter)});
  }
  draw_body(canvas, *hull, {rgb(127, 51, 229), rgb(76, 76, 127)});
  draw_flag(canvas);
  picture::write_upside_down(
      Canvas(pixels.data() + (width - 600), scene_width, scene_height, width), out);
}

}  // namespace box2d::walker
