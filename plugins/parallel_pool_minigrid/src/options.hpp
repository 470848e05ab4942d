// The options of all environments: how an episode goes, and what is observed.
#ifndef PARALLEL_POOL_MINIGRID_OPTIONS_HPP_
#define PARALLEL_POOL_MINIGRID_OPTIONS_HPP_

#include <string>
#include <vector>

#include "parallel_pool/env.hpp"

namespace minigrid {

enum class Mission : uint8_t { text, bytes, words };
enum class Image : uint8_t { partial, full, symbolic, one_hot, rgb, rgb_partial };
enum class GoalDirection : uint8_t { none, slope, angle, angle_atan2 };

struct CommonOptions {
  int64_t max_steps;
  int64_t agent_view_size;
  Image image;
  int64_t tile_size;
  bool highlight;
  Mission mission;
  GoalDirection goal_direction;
  std::string no_death;
  double death_cost;
  bool stochastic_actions;
  double action_prob;
  int64_t random_action;
  bool action_bonus;
  double position_bonus;
  static constexpr auto declared = pp::options(
      pp::option(&CommonOptions::max_steps, "max_steps", 0,
                 "steps of an episode; 0: as many as the level's rules say", pp::Range{0, 1000000}),
      pp::option(&CommonOptions::agent_view_size, "agent_view_size", 7,
                 "cells per side of the view, an odd number", pp::Range{3, 15}),
      pp::option(&CommonOptions::image, "image", Image::partial, "what the image shows",
                 {{"partial", Image::partial},
                  {"full", Image::full},
                  {"symbolic", Image::symbolic},
                  {"one_hot", Image::one_hot},
                  {"rgb", Image::rgb},
                  {"rgb_partial", Image::rgb_partial}}),
      pp::option(&CommonOptions::tile_size, "tile_size", 8, "pixels per side of a cell in pictures",
                 pp::Range{1, 64}),
      pp::option(&CommonOptions::highlight, "highlight", true,
                 "brighten what the agent sees in pictures of the grid"),
      pp::option(&CommonOptions::mission, "mission", Mission::text,
                 "a text, its bytes padded with zeros, or numbers of its words",
                 {{"text", Mission::text}, {"bytes", Mission::bytes}, {"words", Mission::words}}),
      pp::option(&CommonOptions::goal_direction, "goal_direction", GoalDirection::none,
                 "observe the direction to the goal too, in this form",
                 {{"none", GoalDirection::none},
                  {"slope", GoalDirection::slope},
                  {"angle", GoalDirection::angle},
                  {"angle_atan2", GoalDirection::angle_atan2}}),
      pp::option(&CommonOptions::no_death, "no_death", "",
                 "kinds of cells that end no episode, separated by commas: lava, ball ..."),
      pp::option(&CommonOptions::death_cost, "death_cost", -1.0,
                 "added to the reward where no_death keeps an episode going"),
      pp::option(&CommonOptions::stochastic_actions, "stochastic_actions", false,
                 "another action may take the place of the given one"),
      pp::option(&CommonOptions::action_prob, "action_prob", 0.9,
                 "probability of the given action among stochastic_actions", pp::Range{0, 1}),
      pp::option(&CommonOptions::random_action, "random_action", -1,
                 "the action in place of the given one; -1: any", pp::Range{-1, 6}),
      pp::option(&CommonOptions::action_bonus, "action_bonus", false,
                 "reward 1 / sqrt(n) more for the n-th time of an action at a place"),
      pp::option(&CommonOptions::position_bonus, "position_bonus", 0.0,
                 "reward so many times 1 / sqrt(n) more for the n-th step at a place"));
};

struct SizeOptions : CommonOptions {
  int64_t size;
  static constexpr auto declared =
      pp::options(CommonOptions::declared,
                  pp::option(&SizeOptions::size, "size", 8, "cells per side", pp::Range{5, 64}));
};

struct CountOptions : SizeOptions {
  int64_t num_objs;
  static constexpr auto declared = pp::options(
      SizeOptions::declared,
      pp::option(&CountOptions::num_objs, "num_objs", 2, "number of objects", pp::Range{2, 4}));
};

struct RoomOptions : CommonOptions {
  int64_t room_size;
  static constexpr auto declared = pp::options(
      CommonOptions::declared, pp::option(&RoomOptions::room_size, "room_size", 8,
                                          "cells per side of a room", pp::Range{4, 20}));
};

struct RoomRowsOptions : CommonOptions {
  int64_t room_size;
  int64_t num_rows;
  static constexpr auto declared = pp::options(
      CommonOptions::declared,
      pp::option(&RoomRowsOptions::room_size, "room_size", 6, "cells per side of a room",
                 pp::Range{3, 20}),
      pp::option(&RoomRowsOptions::num_rows, "num_rows", 3, "rows of rooms", pp::Range{1, 5}));
};

struct MazeOptions : RoomOptions {
  int64_t num_rows;
  int64_t num_cols;
  int64_t num_dists;
  static constexpr auto declared = pp::options(
      RoomOptions::declared,
      pp::option(&MazeOptions::num_rows, "num_rows", 3, "rows of rooms", pp::Range{1, 5}),
      pp::option(&MazeOptions::num_cols, "num_cols", 3, "columns of rooms", pp::Range{1, 5}),
      pp::option(&MazeOptions::num_dists, "num_dists", 18, "number of objects", pp::Range{1, 60}));
};

struct TwoRoomOptions : RoomOptions {
  int64_t objs_per_room;
  static constexpr auto declared = pp::options(
      RoomOptions::declared, pp::option(&TwoRoomOptions::objs_per_room, "objs_per_room", 4,
                                        "objects in each of the two rooms", pp::Range{1, 9}));
};

}  // namespace minigrid
#endif  // PARALLEL_POOL_MINIGRID_OPTIONS_HPP_
