#include "grid.hpp"

struct FrozenLake : Grid {
  static constexpr uint32_t actions = 4, limit = 100;
  FrozenLake() {
    const char* map = "SFFFFHFHFFFHHFFG";
    build(4, 4, {0, 1, 0, -1}, {-1, 0, 1, 0},
          [map](int32_t to) { return Cell{to, map[to] == 'G', map[to] == 'G' || map[to] == 'H'}; });
  }
  void reset(uint32_t i, pp::Rng& random) {
    random.random();
    state[i] = 0;
  }
  void step(uint32_t n, const int32_t* action, double* reward, uint8_t* terminated, int64_t* obs,
            pp::Rng* rng) {
    walk<true>(n, actions, action, reward, terminated, obs, rng);
  }
};

BARE_LOOP(FrozenLake)
