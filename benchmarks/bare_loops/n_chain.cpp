#include "loop.hpp"

struct NChain {
  using Obs = int64_t;
  static constexpr uint32_t width = 1, actions = 2, limit = 1000;
  std::vector<int32_t> state;

  void resize(uint32_t n) { state.resize(n); }
  void reset(uint32_t i, pp::Rng&) { state[i] = 0; }
  void step(uint32_t n, const int32_t* action, double* reward, uint8_t* terminated, int64_t* obs,
            pp::Rng* rng) {
    for (uint32_t i = 0; i < n; ++i) {
      const bool back = (action[i] != 0) != (rng[i].random() < 0.2);
      const bool at_end = state[i] == 4;
      reward[i] = back ? 2.0 : at_end ? 10.0 : 0.0;
      obs[i] = state[i] = back ? 0 : state[i] + !at_end;
      terminated[i] = 0;
    }
  }
};

BARE_LOOP(NChain)
