// pp::RandomState: random numbers equal in every bit to those of numpy.random.RandomState(seed),
// the generation before pp::Rng's: many environments draw from it, and so did Gym before 0.22.
//
// Promises, for each method, what numpy's RandomState method of that name returns, and the same
// state after it, however the methods are interleaved. Checked against numpy 1.26, 2.0 and 2.4 on
// x86-64 Linux with gcc. A RandomState is a plain value: copying its 2512 bytes saves and restores
// the stream. They are the items of numpy's get_state() behind the name: key (624 words of 32
// bits), pos, has_gauss (32 bits each), cached_gaussian (double).
//
// Does not promise equality under -ffast-math, nor in the last bit of normal and exponential draws
// where the C library's log is not the one that numpy runs on. Has none of numpy's other
// distributions (gamma, beta, binomial, poisson and so on), no entropy from the operating system,
// and no locking: one thread at a time.
//
// Arguments out of range throw std::invalid_argument where the check is cheap; what is not checked
// is said at the method.

#ifndef PARALLEL_POOL_RNG_RANDOM_STATE_HPP_
#define PARALLEL_POOL_RNG_RANDOM_STATE_HPP_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "parallel_pool/rng/distributions.hpp"
#include "parallel_pool/rng/integers.hpp"
#include "parallel_pool/rng/mt19937.hpp"
#include "parallel_pool/rng/polar_normal.hpp"
#include "parallel_pool/rng/seed_sequence.hpp"

namespace pp {

// uniform(), normal(), exponential(), shuffle(), permutation(), choice() of one and the methods
// that fill arrays with them come from Distributions.
class RandomState : public rng_internal::Distributions<RandomState, rng_internal::ByMask> {
 public:
  RandomState() : RandomState(uint64_t{0}) {}

  // The seed is below 2**32, as numpy's.
  explicit RandomState(uint64_t seed) { this->seed(seed); }

  // Seeds as RandomState([word, ...]) does. One word in a list is another seed than that number.
  RandomState(const uint32_t* words, size_t count) { seed(words, count); }

  // Seeds as RandomState(MT19937(seed)) does, for seeds of any length.
  explicit RandomState(const SeedSequence& sequence) { seed(sequence); }

  void seed(uint64_t seed) {
    if (seed > std::numeric_limits<uint32_t>::max()) {
      throw std::invalid_argument("the seed of a RandomState is " + std::to_string(seed) +
                                  "; make it less than 2**32, or give a SeedSequence");
    }
    seed_engine(static_cast<uint32_t>(seed));
  }
  void seed(const uint32_t* words, size_t count) { seed_engine(words, count); }
  void seed(const SeedSequence& sequence) { seed_engine(sequence); }

  uint32_t next_uint32() { return engine_.next_uint32(); }
  uint64_t next_uint64() { return engine_.next_uint64(); }

  // Uniform over the multiples of 2**-53 in [0, 1). numpy too has several names for it.
  double random() { return engine_.random(); }
  double random_sample() { return random(); }
  double rand() { return random(); }

  // An integer from low up to high, without high; Integer stands for numpy's dtype. The bounds are
  // int64_t, for uint64_t uint64_t.
  template <typename Integer = int64_t>
  Integer randint(rng_internal::IntegerBound<Integer> low,
                  rng_internal::IntegerBound<Integer> high) {
    Integer value;
    fill_range(&value, 1, low, high, false);
    return value;
  }

  template <typename Integer = int64_t>
  Integer randint(rng_internal::IntegerBound<Integer> high) {
    return randint<Integer>(0, high);
  }

  // Draws as numpy's randint(size=count). For bool and 8- and 16-bit types that differs from
  // `count` calls, because values of one call share 32-bit words.
  template <typename Integer>
  void fill_randint(Integer* out, size_t count, rng_internal::IntegerBound<Integer> low,
                    rng_internal::IntegerBound<Integer> high) {
    fill_range(out, count, low, high, false);
  }

  // Draws as randint(low, high + 1), for every type, also where high is its greatest value.
  template <typename Integer = int64_t>
  Integer random_integers(rng_internal::IntegerBound<Integer> low,
                          rng_internal::IntegerBound<Integer> high) {
    Integer value;
    fill_range(&value, 1, low, high, true);
    return value;
  }

  template <typename Integer>
  void fill_random_integers(Integer* out, size_t count, rng_internal::IntegerBound<Integer> low,
                            rng_internal::IntegerBound<Integer> high) {
    fill_range(out, count, low, high, true);
  }

  // Made in pairs: the second is kept for the next call, whatever is drawn in between.
  double standard_normal() {
    if (has_gauss_ != 0) {
      const double kept = gauss_;
      forget_gauss();
      return kept;
    }
    const rng_internal::NormalPair pair = rng_internal::draw_normal_pair(engine_);
    gauss_ = pair.second;
    has_gauss_ = 1;
    return pair.first;
  }
  double randn() { return standard_normal(); }

  double standard_exponential() { return -std::log(1.0 - random()); }

  // Returns true if draws can lead here; see Mt19937. No draw is beyond sqrt(-2 log(2^-104)), which
  // is 12.007.
  bool is_sound() const {
    return engine_.is_sound() && has_gauss_ <= 1 && std::fabs(gauss_) < 12.01;
  }

  using Distributions::choice;

  // A sample without replacement costs a permutation of the whole population. The probabilities may
  // be null for equal ones.
  std::vector<int64_t> choice(int64_t population, int64_t count, bool replace,
                              const double* probabilities = nullptr) {
    return choose_many(population, count, replace, probabilities, [&](int64_t* out) {
      const std::vector<int64_t> order = permutation(population);
      std::copy(order.begin(), order.begin() + count, out);
    });
  }

 private:
  template <typename... Seed>
  void seed_engine(const Seed&... seed) {
    engine_.seed(seed...);
    forget_gauss();
  }
  void forget_gauss() {
    has_gauss_ = 0;
    gauss_ = 0;
  }

  Mt19937 engine_;
  uint32_t has_gauss_;
  double gauss_;
};

static_assert(std::is_trivially_copyable<RandomState>::value &&
                  std::is_standard_layout<RandomState>::value &&
                  sizeof(RandomState) == sizeof(Mt19937) + sizeof(uint32_t) + sizeof(double),
              "the bytes of a RandomState are its state");

}  // namespace pp

#endif  // PARALLEL_POOL_RNG_RANDOM_STATE_HPP_
