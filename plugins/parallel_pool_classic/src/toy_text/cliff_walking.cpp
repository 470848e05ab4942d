#include "toy_text/cliff_walking.hpp"

namespace classic {
namespace {

constexpr int32_t start = 36;
constexpr int32_t goal = 47;

Outcome walk(int32_t row, int32_t column, uint32_t direction) {
  constexpr int32_t down[] = {-1, 0, 1, 0};
  constexpr int32_t right[] = {0, 1, 0, -1};
  const auto last_row = static_cast<int32_t>(CliffWalking::rows) - 1;
  const auto last_column = static_cast<int32_t>(CliffWalking::columns) - 1;
  row = std::min(std::max(row + down[direction], 0), last_row);
  column = std::min(std::max(column + right[direction], 0), last_column);
  const bool over_cliff = row == last_row && column > 0 && column < last_column;
  if (over_cliff) return {start, -100, false};
  const int32_t state = row * static_cast<int32_t>(CliffWalking::columns) + column;
  return {state, -1, state == goal};
}

std::shared_ptr<const World> build(bool slippery) {
  constexpr double share = 1.0 / 3.0;
  Transitions table(CliffWalking::rows * CliffWalking::columns, 4, slippery, {share, share, share});
  for (uint32_t state = 0; state < CliffWalking::rows * CliffWalking::columns; ++state) {
    const auto row = static_cast<int32_t>(state / CliffWalking::columns);
    const auto column = static_cast<int32_t>(state % CliffWalking::columns);
    for (uint32_t action = 0; action < 4; ++action) {
      if (slippery) {
        table.set(
            state, action,
            std::array<Outcome, 3>{walk(row, column, (action + 3) % 4), walk(row, column, action),
                                   walk(row, column, (action + 1) % 4)});
      } else {
        table.set(state, action, walk(row, column, action));
      }
    }
  }
  return std::make_shared<World>(Starts({start}), std::move(table));
}

}  // namespace

void CliffWalking::describe(pp::Spec& spec, const Options&) {
  spec.info("prob").bounds(0, 1);
}

CliffWalking::CliffWalking(const std::vector<Options>& options) {
  std::shared_ptr<const World> worlds[2];
  for (const Options& lane : options) {
    const bool slippery = lane.is_slippery;
    std::shared_ptr<const World>& world = worlds[slippery ? 1 : 0];
    if (world == nullptr) world = build(slippery);
    walk_.add(world);
  }
}

}  // namespace classic
