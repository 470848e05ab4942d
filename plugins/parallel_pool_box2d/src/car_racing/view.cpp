#include "car_racing/view.hpp"

#include <algorithm>
#include <cmath>

#include "car_racing/camera.hpp"
#include "picture/polygon.hpp"
#include "picture/pygame_line.hpp"
#include "picture/smooth_scale.hpp"

namespace box2d::racing {
namespace {

using picture::Colour;
using picture::Patchwork;

constexpr double patch_side = playfield / 20.0;  // side of a patch of grass
// More than the diagonal of a patch, which is the longest of what is drawn on the field.
constexpr double longest = patch_side * 1.5;
constexpr int frame_width = 1000;
constexpr int frame_height = 800;
constexpr int panel_height = frame_height / 8;  // the height of the instruments, at the bottom
constexpr Colour wheel_colour = picture::rgb(0, 0, 0);
constexpr Colour mark_colour = picture::rgb(77, 77, 77);
constexpr Colour hull_colour = picture::rgb(204, 0, 0);

Colour colour_of(const std::array<double, 3>& c, double lighter = 0) {
  return picture::rgb(static_cast<int>(c[0] + lighter), static_cast<int>(c[1] + lighter),
                      static_cast<int>(c[2] + lighter));
}

// The field, its grass, the road and its curbs.
class Ground {
 public:
  Ground(Patchwork& picture, const Camera& camera, Point car)
      : picture_(picture), camera_(camera), car_(car), reach_(camera.reach() + longest) {}

  void draw(const Race& race, const Colours& colours) {
    draw_field(colour_of(colours.field));
    draw_grass(colour_of(colours.grass));
    size_t curb = 0;
    const Track& track = race.track();
    for (size_t i = 0; i < track.tiles.size(); ++i) {
      const bool near = is_near(track.tiles[i]);
      if (near) {
        const double lighter = race.touched(i) ? 0 : 0.01 * static_cast<double>(i % 3) * 255;
        draw_quad(track.tiles[i], colour_of(colours.road, lighter));
      }
      if (curb < track.curbs.size() && track.curbs[curb].tile == i) {
        if (near) {
          draw_quad(track.curbs[curb].corners,
                    i % 2 == 0 ? picture::rgb(255, 255, 255) : picture::rgb(255, 0, 0));
        }
        ++curb;
      }
    }
  }

 private:
  void draw_field(Colour colour) {
    constexpr double edge = playfield;
    const bool all = std::max(std::abs(car_.x), std::abs(car_.y)) + camera_.reach() < edge;
    picture_.clear(all ? colour : picture::rgb(0, 0, 0));
    if (all) return;
    draw_quad({Point{edge, edge}, Point{edge, -edge}, Point{-edge, -edge}, Point{-edge, edge}},
              colour);
  }
  void draw_grass(Colour colour) {
    for (int i = -20; i < 20; i += 2) {
      for (int j = -20; j < 20; j += 2) {
        const double x = patch_side * i;
        const double y = patch_side * j;
        const Quad patch{Point{x + patch_side, y}, Point{x, y}, Point{x, y + patch_side},
                         Point{x + patch_side, y + patch_side}};
        if (is_near(patch)) draw_quad(patch, colour);
      }
    }
  }
  // False only if nothing of it is seen.
  bool is_near(const Quad& quad) const {
    return std::max(std::abs(quad[0].x - car_.x), std::abs(quad[0].y - car_.y)) <= reach_;
  }
  void draw_quad(const Quad& quad, Colour colour) {
    Quad seen;
    for (size_t i = 0; i < quad.size(); ++i) seen[i] = camera_(quad[i]);
    const auto [left, right] = std::minmax({seen[0].x, seen[1].x, seen[2].x, seen[3].x});
    const auto [top, bottom] = std::minmax({seen[0].y, seen[1].y, seen[2].y, seen[3].y});
    if (right <= -1 || left >= picture_.width() || bottom <= -1 || top >= picture_.height()) return;
    picture::fill_smooth_polygon(picture_, seen.data(), static_cast<int>(seen.size()), colour);
  }

