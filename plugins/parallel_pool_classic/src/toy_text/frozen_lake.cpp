#include "toy_text/frozen_lake.hpp"

namespace classic {
namespace {

constexpr uint32_t left = 0, down = 1, right = 2;

struct Rules {
  LakeMap map;
  bool slippery;
  double success_rate;
  std::array<double, 3> rewards;

  explicit Rules(const FrozenLake::Options& options)
      : map(lake_map(options)),
        slippery(options.is_slippery),
        success_rate(options.success_rate),
        rewards(options.reward_schedule) {}
  bool operator==(const Rules& other) const {
    return map.columns == other.map.columns && map.tiles == other.map.tiles &&
           slippery == other.slippery && success_rate == other.success_rate &&
           rewards == other.rewards;
  }
};

Outcome slide(const Rules& rules, uint32_t row, uint32_t column, uint32_t direction) {
  const LakeMap& map = rules.map;
  if (direction == left) {
    column -= column > 0 ? 1 : 0;
  } else if (direction == down) {
    row += row + 1 < map.rows ? 1 : 0;
  } else if (direction == right) {
    column += column + 1 < map.columns ? 1 : 0;
  } else {
    row -= row > 0 ? 1 : 0;
  }
  const char tile = map.tile(row, column);
  const size_t which = tile == 'G' ? 0 : tile == 'H' ? 1 : 2;
  return {static_cast<int32_t>(row * map.columns + column), rules.rewards[which], which != 2};
}

std::shared_ptr<const World> build(const Rules& rules) {
  const LakeMap& map = rules.map;
  std::vector<int32_t> starts;
  for (size_t i = 0; i < map.tiles.size(); ++i) {
    if (map.tiles[i] == 'S') starts.push_back(static_cast<int32_t>(i));
  }
  const double fail_rate = (1.0 - rules.success_rate) / 2.0;
  Transitions table(map.rows * map.columns, 4, rules.slippery,
                    {fail_rate, rules.success_rate, fail_rate});
  for (uint32_t row = 0; row < map.rows; ++row) {
    for (uint32_t column = 0; column < map.columns; ++column) {
      const uint32_t state = row * map.columns + column;
      const char tile = map.tile(row, column);
      for (uint32_t action = 0; action < 4; ++action) {
        if (tile == 'G' || tile == 'H') {
          table.set(state, action, Outcome{static_cast<int32_t>(state), 0, true});
        } else if (rules.slippery) {
          table.set(state, action,
                    std::array<Outcome, 3>{slide(rules, row, column, (action + 3) % 4),
                                           slide(rules, row, column, action),
                                           slide(rules, row, column, (action + 1) % 4)});
        } else {
          table.set(state, action, slide(rules, row, column, action));
        }
      }
    }
  }
  return std::make_shared<World>(Starts(std::move(starts)), std::move(table));
}

}  // namespace

void FrozenLake::describe(pp::Spec& spec, const Options& options) {
  const Rules rules(options);
  spec.obs().discrete(static_cast<int64_t>(rules.map.tiles.size()));
  spec.info("prob").bounds(0, 1);
}

FrozenLake::FrozenLake(const std::vector<Options>& options) {
  std::vector<Rules> before;
  std::shared_ptr<const World> world;
  for (const Options& lane : options) {
    Rules rules(lane);
    if (before.empty() || !(rules == before.back())) {
      world = build(rules);
      before.assign(1, rules);
    }
    walk_.add(world);
    columns_.push_back(rules.map.columns);
    map_.push_back(std::move(rules.map.tiles));
  }
}

void FrozenLake::arrays(uint32_t lane, pp::ArrayList& list) {
  walk_.arrays(lane, list);
  const std::string& map = map_[lane];
  const auto columns = static_cast<int64_t>(columns_[lane]);
  list.array("map", reinterpret_cast<const uint8_t*>(map.data()),
             {static_cast<int64_t>(map.size()) / columns, columns});
}

}  // namespace classic
