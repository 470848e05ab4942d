#include "goal_direction.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

namespace minigrid {
namespace {

constexpr double pi = 3.141592653589793;

}  // namespace

void describe_goal_direction(pp::Spec& spec, GoalDirection form, bool has_goal) {
  if (!has_goal) {
    throw std::invalid_argument("goal_direction has to be 'none': this environment has no goal");
  }
  pp::Field& field = spec.add(PP_ROLE_OBS, "goal_direction", PP_KIND_BOX, PP_FLOAT64);
  if (form == GoalDirection::angle) field.bounds(-pi / 2, pi / 2);
  if (form == GoalDirection::angle_atan2) field.bounds(-pi, pi);
}

void GoalFinder::look(const World& world) {
  for (int y = 0; y < world.h; ++y) {
    for (int x = 0; x < world.w; ++x) {
      if (type_of(world.get({x, y})) != Type::goal) continue;
      goal_ = {x, y};
      return;
    }
  }
}

double GoalFinder::direction(const World& world) const {
  const double dx = goal_.x - world.at.x, dy = goal_.y - world.at.y;
  if (dx == 0 && dy == 0) return 0;
  if (form_ == GoalDirection::angle_atan2) return std::atan2(dy, dx);
  const double slope =
      dx == 0 ? std::copysign(std::numeric_limits<double>::infinity(), dy) : dy / dx;
  return form_ == GoalDirection::angle ? std::atan(slope) : slope;
}

}  // namespace minigrid
