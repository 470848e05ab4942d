// The options of all environments: how an episode ends, and what is observed.
#ifndef PARALLEL_POOL_MINIGRID_OPTIONS_HPP_
#define PARALLEL_POOL_MINIGRID_OPTIONS_HPP_

#include "parallel_pool/env.hpp"

namespace minigrid {

enum class Image : uint8_t { partial, full, one_hot, rgb, rgb_partial };
enum class Mission : uint8_t { text, bytes, words };

struct CommonOptions {
  int64_t max_steps;
  int64_t agent_view_size;
  Image image;
  int64_t tile_size;
  bool highlight;
  Mission mission;
  static constexpr auto declared = pp::options(
      pp::option(&CommonOptions::max_steps, "max_steps", 0,
                 "steps of an episode; 0: as many as the level's rules say", pp::Range{0, 1000000}),
      pp::option(&CommonOptions::agent_view_size, "agent_view_size", 7,
                 "cells per side of the view, an odd number", pp::Range{3, 15}),
      pp::option(&CommonOptions::image, "image", Image::partial, "what the image shows",
                 {{"partial", Image::partial},
                  {"full", Image::full},
                  {"one_hot", Image::one_hot},
                  {"rgb", Image::rgb},
                  {"rgb_partial", Image::rgb_partial}}),
      pp::option(&CommonOptions::tile_size, "tile_size", 8, "pixels per side of a cell in pictures",
                 pp::Range{1, 64}),
      pp::option(&CommonOptions::highlight, "highlight", true,
                 "brighten what the agent sees in pictures of the grid"),
      pp::option(&CommonOptions::mission, "mission", Mission::text,
                 "a text, its bytes padded with zeros, or numbers of its words",
                 {{"text", Mission::text}, {"bytes", Mission::bytes}, {"words", Mission::words}}));
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
