// Levels with locked doors and their keys.
#ifndef PARALLEL_POOL_MINIGRID_BABYAI_UNLOCK_HPP_
#define PARALLEL_POOL_MINIGRID_BABYAI_UNLOCK_HPP_

#include "babyai/level.hpp"

namespace minigrid::babyai {

// The original compares numpy's integers by identity, which never holds: the key and the objects
// may lie in the locked room too.
struct LockedMaze : Level {
 protected:
  struct Locked {
    int i;
    int j;
    Id door;
  };
  Locked lock_a_room();
  void key_of(const Locked& locked);
  void fill(const Locked& locked, int num_dists);
};

inline LockedMaze::Locked LockedMaze::lock_a_room() {
  const int i = integer(0, columns);
  const int j = integer(0, rows);
  return {i, j, add_door(i, j, any_side, any_color, Lock::yes)};
}
inline void LockedMaze::key_of(const Locked& locked) {
  const int i = integer(0, columns);
  const int j = integer(0, rows);
  add_object(i, j, Type::key, color(locked.door));
}
inline void LockedMaze::fill(const Locked& locked, int num_dists) {
  for (int i = 0; i < columns; ++i) {
    for (int j = 0; j < rows; ++j) add_distractors(i, j, num_dists, false);
  }
  do agent_in_room();
  while (room_at(at) == locked.j * columns + locked.i);
  require_reachable();
}

struct GoToImpUnlock final : LockedMaze {
  static constexpr const char* id = "minigrid/BabyAI-GoToImpUnlock-v0";
  using Options = RoomOptions;
  explicit GoToImpUnlock(const Options& options) { sized_rooms(options.room_size, 3, 3); }

 private:
  int build() override {
    const Locked locked = lock_a_room();
    key_of(locked);
    connect_all();
    fill(locked, 2);
    const Id there = add_distractors(locked.i, locked.j, 1, false).front();
    return instruct(Kind::go_to, same_as(there));
  }
};

struct Unlock final : LockedMaze {
  static constexpr const char* id = "minigrid/BabyAI-Unlock-v0";
  using Options = RoomOptions;
  explicit Unlock(const Options& options) { sized_rooms(options.room_size, 3, 3); }

 private:
  int build() override {
    const Locked locked = lock_a_room();
    key_of(locked);
    std::vector<Color> of_doors(color_names.begin(), color_names.end());
    if (coin()) {
      of_doors.erase(std::find(of_doors.begin(), of_doors.end(), color(locked.door)));
    }
    connect_all(of_doors);
    fill(locked, 3);
    return instruct(Kind::open, same_as(locked.door));
  }
};

struct UnlockLocal final : Level {
  static constexpr const char* id = "minigrid/BabyAI-UnlockLocal-v0";
  struct Options : RoomOptions {
    bool distractors;
    bool in_box;
    static constexpr auto declared = pp::options(
        RoomOptions::declared,
        pp::option(&Options::distractors, "distractors", false, "with three other objects"),
        pp::option(&Options::in_box, "in_box", false, "the key is in a box"));
  };
  explicit UnlockLocal(const Options& options)
      : distractors_(options.distractors), in_box_(options.in_box) {
    sized_rooms(options.room_size, 3, 3);
  }

 private:
  int build() override {
    const Id door = add_door(1, 1, any_side, any_color, Lock::yes);
    if (in_box_) {
      const Id key = make(Type::key, color(door));
      place_in_room(1, 1, make(Type::box, pick(color_names), DoorState::closed, key));
    } else {
      add_object(1, 1, Type::key, color(door));
    }
    if (distractors_) add_distractors(1, 1, 3, true);
    agent_in_room(1, 1);
    return instruct(Kind::open, described(Type::door));
  }
  bool distractors_;
  bool in_box_;
};

struct UnlockPickup final : Level {
  static constexpr const char* id = "minigrid/BabyAI-UnlockPickup-v0";
  struct Options : CommonOptions {
    bool distractors;
    bool blocked;
    static constexpr auto declared = pp::options(
        CommonOptions::declared,
        pp::option(&Options::distractors, "distractors", false, "with four other objects"),
        pp::option(&Options::blocked, "blocked", false, "a ball is in the way of the door"));
  };
  explicit UnlockPickup(const Options& options)
      : distractors_(options.distractors), blocked_(options.blocked) {
    sized_rooms(6, 1, 2, blocked_ ? 16 * 36 : 0);
    limit_given = blocked_;
  }

 private:
  int build() override {
    const Id box = add_object(1, 0, Type::box);
    const Id door = add_door(0, 0, 0, any_color, Lock::yes);
    if (blocked_) block_door(door);
    add_object(0, 0, Type::key, color(door));
    if (distractors_) add_distractors(any_room, any_room, 4, true);
    agent_in_room(0, 0);
    return instruct(Kind::pickup, blocked_ ? described(Type::box) : same_as(box));
  }
  bool distractors_;
  bool blocked_;
};

struct UnlockToUnlock final : Level {
  static constexpr const char* id = "minigrid/BabyAI-UnlockToUnlock-v0";
  using Options = CommonOptions;
  explicit UnlockToUnlock(const Options&) {
    sized_rooms(6, 1, 3, 30 * 36);
    limit_given = true;
  }

 private:
  int build() override {
    const std::vector<Color> chosen = colors(2);
    add_door(0, 0, 0, chosen[0], Lock::yes);
    add_object(2, 0, Type::key, chosen[0]);
    add_door(1, 0, 0, chosen[1], Lock::yes);
    add_object(1, 0, Type::key, chosen[1]);
    add_object(0, 0, Type::ball);
    agent_in_room(1, 0);
    return instruct(Kind::pickup, described(Type::ball));
  }
};

}  // namespace minigrid::babyai
#endif  // PARALLEL_POOL_MINIGRID_BABYAI_UNLOCK_HPP_
