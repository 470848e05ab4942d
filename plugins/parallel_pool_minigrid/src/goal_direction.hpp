// The direction from the agent to the goal, as minigrid's DirectionObsWrapper gives it.
#ifndef PARALLEL_POOL_MINIGRID_GOAL_DIRECTION_HPP_
#define PARALLEL_POOL_MINIGRID_GOAL_DIRECTION_HPP_

#include "grid/world.hpp"
#include "options.hpp"

namespace minigrid {

// Adds the field. Throws std::invalid_argument where the task has no goal.
void describe_goal_direction(pp::Spec& spec, GoalDirection form, bool has_goal);

// Finds the goal in one lane.
class GoalFinder {
 public:
  explicit GoalFinder(GoalDirection form) : form_(form) {}

  void look(const World& world);  // in a new level, where the goal then stays
  double direction(const World& world) const;

 private:
  GoalDirection form_;
  Pos goal_;
};

}  // namespace minigrid
#endif  // PARALLEL_POOL_MINIGRID_GOAL_DIRECTION_HPP_
