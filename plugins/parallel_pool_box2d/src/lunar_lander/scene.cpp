#include "lunar_lander/scene.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "picture/canvas.hpp"
#include "picture/polygon.hpp"
#include "picture/pygame_line.hpp"

namespace box2d::lunar {
namespace {

using picture::Canvas;
using picture::Colour;
using picture::rgb;

constexpr Colour black = rgb(0, 0, 0);
constexpr Colour white = rgb(255, 255, 255);
constexpr Colour body_colour = rgb(128, 102, 230);
constexpr Colour border_colour = rgb(77, 77, 128);
constexpr Colour flag_colour = rgb(204, 204, 0);

void draw_moon(const Canvas& canvas, const Flight& flight) {
  const auto& ground = flight.ground();
  for (size_t i = 0; i + 1 < ground.size(); ++i) {
    const Point corners[] = {{ground[i].x * scale, ground[i].y * scale},
                             {ground[i + 1].x * scale, ground[i + 1].y * scale},
                             {ground[i + 1].x * scale, world_height * scale},
                             {ground[i].x * scale, world_height * scale}};
    picture::fill_bordered(canvas, corners, 4, black);
  }
}

// Gymnasium draws them again after each body, and each time their borders cover more.
void draw_flags(const Canvas& canvas, const Flight& flight) {
  for (const size_t at : {4, 6}) {
    const double x = flight.ground()[at].x * scale;
    const double foot = flight.pad_height() * scale;
    const double top = foot + 50;
    const int column = static_cast<int>(x);
    for (int y = static_cast<int>(foot); y <= static_cast<int>(top); ++y)
      canvas.put(column, y, white);
    const Point corners[] = {{x, top}, {x, top - 10}, {x + 25, top - 5}};
    picture::fill_bordered(canvas, corners, 3, flag_colour);
  }
}

void draw_body(const Canvas& canvas, const b2Body& body) {
  const auto& shape = static_cast<const b2PolygonShape&>(*body.GetFixtureList()->GetShape());
  std::array<Point, picture::most_corners> corners;
  std::array<picture::FloatPoint, picture::most_corners> places;
  for (int i = 0; i < shape.m_count; ++i) {
    const b2Vec2 at = static_cast<float>(scale) * b2Mul(body.GetTransform(), shape.m_vertices[i]);
    corners[static_cast<size_t>(i)] = {static_cast<double>(at.x), static_cast<double>(at.y)};
    places[static_cast<size_t>(i)] = {at.x, at.y};
  }
  picture::fill_bordered(canvas, corners.data(), shape.m_count, body_colour);
  picture::draw_aaline_loop(canvas, places.data(), shape.m_count, border_colour);
}

void draw_particle(const Canvas& canvas, const Flight::Particle& particle) {
  const b2Vec2 at = static_cast<float>(scale) * particle.body->GetPosition();
  const int bright = static_cast<int>(std::max(0.2, 0.15 + particle.left) * 255);
  const int dark = static_cast<int>(std::max(0.2, 0.5 * particle.left) * 255);
  picture::fill_circle(canvas, static_cast<int>(at.x), static_cast<int>(at.y), 2,
                       rgb(bright, dark, dark));
}

}  // namespace

void draw_scene(const Flight& flight, uint8_t* out) {
  std::vector<Colour> pixels(static_cast<size_t>(scene_width) * scene_height, white);
  const Canvas canvas(pixels.data(), scene_width, scene_height, scene_width);
  draw_moon(canvas, flight);
  for (const Flight::Particle& each : flight.exhaust()) {
    draw_particle(canvas, each);
    draw_flags(canvas, flight);
  }
  for (const b2Body* each : {flight.lander(), static_cast<const b2Body*>(flight.legs()[0]),
                             static_cast<const b2Body*>(flight.legs()[1])}) {
    draw_body(canvas, *each);
    draw_flags(canvas, flight);
  }
  picture::write_upside_down(canvas, out);
}

}  // namespace box2d::lunar
