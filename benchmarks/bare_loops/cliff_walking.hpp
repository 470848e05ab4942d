#ifndef PARALLEL_POOL_BENCHMARKS_CLIFF_WALKING_HPP_
#define PARALLEL_POOL_BENCHMARKS_CLIFF_WALKING_HPP_

#include "grid.hpp"

struct Cliff : Grid {
  static constexpr uint32_t actions = 4, limit = 0;
  Cliff() {
    build(4, 12, {-1, 0, 1, 0}, {0, 1, 0, -1}, [](int32_t to) {
      const bool fell = to > 36 && to < 47;
      return Cell{fell ? 36 : to, fell ? -100 : -1, to == 47};
    });
  }
  void reset(uint32_t i, pp::Rng&) { state[i] = 36; }
};

#endif  // PARALLEL_POOL_BENCHMARKS_CLIFF_WALKING_HPP_
