// Levels whose instruction is to go to an object or a door.
#ifndef PARALLEL_POOL_MINIGRID_BABYAI_GO_TO_HPP_
#define PARALLEL_POOL_MINIGRID_BABYAI_GO_TO_HPP_

#include "babyai/level.hpp"

namespace minigrid::babyai {

struct GoToObj final : Level {
  static constexpr const char* id = "minigrid/BabyAI-GoToObj-v0";
  using Options = RoomOptions;
  explicit GoToObj(const Options& options) { sized_rooms(options.room_size, 1, 1); }

 private:
  int build() override {
    agent_in_room();
    return instruct(Kind::go_to, same_as(add_distractors(any_room, any_room, 1, true).front()));
  }
};

struct GoToRedBall final : Level {
  static constexpr const char* id = "minigrid/BabyAI-GoToRedBall-v0";
  struct Options : RoomOptions {
    int64_t num_dists;
    bool grey_dists;
    static constexpr auto declared = pp::options(
        RoomOptions::declared,
        pp::option(&Options::num_dists, "num_dists", 7, "number of other objects",
                   pp::Range{0, 20}),
        pp::option(&Options::grey_dists, "grey_dists", false, "other objects are grey"));
  };
  explicit GoToRedBall(const Options& options)
      : num_dists_(options.num_dists), grey_(options.grey_dists) {
    sized_rooms(options.room_size, 1, 1);
  }

 private:
  int build() override {
    agent_in_room();
    const Id ball = add_object(0, 0, Type::ball, Color::red);
    for (const Id id : add_distractors(any_room, any_room, num_dists_, false)) {
      if (grey_) recolor(id, Color::grey);
    }
    require_reachable();
    return instruct(Kind::go_to, same_as(ball));
  }
  int64_t num_dists_;
  bool grey_;
};

struct GoToRedBlueBall final : Level {
  static constexpr const char* id = "minigrid/BabyAI-GoToRedBlueBall-v0";
  struct Options : RoomOptions {
    int64_t num_dists;
    static constexpr auto declared =
        pp::options(RoomOptions::declared, pp::option(&Options::num_dists, "num_dists", 7,
                                                      "number of other objects", pp::Range{0, 20}));
  };
  explicit GoToRedBlueBall(const Options& options) : num_dists_(options.num_dists) {
    sized_rooms(options.room_size, 1, 1);
  }

 private:
  int build() override {
    agent_in_room();
    for (const Id id : add_distractors(any_room, any_room, num_dists_, false)) {
      if (type(id) != Type::ball) continue;
      if (color(id) == Color::blue || color(id) == Color::red) throw Rejected{};
    }
    const Color color = integer(0, 2) == 0 ? Color::red : Color::blue;
    const Id ball = add_object(0, 0, Type::ball, color);
    require_reachable();
    return instruct(Kind::go_to, same_as(ball));
  }
  int64_t num_dists_;
};

struct GoToLocal final : Level {
  static constexpr const char* id = "minigrid/BabyAI-GoToLocal-v0";
  struct Options : RoomOptions {
    int64_t num_dists;
    static constexpr auto declared = pp::options(
        RoomOptions::declared,
        pp::option(&Options::num_dists, "num_dists", 8, "number of objects", pp::Range{1, 20}));
  };
  explicit GoToLocal(const Options& options) : num_dists_(options.num_dists) {
    sized_rooms(options.room_size, 1, 1);
  }

 private:
  int build() override {
    agent_in_room();
    const std::vector<Id> list = add_distractors(any_room, any_room, num_dists_, false);
    require_reachable();
    return instruct(Kind::go_to, same_as(pick(list)));
  }
  int64_t num_dists_;
};

struct GoTo final : Level {
  static constexpr const char* id = "minigrid/BabyAI-GoTo-v0";
  struct Options : MazeOptions {
    bool doors_open;
    static constexpr auto declared =
        pp::options(MazeOptions::declared,
                    pp::option(&Options::doors_open, "doors_open", false, "all doors are open"));
  };
  explicit GoTo(const Options& options)
      : num_dists_(options.num_dists), doors_open_(options.doors_open) {
    sized_rooms(options.room_size, options.num_rows, options.num_cols);
  }

 private:
  int build() override {
    agent_in_room();
    connect_all();
    const std::vector<Id> list = add_distractors(any_room, any_room, num_dists_, false);
    require_reachable();
    const int instruction = instruct(Kind::go_to, same_as(pick(list)));
    for (size_t id = first_id; doors_open_ && id < objects.size(); ++id) {
      if (type(static_cast<Id>(id)) != Type::door) continue;
      set_door(static_cast<Id>(id), objects[id].at, DoorState::open);
    }
    return instruction;
  }
  int64_t num_dists_;
  bool doors_open_;
};

struct GoToDoor final : Level {
  static constexpr const char* id = "minigrid/BabyAI-GoToDoor-v0";
  struct Options : RoomOptions {
    static constexpr auto declared =
        pp::options(RoomOptions::declared.with_default(&RoomOptions::room_size, 7));
  };
  explicit GoToDoor(const Options& options) { sized_rooms(options.room_size, 3, 3); }

 private:
  int build() override {
    std::vector<Id> doors;
    for (int n = 0; n < 4; ++n) doors.push_back(add_door(1, 1, any_side, any_color, Lock::chance));
    agent_in_room(1, 1);
    return instruct(Kind::go_to, described(Type::door, color(pick(doors))));
  }
};

struct GoToObjDoor final : Level {
  static constexpr const char* id = "minigrid/BabyAI-GoToObjDoor-v0";
  using Options = RoomOptions;
  explicit GoToObjDoor(const Options& options) { sized_rooms(options.room_size, 3, 3); }

 private:
  int build() override {
    agent_in_room(1, 1);
    std::vector<Id> list = add_distractors(1, 1, 8, false);
    for (int n = 0; n < 4; ++n) list.push_back(add_door(1, 1, any_side, any_color, Lock::chance));
    require_reachable();
    return instruct(Kind::go_to, same_as(pick(list)));
  }
};

struct ActionObjDoor final : Level {
  static constexpr const char* id = "minigrid/BabyAI-ActionObjDoor-v0";
  struct Options : RoomOptions {
    static constexpr auto declared =
        pp::options(RoomOptions::declared.with_default(&RoomOptions::room_size, 7));
  };
  explicit ActionObjDoor(const Options& options) { sized_rooms(options.room_size, 3, 3); }

 private:
  int build() override {
    std::vector<Id> list = add_distractors(1, 1, 5, true);
    for (int n = 0; n < 4; ++n) list.push_back(add_door(1, 1, any_side, any_color, Lock::no));
    agent_in_room(1, 1);
    const Id id = pick(list);
    if (coin()) return instruct(Kind::go_to, same_as(id));
    return instruct(type(id) == Type::door ? Kind::open : Kind::pickup, same_as(id));
  }
};

}  // namespace minigrid::babyai
#endif  // PARALLEL_POOL_MINIGRID_BABYAI_GO_TO_HPP_
