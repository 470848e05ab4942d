// A task, as the code that all tasks share knows it: how a level of it is made, and its numbers.
#ifndef PARALLEL_POOL_MINIGRID_TASK_KIND_HPP_
#define PARALLEL_POOL_MINIGRID_TASK_KIND_HPP_

#include <memory>

#include "grid/world.hpp"
#include "options.hpp"

namespace minigrid {

struct TaskKind {
  // Takes the task's own options.
  std::unique_ptr<Task> (*make)(const CommonOptions& options);
  int actions;
  MissionSize mission_size;
  bool has_goal;
  bool made_ahead;
};

template <class Level>
inline constexpr TaskKind kind_of = {
    [](const CommonOptions& options) -> std::unique_ptr<Task> {
      return std::make_unique<Level>(static_cast<const typename Level::Options&>(options));
    },
    Level::actions, Level::mission_size, Level::has_goal, Level::made_ahead};

}  // namespace minigrid
#endif  // PARALLEL_POOL_MINIGRID_TASK_KIND_HPP_
