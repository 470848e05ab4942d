// The walk of ../gridworld.cpp.
#include "loop.hpp"

struct Gridworld {
  using Obs = float;
  static constexpr uint32_t width = 2, actions = 4, limit = 100;
  static constexpr int64_t size = 8;
  std::vector<int64_t> x, y;

  void resize(uint32_t n) {
    x.resize(n);
    y.resize(n);
  }
  void reset(uint32_t i, pp::Rng& random) {
    x[i] = random.integers(0, size, false);
    y[i] = random.integers(0, size, false);
  }
  void step(uint32_t n, const int32_t* action, double* reward, uint8_t* terminated, float* obs,
            pp::Rng*) {
    constexpr int64_t dx[] = {1, 0, -1, 0};
    constexpr int64_t dy[] = {0, 1, 0, -1};
    for (uint32_t i = 0; i < n; ++i) {
      x[i] = std::clamp<int64_t>(x[i] + dx[action[i]], 0, size - 1);
      y[i] = std::clamp<int64_t>(y[i] + dy[action[i]], 0, size - 1);
      const bool there = x[i] == size - 1 && y[i] == size - 1;
      reward[i] = there ? 1.0 : -0.01;
      terminated[i] = there ? 1 : 0;
      obs[2 * i] = static_cast<float>(x[i]);
      obs[2 * i + 1] = static_cast<float>(y[i]);
    }
  }
};

BARE_LOOP(Gridworld)
