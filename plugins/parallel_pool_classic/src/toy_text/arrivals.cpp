#include "toy_text/arrivals.hpp"

#include "numeric/clones.hpp"

namespace classic {
namespace {

// Small loops: each has no more arrays than the processor has registers.
PP_CLASSIC_CLONES
void look_up(uint32_t n, uint32_t actions, uint32_t stride, uint64_t below_0, uint64_t below_1,
             uint64_t below_2, const uint32_t* __restrict packed, const int32_t* __restrict action,
             const uint64_t* __restrict draw, uint32_t* __restrict found, int32_t* __restrict state,
             int64_t* __restrict obs) {
  for (uint32_t i = 0; i < n; ++i) {
    // Lookup::slot has the same arithmetic.
    const uint32_t slot = 3 - static_cast<uint32_t>((draw[i] - below_0) >> 63) -
                          static_cast<uint32_t>((draw[i] - below_1) >> 63) -
                          static_cast<uint32_t>((draw[i] - below_2) >> 63);
    const uint32_t row =
        static_cast<uint32_t>(state[i]) * actions + static_cast<uint32_t>(action[i]);
    // A table of one outcome for each action has a stride of 1, which takes any slot for 0.
    found[i] = row * stride + (slot & (stride - 1));
  }
  for (uint32_t i = 0; i < n; ++i) {
    found[i] = packed[static_cast<int32_t>(found[i])];
    state[i] = static_cast<int32_t>(found[i] & 0xffffu);
    obs[i] = static_cast<int64_t>(found[i] & 0xffffu);
  }
}

PP_CLASSIC_CLONES
void unpack(uint32_t n, const double* __restrict rewards, const double* __restrict probabilities,
            const uint32_t* __restrict found, const int32_t* __restrict action,
            int8_t* __restrict last_action, double* __restrict reward,
            double* __restrict probability, uint8_t* __restrict terminated) {
  for (uint32_t i = 0; i < n; ++i) {
    terminated[i] = static_cast<uint8_t>(found[i] >> 31);
    last_action[i] = static_cast<int8_t>(action[i]);
  }
  for (uint32_t i = 0; i < n; ++i) {
    reward[i] = rewards[static_cast<int32_t>((found[i] >> 16) & 0xffu)];
    probability[i] = probabilities[static_cast<int32_t>((found[i] >> 24) & 0x7fu)];
  }
}

}  // namespace

void arrive(uint32_t n, const Lookup& table, const Arrivals& lanes) {
  look_up(n, table.actions, table.stride, table.below[0], table.below[1], table.below[2],
          table.packed, lanes.action, lanes.draw, lanes.found, lanes.state, lanes.obs);
  unpack(n, table.reward, table.probability, lanes.found, lanes.action, lanes.last_action,
         lanes.reward, lanes.probability, lanes.terminated);
}

}  // namespace classic
