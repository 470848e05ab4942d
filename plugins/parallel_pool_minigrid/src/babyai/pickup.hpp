// Levels whose instruction is to pick up an object.
#ifndef PARALLEL_POOL_MINIGRID_BABYAI_PICKUP_HPP_
#define PARALLEL_POOL_MINIGRID_BABYAI_PICKUP_HPP_

#include "babyai/level.hpp"

namespace minigrid::babyai {

struct Pickup final : Level {
  static constexpr const char* id = "minigrid/BabyAI-Pickup-v0";
  struct Options : RoomOptions {
    bool unblock;
    static constexpr auto declared = pp::options(
        RoomOptions::declared,
        pp::option(&Options::unblock, "unblock", false, "something is in the way of an object"));
  };
  explicit Pickup(const Options& options) : unblock_(options.unblock) {
    sized_rooms(options.room_size, 3, 3);
  }

 private:
  int build() override {
    agent_in_room();
    connect_all();
    const std::vector<Id> list = add_distractors(any_room, any_room, unblock_ ? 20 : 18, false);
    if (all_reachable() == unblock_) throw Rejected{};
    return instruct(Kind::pickup, same_as(pick(list)));
  }
  bool unblock_;
};

struct PickupDist final : Level {
  static constexpr const char* id = "minigrid/BabyAI-PickupDist-v0";
  struct Options : CommonOptions {
    bool debug;
    static constexpr auto declared =
        pp::options(CommonOptions::declared,
                    pp::option(&Options::debug, "debug", false, "another object ends the episode"));
  };
  explicit PickupDist(const Options& options) : debug_(options.debug) { sized_rooms(7, 1, 1); }

 private:
  int build() override {
    const std::vector<Id> list = add_distractors(any_room, any_room, 5, true);
    agent_in_room(0, 0);
    Description d = same_as(pick(list));
    const int by = integer(0, 3);  // its type, its colour, both
    if (by == 0) d.color = any_color;
    if (by == 1) d.type = any_type;
    return instruct(Kind::pickup, d, debug_);
  }
  bool debug_;
};

struct PickupAbove final : Level {
  static constexpr const char* id = "minigrid/BabyAI-PickupAbove-v0";
  using Options = CommonOptions;
  explicit PickupAbove(const Options&) {
    sized_rooms(6, 3, 3, 8 * 36);
    limit_given = true;
  }

 private:
  int build() override {
    const Id id = add_object(1, 0);
    add_door(1, 1, 3, any_color, Lock::no);
    agent_in_room(1, 1);
    connect_all();
    return instruct(Kind::pickup, same_as(id));
  }
};

struct OneRoom final : Level {
  static constexpr const char* id = "minigrid/BabyAI-OneRoom-v0";
  using Options = RoomOptions;
  explicit OneRoom(const Options& options) { sized_rooms(options.room_size, 1, 1); }

 private:
  int build() override {
    add_object(0, 0, Type::ball);
    agent_in_room();
    return instruct(Kind::pickup, described(Type::ball));
  }
};

struct FindObj final : Level {
  static constexpr const char* id = "minigrid/BabyAI-FindObj-v0";
  using Options = RoomOptions;
  explicit FindObj(const Options& options) {
    sized_rooms(options.room_size, 3, 3, 20 * options.room_size * options.room_size);
    limit_given = true;
  }

 private:
  int build() override {
    const int i = integer(0, rows);
    const int j = integer(0, columns);
    const Id id = add_object(i, j);
    agent_in_room(1, 1);
    connect_all();
    return instruct(Kind::pickup, described(type(id)));
  }
};

struct KeyCorridor final : Level {
  static constexpr const char* id = "minigrid/BabyAI-KeyCorridor-v0";
  using Options = RoomRowsOptions;
  explicit KeyCorridor(const Options& options) {
    sized_rooms(options.room_size, options.num_rows, 3, 30 * options.room_size * options.room_size);
    limit_given = true;
  }

 private:
  int build() override {
    for (int j = 1; j < rows; ++j) remove_wall(1, j, 3);
    const int row = integer(0, rows);
    const Id door = add_door(2, row, 2, any_color, Lock::yes);
    add_object(2, row, Type::ball);
    const int key_row = integer(0, rows);
    add_object(0, key_row, Type::key, color(door));
    agent_in_room(1, rows / 2);
    connect_all();
    return instruct(Kind::pickup, described(Type::ball));
  }
};

}  // namespace minigrid::babyai
#endif  // PARALLEL_POOL_MINIGRID_BABYAI_PICKUP_HPP_
