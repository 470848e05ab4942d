// What the grid worlds share: a table of transitions, each with one outcome or with three that are
// drawn from as Gymnasium's `categorical_sample` draws.
//
// Gymnasium draws a random number for every step and reset, also where there is nothing to choose.
// So do these environments, because the next draw depends on it, save where no draw ever has a
// choice: there nobody can tell.
#ifndef PARALLEL_POOL_CLASSIC_TOY_TEXT_TRANSITIONS_HPP_
#define PARALLEL_POOL_CLASSIC_TOY_TEXT_TRANSITIONS_HPP_

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "parallel_pool/env.hpp"

namespace classic {

// The states that an episode may begin in, with equal probability.
class Starts {
 public:
  Starts() = default;
  explicit Starts(std::vector<int32_t> states) : state_(std::move(states)) {
    // Running sums in numpy's order; the last one may be below 1.
    double sum = 0;
    for (size_t i = 0; i < state_.size(); ++i) {
      sum += 1.0 / static_cast<double>(state_.size());
      cumulative_.push_back(sum);
    }
  }
  bool is_one() const { return state_.size() == 1; }
  int32_t first() const { return state_[0]; }
  // For a number in [0, 1); state 0 where no sum exceeds it, as numpy's argmax says then.
  int32_t pick(double draw) const {
    const auto above = std::upper_bound(cumulative_.begin(), cumulative_.end(), draw);
    return above == cumulative_.end() ? 0
                                      : state_[static_cast<size_t>(above - cumulative_.begin())];
  }

 private:
  std::vector<int32_t> state_;
  std::vector<double> cumulative_;
};

struct Outcome {
  int32_t state;
  double reward;
  bool terminated;
};

struct Arrival {
  int32_t state;
  double reward;
  double probability;
  uint8_t terminated;
};

class Transitions {
 public:
  // `probabilities`: of the three outcomes of an action whose outcome is not certain.
  Transitions(uint32_t states, uint32_t actions, bool random, std::array<double, 3> probabilities)
      : actions_(actions),
        stride_(random ? 4 : 1),
        probability_{1.0, probabilities[0], probabilities[1], probabilities[2]},
        sum_0_(probabilities[0]),
        sum_1_(sum_0_ + probabilities[1]),
        sum_2_(sum_1_ + probabilities[2]),
        packed_(states * actions * stride_) {}

  void set(uint32_t state, uint32_t action, const Outcome& only) {
    for (uint32_t slot = 0; slot < stride_; ++slot) at(state, action)[slot] = pack(only, 0);
  }
  void set(uint32_t state, uint32_t action, const std::array<Outcome, 3>& outcomes) {
    for (uint32_t slot = 0; slot < 3; ++slot) {
      at(state, action)[slot] = pack(outcomes[slot], slot + 1);
    }
    // Where the sums do not exceed the draw, argmax gives the first.
    at(state, action)[3] = pack(outcomes[0], 1);
  }

  bool random() const { return stride_ != 1; }

  // For a number in [0, 1), which is not used where nothing is random.
  Arrival arrive(int32_t state, int32_t action, double draw) const {
    const auto row = static_cast<uint32_t>(state) * actions_ + static_cast<uint32_t>(action);
    uint32_t slot = 0;
    if (random()) {
      // The sums grow, so this counts those that do not exceed the draw.
      slot = (draw >= sum_0_ ? 1u : 0u) + (draw >= sum_1_ ? 1u : 0u) + (draw >= sum_2_ ? 1u : 0u);
    }
    const uint32_t packed = packed_[row * stride_ + slot];
    return {static_cast<int32_t>(packed & 0xffffu), reward_[(packed >> 16) & 0xffu],
            probability_[(packed >> 24) & 0x7fu], static_cast<uint8_t>(packed >> 31)};
  }

 private:
  uint32_t* at(uint32_t state, uint32_t action) {
    return &packed_[(state * actions_ + action) * stride_];
  }
  // 16 bits of state, 8 of which reward, 7 of which probability, 1 of whether it ends.
  uint32_t pack(const Outcome& outcome, uint32_t probability) {
    uint32_t reward = 0;
    while (reward < rewards_ && reward_[reward] != outcome.reward) ++reward;
    if (reward == rewards_) reward_.at(rewards_++) = outcome.reward;
    return static_cast<uint32_t>(outcome.state) | reward << 16 | probability << 24 |
           (outcome.terminated ? 1u << 31 : 0u);
  }

  uint32_t actions_;
  uint32_t stride_;
  std::array<double, 4> probability_;
  double sum_0_;
  double sum_1_;
  double sum_2_;
  uint32_t rewards_ = 0;
  std::array<double, 8> reward_{};
  std::vector<uint32_t> packed_;
};

constexpr int64_t max_states = 65536;  // that fit the packed table

}  // namespace classic
#endif  // PARALLEL_POOL_CLASSIC_TOY_TEXT_TRANSITIONS_HPP_
