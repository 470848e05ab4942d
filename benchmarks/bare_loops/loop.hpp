// The limit: an environment's dynamics as one loop over arrays, on one thread, without a pool,
// checks or Python. Gymnasium's arithmetic (double precision, the C library's functions), but
// squares are products. Every environment has numpy's generator and draws from it when Gymnasium's
// does; episodes restart within the step.
//
// An environment has: width (of an observation of type Obs), actions (0: a float32 within +-bound),
// limit (steps of an episode; 0: none), resize(n), reset(i, rng of i) and
// step(n, action, reward, terminated, obs, rng of each), which does all of them.
#ifndef PARALLEL_POOL_BENCHMARKS_LOOP_HPP_
#define PARALLEL_POOL_BENCHMARKS_LOOP_HPP_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

#include "../bare_threads.hpp"
#include "parallel_pool/rng.hpp"

template <class Env>
class Loop {
 public:
  using Action = std::conditional_t<Env::actions == 0, float, int32_t>;

  explicit Loop(uint32_t n)
      : n_(n), reward_(n), obs_(Env::width * n), steps_(n), terminated_(n), truncated_(n) {
    env_.resize(n);
    for (uint32_t i = 0; i < n; ++i) rng_.emplace_back(i);
    batches_ = std::max<size_t>(8, std::min<size_t>(64, (size_t{1} << 20) / n));
    actions_.resize(batches_ * n);
    for (uint32_t i = 0; i < n; ++i) env_.reset(i, rng_[i]);
    pp::Rng random(n);
    for (Action& action : actions_) {
      if constexpr (Env::actions == 0) {
        action = static_cast<float>(random.uniform(-Env::bound, Env::bound));
      } else {
        action = static_cast<int32_t>(random.below(Env::actions));
      }
    }
  }

  void step() {
    const Action* action = &actions_[turn_++ % batches_ * n_];
    env_.step(n_, action, reward_.data(), terminated_.data(), obs_.data(), rng_.data());
    uint32_t ended = 0;
    for (uint32_t i = 0; i < n_; ++i) {
      ++steps_[i];
      truncated_[i] = Env::limit != 0 && steps_[i] >= Env::limit;
      ended += terminated_[i] | truncated_[i];
    }
    if (ended == 0) return;
    for (uint32_t i = 0; i < n_; ++i) {
      if ((terminated_[i] | truncated_[i]) == 0) continue;
      env_.reset(i, rng_[i]);
      steps_[i] = 0;
    }
  }

 private:
  uint32_t n_;
  Env env_;
  std::vector<pp::Rng> rng_;
  std::vector<double> reward_;
  std::vector<typename Env::Obs> obs_;
  std::vector<uint32_t> steps_;
  std::vector<uint8_t> terminated_, truncated_;
  std::vector<Action> actions_;  // drawn before, as for the others
  size_t batches_;
  size_t turn_ = 0;
};

// A loop for each thread; so many steps between two looks at the clock.
constexpr uint32_t at_once = 16;
template <class Env>
struct SomeSteps : Loop<Env> {
  using Loop<Env>::Loop;
  void step() {
    for (uint32_t i = 0; i < at_once; ++i) Loop<Env>::step();
  }
};
template <class Env>
BareThreads<SomeSteps<Env>>* threads_of(uint32_t threads, uint32_t each) {
  const auto make = [each](uint32_t) { return std::make_unique<SomeSteps<Env>>(each); };
  return new BareThreads<SomeSteps<Env>>(threads, threads, make);
}

#define BARE_LOOP(Env)                                                                 \
  extern "C" {                                                                         \
  void* bare_new(uint32_t n) {                                                         \
    return new Loop<Env>(n);                                                           \
  }                                                                                    \
  void bare_step(void* loop, uint32_t steps) {                                         \
    for (uint32_t i = 0; i < steps; ++i) static_cast<Loop<Env>*>(loop)->step();        \
  }                                                                                    \
  void bare_delete(void* loop) {                                                       \
    delete static_cast<Loop<Env>*>(loop);                                              \
  }                                                                                    \
  void* bare_threads_new(uint32_t threads, uint32_t each) {                            \
    return threads_of<Env>(threads, each);                                             \
  }                                                                                    \
  uint64_t bare_threads_run(void* threads, double seconds) {                           \
    return at_once * static_cast<BareThreads<SomeSteps<Env>>*>(threads)->run(seconds); \
  }                                                                                    \
  void bare_threads_delete(void* threads) {                                            \
    delete static_cast<BareThreads<SomeSteps<Env>>*>(threads);                         \
  }                                                                                    \
  }

#endif  // PARALLEL_POOL_BENCHMARKS_LOOP_HPP_
