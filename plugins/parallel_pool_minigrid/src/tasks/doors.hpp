// Tasks of rooms with doors: find the goal, or open what the mission says.
#ifndef PARALLEL_POOL_MINIGRID_TASKS_DOORS_HPP_
#define PARALLEL_POOL_MINIGRID_TASKS_DOORS_HPP_

#include "grid/world.hpp"
#include "options.hpp"

namespace minigrid {

struct DoorKey final : Task {
  static constexpr const char* id = "minigrid/DoorKey-v0";
  static constexpr bool has_goal = true;
  using Options = SizeOptions;
  explicit DoorKey(const Options& options) {
    sized(options.size, options.size, 10 * options.size * options.size);
  }
  void lay() override;
};

struct FourRooms final : Task {
  static constexpr const char* id = "minigrid/FourRooms-v0";
  static constexpr bool has_goal = true;
  using Options = CommonOptions;
  explicit FourRooms(const Options&) { sized(19, 19, 100); }
  void lay() override;
};

struct MultiRoom final : Task {
  static constexpr const char* id = "minigrid/MultiRoom-v0";
  static constexpr bool has_goal = true;
  static constexpr bool made_ahead = true;
  struct Options : CommonOptions {
    int64_t min_rooms;
    int64_t max_rooms;
    int64_t max_room_size;
    static constexpr auto declared = pp::options(
        CommonOptions::declared,
        pp::option(&Options::min_rooms, "min_rooms", 6, "least number of rooms", pp::Range{1, 8}),
        pp::option(&Options::max_rooms, "max_rooms", 6, "greatest number of rooms",
                   pp::Range{1, 8}),
        pp::option(&Options::max_room_size, "max_room_size", 10, "longest side of a room",
                   pp::Range{4, 12}));
  };
  explicit MultiRoom(const Options& options);
  void lay() override;

 private:
  struct Part {
    Rect r;
    Pos entry;
  };
  bool grow(int left, std::vector<Part>& list, int wall, Pos entry);

  int least_;
  int most_;
  int size_;
};

struct LockedRoom final : Task {
  static constexpr const char* id = "minigrid/LockedRoom-v0";
  static constexpr bool has_goal = true;
  using Options = CommonOptions;
  explicit LockedRoom(const Options&) { sized(19, 19, 190); }
  void lay() override;
};

struct RedBlueDoors final : Task {
  static constexpr const char* id = "minigrid/RedBlueDoors-v0";
  using Options = SizeOptions;
  explicit RedBlueDoors(const Options& options) : size_(static_cast<int>(options.size)) {
    sized(2 * options.size, options.size, 20 * options.size * options.size);
  }
  void lay() override;
  pp::Outcome act(Act action) override;
  void keep_task(Keeper& k) override;

 private:
  int size_;
  Id red_ = nothing;
  Id blue_ = nothing;
};

struct Playground final : Task {
  static constexpr const char* id = "minigrid/Playground-v0";
  using Options = CommonOptions;
  explicit Playground(const Options&) { sized(19, 19, 100); }
  void lay() override;
};

}  // namespace minigrid
#endif  // PARALLEL_POOL_MINIGRID_TASKS_DOORS_HPP_
