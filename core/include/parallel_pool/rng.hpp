// pp::Rng: random numbers equal in every bit to those of numpy.random.default_rng(seed), which is
// the generator behind Gymnasium's `np_random`. Its predecessor, np.random.RandomState, is
// pp::RandomState (rng/random_state.hpp).
//
// Promises, for each method, what numpy's Generator method of that name returns, and the same state
// after it, however the methods are interleaved. Checked against numpy 1.26, 2.0 and 2.4 on x86-64
// Linux with gcc. An Rng is a plain value: copying its bytes saves and restores the stream, between
// builds by different compilers too, on machines of one byte order.
//
// Does not promise equality under -ffast-math, nor in the last bit of rare standard_normal and
// standard_exponential draws where the C library's exp or log1p is not the one that numpy runs on.
// Has none of numpy's other distributions, no entropy from the operating system, and no locking: an
// Rng is for one thread at a time.
//
// Arguments out of range throw std::invalid_argument where the check is cheap; what is not checked
// is said at the method.
//
// Written from the published algorithms, with numpy as the reference for how their words are drawn:
// PCG64 and SeedSequence by M. E. O'Neill, bounded integers by D. Lemire, ziggurat by G. Marsaglia
// and W. W. Tsang. The headers under rng/ cite each.

#ifndef PARALLEL_POOL_RNG_HPP_
#define PARALLEL_POOL_RNG_HPP_

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "parallel_pool/rng/bounded.hpp"
#include "parallel_pool/rng/choice.hpp"
#include "parallel_pool/rng/distributions.hpp"
#include "parallel_pool/rng/integers.hpp"
#include "parallel_pool/rng/pcg64.hpp"
#include "parallel_pool/rng/seed_sequence.hpp"
#include "parallel_pool/rng/ziggurat.hpp"

namespace pp {

// next_uint64(), next_uint32(), random() and random_float() come from Pcg64; uniform(), normal(),
// exponential(), shuffle(), permutation(), choice() of one, categorical() and the methods that fill
// arrays with them from Distributions.
class Rng : public rng_internal::Distributions<Rng, rng_internal::ByProduct>, public Pcg64 {
 public:
  Rng() : Rng(uint64_t{0}) {}
  explicit Rng(uint64_t seed) : Pcg64(SeedSequence(seed)) {}
  explicit Rng(const SeedSequence& sequence) : Pcg64(sequence) {}

  using Pcg64::seed;
  void seed(uint64_t seed) { Pcg64::seed(SeedSequence(seed)); }

  // An integer from low up to high, without high unless `endpoint`; Integer stands for numpy's
  // dtype, which decides how the words are drawn. The bounds are int64_t, for uint64_t uint64_t.
  template <typename Integer = int64_t>
  Integer integers(rng_internal::IntegerBound<Integer> low,
                   rng_internal::IntegerBound<Integer> high, bool endpoint = false) {
    Integer value;
    fill_range(&value, 1, low, high, endpoint);
    return value;
  }

  int32_t integers32(int64_t low, int64_t high, bool endpoint = false) {
    return integers<int32_t>(low, high, endpoint);
  }

  // Draws as integers(0, count), without its checks: count must be at least 1.
  uint32_t below(uint32_t count) { return rng_internal::bounded_uint32(*this, count - 1); }

  // Draws as numpy's integers(size=count). For bool and 8- and 16-bit types that differs from
  // `count` calls, because values of one call share 32-bit words.
  template <typename Integer>
  void fill_integers(Integer* out, size_t count, rng_internal::IntegerBound<Integer> low,
                     rng_internal::IntegerBound<Integer> high, bool endpoint = false) {
    fill_range(out, count, low, high, endpoint);
  }

  double standard_normal() { return rng_internal::standard_normal(*this); }

  double standard_exponential() { return rng_internal::standard_exponential(*this); }

  using Distributions::choice;

  // `shuffle` false leaves a sample without replacement in an arbitrary order, for fewer draws.
  // The probabilities may be null for equal ones.
  std::vector<int64_t> choice(int64_t population, int64_t count, bool replace,
                              const double* probabilities = nullptr, bool shuffle = true) {
    return choose_many(population, count, replace, probabilities, [&](int64_t* out) {
      rng_internal::choose_distinct(*this, population, count, shuffle, out);
    });
  }
};

static_assert(std::is_trivially_copyable<Rng>::value && std::is_standard_layout<Rng>::value &&
                  sizeof(Rng) == sizeof(Pcg64),
              "the bytes of an Rng are its state");

}  // namespace pp

#endif  // PARALLEL_POOL_RNG_HPP_
