#include "toy_text/arrivals.hpp"

#include "numeric/clones.hpp"

namespace classic {
namespace {

// One concern per loop: fewer arrays at a time than the processor has registers for.
PP_CLASSIC_CLONES
void unpack(uint32_t n, const double* __restrict rewards, const double* __restrict probabilities,
            const uint32_t* __restrict found, const int32_t* __restrict action,
            int32_t* __restrict state, int8_t* __restrict last_action, int64_t* __restrict obs,
            double* __restrict reward, double* __restrict probability,
            uint8_t* __restrict terminated) {
  for (uint32_t i = 0; i < n; ++i) {
    const auto arrived = static_cast<int32_t>(found[i] & 0xffffu);
    state[i] = arrived;
    obs[i] = arrived;
  }
  for (uint32_t i = 0; i < n; ++i) {
    terminated[i] = static_cast<uint8_t>(found[i] >> 31);
    last_action[i] = static_cast<int8_t>(action[i]);
  }
  for (uint32_t i = 0; i < n; ++i) {
    reward[i] = rewards[(found[i] >> 16) & 0xffu];
    probability[i] = probabilities[(found[i] >> 24) & 0x7fu];
  }
}

}  // namespace

void arrive(uint32_t n, const Lookup& table, const uint32_t* found, const int32_t* action,
            int32_t* state, int8_t* last_action, int64_t* obs, double* reward,
            double* probability, uint8_t* terminated) {
  unpack(n, table.reward, table.probability, found, action, state, last_action, obs, reward,
         probability, terminated);
}

}  // namespace classic
