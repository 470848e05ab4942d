// Where a computation comes back to a state in which it has been before.
#ifndef PARALLEL_POOL_BOX2D_ENGINE_REPEATS_HPP_
#define PARALLEL_POOL_BOX2D_ENGINE_REPEATS_HPP_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace box2d {

// Compares each state with the two before, as most repeats are of one or two steps, and with one
// that is replaced after 1, 2, 4, 8, ... steps, so that a repeat of any length is found in the end
// (Brent's algorithm). States are equal if their bits are: the zeros of both signs differ.
template <size_t Most>
class Repeats {
 public:
  using State = std::array<uint32_t, Most>;

  explicit Repeats(size_t words) : words_(words) {}

  // Takes the next state, `words` long, and gives how many steps ago it was the same; 0 if it was
  // not, as far as is known.
  int32_t period_of(const State& state) {
    State& before = recent_[steps_ % 2];  // of two steps ago, to be replaced
    const State& last = recent_[(steps_ + 1) % 2];
    int32_t period = 0;
    if (steps_ > 0 && same(state, last)) {
      period = 1;
    } else if (steps_ > 1 && same(state, before)) {
      period = 2;
    } else if (steps_ > 0 && same(state, anchor_)) {
      period = steps_ - anchored_;
    }
    copy(state, before);
    if ((steps_ & (steps_ - 1)) == 0) {
      copy(state, anchor_);
      anchored_ = steps_;
    }
    ++steps_;
    return period;
  }

 private:
  bool same(const State& a, const State& b) const {
    return std::equal(a.begin(), a.begin() + words_, b.begin());
  }
  void copy(const State& from, State& to) const { std::copy_n(from.begin(), words_, to.begin()); }

  size_t words_;
  int32_t steps_ = 0;
  int32_t anchored_ = 0;
  // Not filled: this costs more than a few steps.
  State recent_[2];
  State anchor_;
};

}  // namespace box2d

#endif
