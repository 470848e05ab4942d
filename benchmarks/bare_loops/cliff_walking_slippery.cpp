#include "cliff_walking.hpp"

struct CliffWalkingSlippery : Cliff {
  void step(uint32_t n, const int32_t* action, double* reward, uint8_t* terminated, int64_t* obs,
            pp::Rng* rng) {
    walk<true>(n, actions, action, reward, terminated, obs, rng);
  }
};

BARE_LOOP(CliffWalkingSlippery)
