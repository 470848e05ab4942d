// Levels that are made before they are needed, at most one in a call, so that a call in which many
// episodes begin takes no longer than others. A level made ahead counts only if the generator is
// still where it was when the level was made: what is observed is the same with and without.
#ifndef PARALLEL_POOL_MINIGRID_LEVELS_AHEAD_HPP_
#define PARALLEL_POOL_MINIGRID_LEVELS_AHEAD_HPP_

#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "grid/world.hpp"

namespace minigrid {

// Makes levels ahead for the lanes of a kernel. It helps where nothing is drawn from the generator
// during an episode.
class LevelsAhead {
 public:
  // An object for the levels of one more lane.
  void add(std::unique_ptr<Task> level) {
    next_.push_back({std::move(level), pp::Rng(), pp::Rng(), false});
    made_.push_back(0);
  }
  bool is_made(uint32_t lane) const { return made_[lane] != 0; }

  // Makes the level that follows if the generator is then where `rng` is.
  void make(uint32_t lane, const pp::Rng& rng) {
    Next& next = next_[lane];
    next.before = next.after = rng;
    next.good = true;
    try {
      next.level->renew(next.after);
    } catch (...) {  // the reset will say what is wrong
      next.good = false;
    }
    made_[lane] = 1;
  }
  // Trades the level of the lane for the one that was made, if that is the right one.
  bool take(uint32_t lane, std::unique_ptr<Task>& level, pp::Rng& rng) {
    Next& next = next_[lane];
    if (!is_made(lane)) return false;
    made_[lane] = 0;
    if (!next.good || std::memcmp(&next.before, &rng, sizeof rng) != 0) return false;
    std::swap(level, next.level);
    rng = next.after;
    return true;
  }

 private:
  struct Next {
    std::unique_ptr<Task> level;
    pp::Rng before;
    pp::Rng after;
    bool good;
  };
  std::vector<Next> next_;  // by lane
  std::vector<uint8_t> made_;
};

}  // namespace minigrid
#endif  // PARALLEL_POOL_MINIGRID_LEVELS_AHEAD_HPP_
