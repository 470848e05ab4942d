// The part that the grid worlds share: a table of transitions, each with one outcome or with three
// that are drawn from as Gymnasium's `categorical_sample` draws.
//
// Gymnasium draws a random number for every step and reset, also where there is nothing to choose.
// So do these environments, because the next draw depends on it, save where no draw ever has a
// choice: there it cannot be known.
#ifndef PARALLEL_POOL_CLASSIC_TOY_TEXT_TRANSITIONS_HPP_
#define PARALLEL_POOL_CLASSIC_TOY_TEXT_TRANSITIONS_HPP_

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "parallel_pool/env.hpp"
#include "toy_text/chance.hpp"

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

// A table as a loop over lanes reads it: a copy in locals, so that no store seems to change it.
struct Lookup {
  const uint32_t* packed;
  const double* reward;
  const double* probability;
  uint32_t actions;
  uint32_t stride;
  uint64_t below[3];  // bits of the running sums of the probabilities

  // Returns which outcome of an action a draw chooses, where something is random.
  uint8_t slot(uint64_t draw) const {
    // The sums grow, so this counts those that do not exceed the draw.
    return static_cast<uint8_t>(3 - is_below(draw, below[0]) - is_below(draw, below[1]) -
                                is_below(draw, below[2]));
  }
  Arrival read(int32_t state, int32_t action, uint8_t slot) const {
    const uint32_t row = static_cast<uint32_t>(state) * actions + static_cast<uint32_t>(action);
    const uint32_t found = packed[row * stride + slot];
    return {static_cast<int32_t>(found & 0xffffu), reward[(found >> 16) & 0xffu],
            probability[(found >> 24) & 0x7fu], static_cast<uint8_t>(found >> 31)};
  }
};

class Transitions {
 public:
  // `probabilities`: of the three outcomes of an action whose outcome is not certain.
  Transitions(uint32_t states, uint32_t actions, bool random, std::array<double, 3> probabilities)
      : actions_(actions),
        stride_(random ? 4 : 1),
        probability_{1.0, probabilities[0], probabilities[1], probabilities[2]},
        packed_(states * actions * stride_) {
    double sum = 0;
    for (uint32_t i = 0; i < 3; ++i) below_[i] = bits_below(sum += probabilities[i]);
  }

  void set(uint32_t state, uint32_t action, const Outcome& only) {
    for (uint32_t slot = 0; slot < stride_; ++slot) at(state, action)[slot] = pack(only, 0);
  }
  void set(uint32_t state, uint32_t action, const std::array<Outcome, 3>& outcomes) {
    for (uint32_t slot = 0; slot < 3; ++slot) {
      at(state, action)[slot] = pack(outcomes[slot], slot + 1);
    }
    // If the sums do not exceed the draw, argmax gives the first.
    at(state, action)[3] = pack(outcomes[0], 1);
  }

  bool random() const { return stride_ != 1; }
  // The last state: they are numbered from 0.
  int32_t last() const { return static_cast<int32_t>(packed_.size() / (actions_ * stride_)) - 1; }

  Lookup lookup() const {
    return {packed_.data(), reward_.data(), probability_.data(),
            actions_,       stride_,        {below_[0], below_[1], below_[2]}};
  }
  // For draw_bits(), which are not used where nothing is random.
  Arrival arrive(int32_t state, int32_t action, uint64_t draw) const {
    const Lookup table = lookup();
    return table.read(state, action, random() ? table.slot(draw) : uint8_t{0});
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
  std::array<uint64_t, 3> below_;
  uint32_t rewards_ = 0;
  std::array<double, 8> reward_{};
  std::vector<uint32_t> packed_;
};

constexpr int64_t max_states = 65536;  // the most that fit the packed table

}  // namespace classic
#endif  // PARALLEL_POOL_CLASSIC_TOY_TEXT_TRANSITIONS_HPP_
