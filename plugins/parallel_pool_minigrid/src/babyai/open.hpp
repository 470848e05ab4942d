// Levels whose instruction is to open doors, which need no key.
#ifndef PARALLEL_POOL_MINIGRID_BABYAI_OPEN_HPP_
#define PARALLEL_POOL_MINIGRID_BABYAI_OPEN_HPP_

#include "babyai/level.hpp"

namespace minigrid::babyai {

struct Open final : Level {
  static constexpr const char* id = "minigrid/BabyAI-Open-v0";
  using Options = RoomOptions;
  explicit Open(const Options& options) { sized_rooms(options.room_size, 3, 3); }

 private:
  int build() override {
    agent_in_room();
    connect_all();
    add_distractors(any_room, any_room, 18, false);
    require_reachable();
    std::vector<Id> doors;  // each twice, once for each of its rooms
    for (int i = 0; i < columns; ++i) {
      for (int j = 0; j < rows; ++j) {
        for (const Id id : room(i, j).doors) {
          if (id != nothing) doors.push_back(id);
        }
      }
    }
    return instruct(Kind::open, same_as(pick(doors)));
  }
};

struct OpenRedDoor final : Level {
  static constexpr const char* id = "minigrid/BabyAI-OpenRedDoor-v0";
  using Options = CommonOptions;
  explicit OpenRedDoor(const Options&) { sized_rooms(5, 1, 2); }

 private:
  int build() override {
    add_door(0, 0, 0, Color::red, Lock::no);
    agent_in_room(0, 0);
    return instruct(Kind::open, described(Type::door, Color::red));
  }
};

enum class SelectBy : uint8_t { any, color, loc };

struct OpenDoor final : Level {
  static constexpr const char* id = "minigrid/BabyAI-OpenDoor-v0";
  struct Options : RoomOptions {
    bool debug;
    SelectBy select_by;
    static constexpr auto declared = pp::options(
        RoomOptions::declared,
        pp::option(&Options::debug, "debug", false, "another door ends the episode"),
        pp::option(&Options::select_by, "select_by", SelectBy::any, "how the door is described",
                   {{"any", SelectBy::any}, {"color", SelectBy::color}, {"loc", SelectBy::loc}}));
  };
  explicit OpenDoor(const Options& options) : debug_(options.debug), select_by_(options.select_by) {
    sized_rooms(options.room_size, 3, 3);
  }

 private:
  int build() override {
    const std::vector<Color> chosen = colors(4);
    for (int n = 0; n < 4; ++n) add_door(1, 1, n, chosen[static_cast<size_t>(n)], Lock::no);
    const bool by_color =
        select_by_ == SelectBy::any ? integer(0, 2) == 0 : select_by_ == SelectBy::color;
    Description door = described(Type::door, by_color ? chosen[0] : any_color);
    if (!by_color) door.where = static_cast<Where>(integer(0, 4));
    agent_in_room(1, 1);
    return instruct(Kind::open, door, debug_);
  }
  bool debug_;
  SelectBy select_by_;
};

struct OpenTwoDoors final : Level {
  static constexpr const char* id = "minigrid/BabyAI-OpenTwoDoors-v0";
  struct Options : CommonOptions {
    bool red_blue;
    bool strict;
    static constexpr auto declared = pp::options(
        CommonOptions::declared,
        pp::option(&Options::red_blue, "red_blue", false, "the red door, then the blue one"),
        pp::option(&Options::strict, "strict", false, "another door first ends the episode"));
  };
  explicit OpenTwoDoors(const Options& options)
      : red_blue_(options.red_blue), strict_(options.strict) {
    sized_rooms(6, 3, 3, 20 * 36);
    limit_given = true;
  }

 private:
  int build() override {
    const std::vector<Color> chosen = colors(2);
    const Id a = add_door(1, 1, 2, red_blue_ ? Color::red : chosen[0], Lock::no);
    const Id b = add_door(1, 1, 0, red_blue_ ? Color::blue : chosen[1], Lock::no);
    agent_in_room(1, 1);
    const int first = instruct(Kind::open, same_as(a), strict_);
    const int second = instruct(Kind::open, same_as(b));
    return combine(Kind::before, first, second);
  }
  bool red_blue_;
  bool strict_;
};

struct OpenDoorsOrder final : Level {
  static constexpr const char* id = "minigrid/BabyAI-OpenDoorsOrder-v0";
  struct Options : CommonOptions {
    int64_t num_doors;
    bool debug;
    static constexpr auto declared = pp::options(
        CommonOptions::declared,
        pp::option(&Options::num_doors, "num_doors", 2, "number of doors", pp::Range{2, 4}),
        pp::option(&Options::debug, "debug", false, "another door ends the episode"));
  };
  explicit OpenDoorsOrder(const Options& options)
      : num_doors_(static_cast<int>(options.num_doors)), debug_(options.debug) {
    sized_rooms(6, 3, 3, 20 * 36);
    limit_given = true;
  }

 private:
  int build() override {
    std::vector<Id> doors;
    for (const Color color : colors(num_doors_)) {
      doors.push_back(add_door(1, 1, any_side, color, Lock::no));
    }
    agent_in_room(1, 1);
    const std::vector<Id> both = subset(doors, 2);
    const int mode = integer(0, 3);
    const int a = instruct(Kind::open, same_as(both[0]), debug_);
    if (mode == 0) return a;
    const int b = instruct(Kind::open, same_as(both[1]), debug_);
    return combine(mode == 1 ? Kind::before : Kind::after, a, b);
  }
  int num_doors_;
  bool debug_;
};

}  // namespace minigrid::babyai
#endif  // PARALLEL_POOL_MINIGRID_BABYAI_OPEN_HPP_
