// Tasks with one goal and nothing to carry: reach it.
#ifndef PARALLEL_POOL_MINIGRID_TASKS_OPEN_FIELD_HPP_
#define PARALLEL_POOL_MINIGRID_TASKS_OPEN_FIELD_HPP_

#include "grid/world.hpp"
#include "options.hpp"

namespace minigrid {

inline constexpr const char* to_the_goal = "get to the green goal square";
inline constexpr const char* past_the_lava = "avoid the lava and get to the green goal square";
inline constexpr const char* past_the_wall = "find the opening and get to the green goal square";

struct Empty final : Task {
  static constexpr const char* id = "minigrid/Empty-v0";
  static constexpr bool has_goal = true;
  struct Options : CommonOptions {
    int64_t size;
    bool random_start;
    static constexpr auto declared = pp::options(
        CommonOptions::declared,
        pp::option(&Options::size, "size", 8, "cells per side", pp::Range{4, 64}),
        pp::option(&Options::random_start, "random_start", false, "start at a random place"));
  };
  explicit Empty(const Options& options) : random_start_(options.random_start) {
    sized(options.size, options.size, 4 * options.size * options.size);
    see_through = true;
  }
  void lay() override {
    open_field();
    put(the_goal, w - 2, h - 2);
    random_start_ ? place_agent() : stand(1, 1);
    say(to_the_goal);
  }

 private:
  bool random_start_;
};

struct DistShift final : Task {
  static constexpr const char* id = "minigrid/DistShift-v0";
  static constexpr bool has_goal = true;
  struct Options : CommonOptions {
    int64_t strip2_row;
    static constexpr auto declared = pp::options(
        CommonOptions::declared, pp::option(&Options::strip2_row, "strip2_row", 2,
                                            "row of the second strip of lava", pp::Range{1, 5}));
  };
  explicit DistShift(const Options& options) : row_(static_cast<int>(options.strip2_row)) {
    sized(9, 7, 4 * 9 * 7);
    see_through = true;
  }
  void lay() override {
    open_field();
    put(the_goal, w - 2, 1);
    horizontal(3, 1, w - 6, the_lava);
    horizontal(3, row_, w - 6, the_lava);
    stand(1, 1);
    say(to_the_goal);
  }

 private:
  int row_;
};

struct LavaGap final : Task {
  static constexpr const char* id = "minigrid/LavaGap-v0";
  static constexpr bool has_goal = true;
  struct Options : SizeOptions {
    bool lava;
    static constexpr auto declared = pp::options(
        SizeOptions::declared, pp::option(&Options::lava, "lava", true, "lava in place of a wall"));
  };
  explicit LavaGap(const Options& options) : lava_(options.lava) {
    sized(options.size, options.size, 4 * options.size * options.size);
  }
  void lay() override {
    open_field();
    stand(1, 1);
    put(the_goal, w - 2, h - 2);
    const int x = integer(2, w - 2);
    const int y = integer(1, h - 1);
    vertical(x, 1, h - 2, lava_ ? the_lava : the_wall);
    set(x, y, nothing);
    say(lava_ ? past_the_lava : past_the_wall);
  }

 private:
  bool lava_;
};

struct Crossing final : Task {
  static constexpr const char* id = "minigrid/Crossing-v0";
  static constexpr bool has_goal = true;
  struct Options : CommonOptions {
    int64_t size;
    int64_t num_crossings;
    bool lava;
    static constexpr auto declared = pp::options(
        CommonOptions::declared,
        pp::option(&Options::size, "size", 9, "cells per side, an odd number", pp::Range{5, 63}),
        pp::option(&Options::num_crossings, "num_crossings", 1,
                   "number of rivers, at most as many as there is room for", pp::Range{0, 60}),
        pp::option(&Options::lava, "lava", true, "rivers of lava in place of walls"));
  };
  explicit Crossing(const Options& options);
  void lay() override;

 private:
  size_t count_;
  bool lava_;
};

struct DynamicObstacles final : Task {
  static constexpr const char* id = "minigrid/DynamicObstacles-v0";
  static constexpr bool has_goal = true;
  static constexpr int actions = 3;
  struct Options : SizeOptions {
    int64_t n_obstacles;
    bool random_start;
    static constexpr auto declared = pp::options(
        SizeOptions::declared,
        pp::option(&Options::n_obstacles, "n_obstacles", 4,
                   "number of balls; half of the size where that is less", pp::Range{0, 64}),
        pp::option(&Options::random_start, "random_start", false, "start at a random place"));
  };
  explicit DynamicObstacles(const Options& options);
  void lay() override;
  pp::Outcome act(Act action) override;
  void keep_task(Keeper& k) override;

 private:
  bool random_start_;
  int count_;
  std::vector<Id> balls_;
};

}  // namespace minigrid
#endif  // PARALLEL_POOL_MINIGRID_TASKS_OPEN_FIELD_HPP_
