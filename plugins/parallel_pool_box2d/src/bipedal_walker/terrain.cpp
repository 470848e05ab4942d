#include "bipedal_walker/terrain.hpp"

#include <algorithm>
#include <cmath>

namespace box2d::walker {
namespace {

enum Kind { grass, stump, stairs, pit, kinds };

constexpr Material ground_material{0, 2.5};

struct Stairs {
  int64_t steps = 0;
  int64_t width = 0;
  int64_t direction = 0;  // 1 up, -1 down
};

Terrain::Block rectangle(double left, double right, double first, double second) {
  return {Point{left, first}, Point{right, first}, Point{right, second}, Point{left, second}};
}

}  // namespace

void Terrain::generate(pp::Rng& rng, bool hardcore) {
  blocks.clear();
  generate_ground(rng, hardcore);
  generate_clouds(rng);
}

void Terrain::generate_ground(pp::Rng& rng, bool hardcore) {
  Kind kind = grass;
  bool first = false;  // the first point of an obstacle
  int64_t left = start_pad;
  double velocity = 0;
  double y = ground_level;
  double before = 0;  // the height at which an obstacle begins
  Stairs flight;
  for (int i = 0; i < terrain_length; ++i) {
    const double x = i * terrain_step;
    if (kind == grass && !first) {
      const double up = ground_level - y;
      velocity = 0.8 * velocity + 0.01 * (up > 0 ? 1.0 : up < 0 ? -1.0 : 0.0);
      if (i > start_pad) velocity += rng.uniform(-1, 1) / scale;
      y += velocity;
    } else if (kind == pit && first) {
      left = rng.integers(3, 5);
      const double shift = terrain_step * static_cast<double>(left);
      blocks.push_back(rectangle(x, x + terrain_step, y, y - 4 * terrain_step));
      blocks.push_back(rectangle(x + shift, x + terrain_step + shift, y, y - 4 * terrain_step));
      left += 2;
      before = y;
    } else if (kind == pit) {
      y = before;
      if (left > 1) y -= 4 * terrain_step;
    } else if (kind == stump && first) {
      left = rng.integers(1, 3);
      const double size = static_cast<double>(left) * terrain_step;
      blocks.push_back(rectangle(x, x + size, y, y + size));
    } else if (kind == stairs && first) {
      flight.direction = rng.random() > 0.5 ? 1 : -1;
      flight.width = rng.integers(4, 5);
      flight.steps = rng.integers(3, 5);
      before = y;
      for (int64_t s = 0; s < flight.steps; ++s) {
        blocks.push_back(
            rectangle(x + static_cast<double>(s * flight.width) * terrain_step,
                      x + static_cast<double>((1 + s) * flight.width) * terrain_step,
                      y + static_cast<double>(s * flight.direction) * terrain_step,
                      y + static_cast<double>(-1 + s * flight.direction) * terrain_step));
      }
      left = flight.steps * flight.width;
    } else if (kind == stairs) {
      const int64_t s = flight.steps * flight.width - left - flight.direction;
      const double n = static_cast<double>(s) / static_cast<double>(flight.width);
      y = before + (n * static_cast<double>(flight.direction)) * terrain_step;
    }
    first = false;
    ground[static_cast<size_t>(i)] = {x, y};
    if (--left == 0) {
      left = rng.integers(grass_points / 2, grass_points);
      kind = kind == grass && hardcore ? static_cast<Kind>(rng.integers(1, kinds)) : grass;
      first = true;
    }
  }
}

void Terrain::generate_clouds(pp::Rng& rng) {
  for (auto& cloud : clouds) {
    const double x = rng.uniform(0, terrain_length) * terrain_step;
    const double y = 400 / scale * 3 / 4;
    for (size_t a = 0; a < cloud.size(); ++a) {
      const double turn = 3.14 * 2 * static_cast<double>(a) / 5;
      cloud[a].x = x + 15 * terrain_step * std::sin(turn) + rng.uniform(0, 5 * terrain_step);
      cloud[a].y = y + 5 * terrain_step * std::cos(turn) + rng.uniform(0, 5 * terrain_step);
    }
  }
}

void Terrain::build(b2World& world, std::vector<b2Body*>& bodies) const {
  for (const Block& block : blocks) {
    bodies.push_back(add_body(world, b2_staticBody, {0, 0}));
    add_fixture(*bodies.back(), polygon({block[0], block[1], block[2], block[3]}), ground_material);
  }
  for (size_t i = 0; i + 1 < ground.size(); ++i) {
    bodies.push_back(add_body(world, b2_staticBody, {0, 0}));
    add_fixture(*bodies.back(), edge(ground[i], ground[i + 1]), ground_material);
  }
  std::reverse(bodies.begin(), bodies.end());
}

}  // namespace box2d::walker
