// MiniGrid's tasks in grids of rooms: find keys, and pick up what is behind locked doors.
#ifndef PARALLEL_POOL_MINIGRID_TASKS_LOCKED_ROOMS_HPP_
#define PARALLEL_POOL_MINIGRID_TASKS_LOCKED_ROOMS_HPP_

#include "grid/rooms.hpp"
#include "options.hpp"

namespace minigrid {

struct PickupTask : Rooms {
  pp::Outcome act(Act action) override;
  void keep_task(Keeper& k) override { keep(k, target_, "target"); }

 protected:
  Id target_ = nothing;
};

struct KeyCorridor final : PickupTask {
  static constexpr const char* id = "minigrid/KeyCorridor-v0";
  using Options = RoomRowsOptions;
  explicit KeyCorridor(const Options& options) {
    sized_rooms(options.room_size, options.num_rows, 3, 30 * options.room_size * options.room_size);
  }
  void lay() override;
};

struct TwoRooms : PickupTask {
  using Options = CommonOptions;
  void lay() override;

 protected:
  explicit TwoRooms(bool box, bool blocked) : box_(box), blocked_(blocked) {
    sized_rooms(6, 1, 2, (blocked ? 16 : 8) * 36);
  }
  Id door_ = nothing;

 private:
  bool box_;
  bool blocked_;
};

struct Unlock final : TwoRooms {
  static constexpr const char* id = "minigrid/Unlock-v0";
  explicit Unlock(const Options&) : TwoRooms(false, false) {}
  pp::Outcome act(Act action) override;
  void keep_task(Keeper& k) override { keep(k, door_, "door"); }
};

struct UnlockPickup final : TwoRooms {
  static constexpr const char* id = "minigrid/UnlockPickup-v0";
  explicit UnlockPickup(const Options&) : TwoRooms(true, false) {}
};

struct BlockedUnlockPickup final : TwoRooms {
  static constexpr const char* id = "minigrid/BlockedUnlockPickup-v0";
  explicit BlockedUnlockPickup(const Options&) : TwoRooms(true, true) {}
};

struct ObstructedMaze final : PickupTask {
  static constexpr const char* id = "minigrid/ObstructedMaze-v0";
  struct Options : CommonOptions {
    bool one_door;
    bool keys_last;
    bool key_in_box;
    bool blocked;
    int64_t num_quarters;
    int64_t num_rooms_visited;
    int64_t agent_column;
    static constexpr auto declared =
        pp::options(CommonOptions::declared,
                    pp::option(&Options::one_door, "one_door", false, "two rooms with a door"),
                    pp::option(&Options::keys_last, "keys_last", true,
                               "keys are placed after balls, as in version 1"),
                    pp::option(&Options::key_in_box, "key_in_box", true, "keys are in boxes"),
                    pp::option(&Options::blocked, "blocked", true, "balls are in the way of doors"),
                    pp::option(&Options::num_quarters, "num_quarters", 4,
                               "quarters of the maze in use", pp::Range{1, 4}),
                    pp::option(&Options::num_rooms_visited, "num_rooms_visited", 25,
                               "the time limit, in rooms of 144 steps", pp::Range{1, 100}),
                    pp::option(&Options::agent_column, "agent_column", 1,
                               "column of the room in which the agent starts", pp::Range{0, 2}));
  };
  explicit ObstructedMaze(const Options& options);
  void lay() override;

 private:
  void door(int i, int j, int side, Color color, bool locked);
  void key(int i, int j, Color color);
  void quarter(int n, const std::vector<Color>& colors);

  Options options_;
};

}  // namespace minigrid
#endif  // PARALLEL_POOL_MINIGRID_TASKS_LOCKED_ROOMS_HPP_
