#include "tasks/open_field.hpp"

#include <stdexcept>

namespace minigrid {

Crossing::Crossing(const Options& options)
    : count_(static_cast<size_t>(options.num_crossings)), lava_(options.lava) {
  if (options.size % 2 == 0) throw std::invalid_argument("size has to be odd");
  sized(options.size, options.size, 4 * options.size * options.size);
}

void Crossing::lay() {
  open_field();
  stand(1, 1);
  put(the_goal, w - 2, h - 2);
  struct River {
    bool vertical;
    int place;
  };
  std::vector<River> rivers;
  for (int i = 2; i < h - 2; i += 2) rivers.push_back({true, i});
  for (int j = 2; j < w - 2; j += 2) rivers.push_back({false, j});
  rng->shuffle(rivers.data(), rivers.size());
  rivers.resize(std::min(rivers.size(), count_));
  // They lie between the outer walls.
  std::vector<int> columns{0}, rows{0};
  for (const River& river : rivers) (river.vertical ? columns : rows).push_back(river.place);
  std::sort(columns.begin(), columns.end());
  std::sort(rows.begin(), rows.end());
  const Id what = lava_ ? the_lava : the_wall;
  for (size_t n = 1; n < rows.size(); ++n) horizontal(1, rows[n], w - 2, what);
  for (size_t n = 1; n < columns.size(); ++n) vertical(columns[n], 1, h - 2, what);
  std::vector<char> across(columns.size() - 1, 1);  // 1: of a vertical river
  across.insert(across.end(), rows.size() - 1, 0);
  columns.push_back(h - 1);
  rows.push_back(w - 1);
  rng->shuffle(across.data(), across.size());
  const auto between = [this](int low, int high) {
    return low + 1 + static_cast<int>(rng->choice(high - low - 1));
  };
  size_t i = 0, j = 0;
  for (const char vertical_river : across) {
    if (vertical_river) {
      set(columns[i + 1], between(rows[j], rows[j + 1]), nothing);
      ++i;
    } else {
      set(between(columns[i], columns[i + 1]), rows[j + 1], nothing);
      ++j;
    }
  }
  say(lava_ ? past_the_lava : past_the_wall);
}

DynamicObstacles::DynamicObstacles(const Options& options) : random_start_(options.random_start) {
  sized(options.size, options.size, 4 * options.size * options.size);
  see_through = true;
  const bool fits = 2 * options.n_obstacles <= options.size + 2;
  count_ = static_cast<int>(fits ? options.n_obstacles : options.size / 2);
}

void DynamicObstacles::lay() {
  open_field();
  set(w - 2, h - 2, the_goal);
  random_start_ ? place_agent() : stand(1, 1);
  balls_.clear();
  for (int n = 0; n < count_; ++n) {
    balls_.push_back(make(Type::ball, Color::blue));
    place(balls_.back(), all(), 100);
  }
  say(to_the_goal);
}

pp::Outcome DynamicObstacles::act(Act action) {
  const Type ahead = type_of(get(front()));
  const bool blocked = ahead != Type::empty && ahead != Type::goal;
  for (const Id ball : balls_) {
    const Pos p = objects[ball].at;
    try {
      place(ball, {p.x - 1, p.y - 1, 3, 3}, 100);
      set(p.x, p.y, nothing);
    } catch (const NoPlace&) {  // it stays
    }
  }
  const pp::Outcome out = move(action);
  if (action == Act::forward && blocked) return {-1.0, true, out.truncated};
  return out;
}

void DynamicObstacles::keep_task(Keeper& k) {
  if (k.loads()) balls_.resize(static_cast<size_t>(count_));
  for (Id& ball : balls_) {
    k.between(ball, first_id, static_cast<int64_t>(objects.size()) - 1, "ball");
    Pos& p = objects[ball].at;
    k.between(p.x, 0, w - 1, "column of a ball");
    k.between(p.y, 0, h - 1, "row of a ball");
  }
}

}  // namespace minigrid