  Patchwork& picture_;
  const Camera& camera_;
  Point car_;
  double reach_;
};

void draw_shape(Patchwork& picture, const Camera& camera, const b2Transform& place,
                const b2Vec2* corners, int count, Colour colour) {
  std::array<Point, picture::most_corners> seen;
  for (int i = 0; i < count; ++i) {
    const b2Vec2 at = b2Mul(place, corners[i]);
    seen[static_cast<size_t>(i)] = camera({static_cast<double>(at.x), static_cast<double>(at.y)});
  }
  picture::fill_polygon(picture, seen.data(), count, colour);
}

void draw_body(Patchwork& picture, const Camera& camera, const b2Body& body, Colour colour) {
  for (const b2Fixture* each = body.GetFixtureList(); each != nullptr; each = each->GetNext()) {
    const auto& shape = static_cast<const b2PolygonShape&>(*each->GetShape());
    draw_shape(picture, camera, body.GetTransform(), shape.m_vertices, shape.m_count, colour);
  }
}

// A stripe on the tyre, seen on its upper half.
void draw_mark(Patchwork& picture, const Camera& camera, const Wheel& wheel) {
  const double from = wheel.phase;
  const double to = wheel.phase + 1.2;
  double upper = std::cos(from);
  double lower = std::cos(to);
  const bool hidden_from = std::sin(from) > 0;
  const bool hidden_to = std::sin(to) > 0;
  if (hidden_from && hidden_to) return;
  if (hidden_from) upper = sign(upper);
  if (hidden_to) lower = sign(lower);
  const double width = wheel_width * car_size;
  const b2Vec2 corners[] = {
      vec(-width, wheel_radius * upper * car_size), vec(width, wheel_radius * upper * car_size),
      vec(width, wheel_radius * lower * car_size), vec(-width, wheel_radius * lower * car_size)};
  draw_shape(picture, camera, wheel.body->GetTransform(), corners, 4, mark_colour);
}

void draw_car(Patchwork& picture, const Camera& camera, const Car& car) {
  for (const Wheel& each : car.wheels()) {
    draw_body(picture, camera, *each.body, wheel_colour);
    draw_mark(picture, camera, each);
  }
  draw_body(picture, camera, *car.hull(), hull_colour);
}

void draw_marks(Patchwork& picture, const Camera& camera, const SkidMarks& marks) {
  for (const auto& mark : marks.marks()) {
    const Colour colour = mark->on_grass ? picture::rgb(102, 102, 0) : picture::rgb(0, 0, 0);
    for (size_t i = 1; i < mark->points.size(); ++i) {
      const Point from = camera(mark->points[i - 1]);
      const Point to = camera(mark->points[i]);
      picture::draw_double_line(picture, static_cast<int>(from.x), static_cast<int>(from.y),
                                static_cast<int>(to.x), static_cast<int>(to.y), colour);
    }
  }
}

// Bars of speed, wheels, steering and turning on a black panel.
class Instruments {
 public:
  explicit Instruments(Patchwork& picture)
      : picture_(picture),
        w_(picture.width()),
        h_(picture.height()),
        column_(w_ / 40.0),
        line_(h_ / 40.0) {}

  void draw(const Car& car) const {
    const double top = h_ - panel_height;
    fill({Point{w_, h_}, Point{w_, top}, Point{0, top}, Point{0, h_}}, picture::rgb(0, 0, 0));
    const b2Vec2 v = car.hull()->GetLinearVelocity();
    const double x = v.x;
    const double y = v.y;
    const double speed = std::sqrt(x * x + y * y);
    upright(5, speed, 0.02 * speed, picture::rgb(255, 255, 255));
    for (int k = 0; k < 4; ++k) {
      const double omega = car.wheels()[static_cast<size_t>(k)].omega;
      upright(7 + k, omega, 0.01 * omega,
              k < 2 ? picture::rgb(0, 0, 255) : picture::rgb(51, 0, 255));
    }
    const double steering = car.wheels()[0].joint->GetJointAngle();
    level(20, steering, -10.0 * steering, picture::rgb(0, 255, 0));
    const double turning = car.hull()->GetAngularVelocity();
    level(30, turning, -0.8 * turning, picture::rgb(255, 0, 0));
  }

 private:
  static bool is_shown(double value) { return std::abs(value) > 1e-4; }
  void upright(int place, double value, double length, Colour colour) const {
    if (!is_shown(value)) return;
    const double top = h_ - (line_ + line_ * length);
    const double bottom = h_ - line_;
    fill({Point{place * column_, top}, Point{(place + 1) * column_, top},
          Point{(place + 1) * column_, bottom}, Point{place * column_, bottom}},
         colour);
  }
  void level(int place, double value, double length, Colour colour) const {
    if (!is_shown(value)) return;
    const double left = place * column_;
    const double right = (place + length) * column_;
    fill({Point{left, h_ - 4 * line_}, Point{right, h_ - 4 * line_}, Point{right, h_ - 2 * line_},
          Point{left, h_ - 2 * line_}},
         colour);
  }
  void fill(const Quad& quad, Colour colour) const {
    picture::fill_polygon(picture_, quad.data(), 4, colour);
  }

  Patchwork& picture_;
  double w_;
  double h_;
  double column_;
  double line_;
};

}  // namespace

template <int Width, int Height>
void draw_view(const Race& race, const Colours& colours, const picture::Score& digits, double score,
               uint8_t* rgb) {
  // Some megabytes that all environments of a thread share.
  thread_local picture::SmoothScale scale(frame_width, frame_height, Width, Height);
  Patchwork& picture = scale.picture();
  const b2Vec2 at = race.car().hull()->GetPosition();
  const Camera camera(*race.car().hull(), race.time(), frame_width, frame_height);
  picture.set_upside_down(true);
  picture.set_first_row(panel_height);
  Ground(picture, camera, {at.x, at.y}).draw(race, colours);
  if (race.car().marks() != nullptr) draw_marks(picture, camera, *race.car().marks());
  draw_car(picture, camera, race.car());
  picture.set_upside_down(false);
  picture.set_first_row(0);
  Instruments(picture).draw(race.car());
  digits.draw(picture, score, 60, 750);
  scale.write(rgb);
}

template void draw_view<observation_side, observation_side>(const Race&, const Colours&,
                                                            const picture::Score&, double,
                                                            uint8_t*);
template void draw_view<film_width, film_height>(const Race&, const Colours&, const picture::Score&,
                                                 double, uint8_t*);

}  // namespace box2d::racing
