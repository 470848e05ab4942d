// FrozenLake: Gymnasium's FrozenLakeEnv with all of its constructor's arguments. For the same seed
// and actions every observation, reward, flag and `prob` is equal to Gymnasium's.
#ifndef PARALLEL_POOL_CLASSIC_TOY_TEXT_FROZEN_LAKE_HPP_
#define PARALLEL_POOL_CLASSIC_TOY_TEXT_FROZEN_LAKE_HPP_

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "toy_text/frozen_lake_map.hpp"
#include "toy_text/grid_walk.hpp"

namespace classic {

class FrozenLake {
 public:
  static constexpr const char* id = "classic/FrozenLake-v1";
  static constexpr const char* summary = "Cross a frozen lake with holes to a goal";
  static constexpr int64_t max_episode_steps = 100;
  static constexpr double reward_threshold = 0.7;

  // row * columns + column.
  using Obs = pp::Discrete<pp::dynamic, int64_t>;
  // 0 left, 1 down, 2 right, 3 up.
  using Action = pp::Discrete<4>;
  // The probability of the transition that happened.
  using Info = pp::Dict<pp::At<"prob", double>>;

  struct Options : LakeMapOptions {
    bool is_slippery;
    double success_rate;
    std::array<double, 3> reward_schedule;
    static constexpr auto declared = pp::options(
        pp::option(&Options::desc, "desc", "",
                   "rows of the map, each a text of S, F, H and G; empty: the map of map_name"),
        pp::option(&Options::map_name, "map_name", MapName::small,
                   "name of the map; empty: a random map",
                   {{"4x4", MapName::small}, {"8x8", MapName::large}, {"", MapName::random}}),
        pp::option(&Options::is_slippery, "is_slippery", true, "moves may slip to either side"),
        pp::option(&Options::success_rate, "success_rate", 1.0 / 3.0,
                   "probability of moving in the chosen direction", pp::Range{0, 1}),
        pp::option(&Options::reward_schedule, "reward_schedule", {1, 0, 0},
                   "rewards of reaching the goal, a hole and ice"),
        pp::option(&Options::map_seed, "map_seed", 0, "seed of the random map",
                   pp::Range{0, 4294967295.0}),
        pp::option(&Options::size, "size", 0,
                   "EnvPool's name of the map, 4 or 8; 0: the map of map_name", pp::Range{0, 8}));
  };

  static void describe(pp::Spec& spec, const Options& options);

  explicit FrozenLake(const std::vector<Options>& options);
  void reset(const pp::Rows<FrozenLake>& rows) { walk_.reset(rows); }
  void step(const pp::Rows<FrozenLake>& rows) { walk_.step(rows); }
  void save(uint32_t lane, pp::StateWriter& out) const { walk_.save(lane, out); }
  void load(uint32_t lane, pp::StateReader& in) { walk_.load(lane, in); }
  void arrays(uint32_t lane, pp::ArrayList& list);

 private:
  GridWalk walk_;
  std::vector<std::string> map_;  // by lane, rows joined
  std::vector<uint32_t> columns_;
};

}  // namespace classic
#endif  // PARALLEL_POOL_CLASSIC_TOY_TEXT_FROZEN_LAKE_HPP_
