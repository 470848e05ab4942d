// Finds out when a computation comes back to a state in which it has been before.
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

  // Returns the place to which the next state is to be written.
  State& next() { return recent_[steps_ % 4]; }

  // Takes the state that was written, and gives how many steps ago it was the same; 0 if it was
  // not, as far as is known.
  int32_t period() {
    const State& state = next();
    int32_t period = 0;
    if (steps_ > 0) {
      if (same(state, recent_[(steps_ - 1) % 4])) {
        period = 1;
      } else if (steps_ > 1 && same(state, recent_[(steps_ - 2) % 4])) {
        period = 2;
      } else if (same(state, anchor_)) {
        period = static_cast<int32_t>(steps_ - anchored_);
      }
    }
    if ((steps_ & (steps_ - 1)) == 0) {
      std::copy_n(state.begin(), words_, anchor_.begin());
      anchored_ = steps_;
    }
    ++steps_;
    return period;
  }

 private:
  bool same(const State& a, const State& b) const {
    size_t i = 0;
    while (i < words_ && a[i] == b[i]) ++i;
    return i == words_;
  }

  size_t words_;
  uint32_t steps_ = 0;
  uint32_t anchored_ = 0;
  // Not filled: this costs more than a few steps.
  std::array<State, 4> recent_;
  State anchor_;
};

}  // namespace box2d

#endif
