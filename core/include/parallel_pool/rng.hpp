// pp::Rng: random numbers equal in every bit to those of numpy.random.default_rng(seed), which is
// the generator behind Gymnasium's `np_random`.
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
#include <limits>
#include <numeric>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "parallel_pool/rng/bounded.hpp"
#include "parallel_pool/rng/choice.hpp"
#include "parallel_pool/rng/pcg64.hpp"
#include "parallel_pool/rng/rounded_product.hpp"
#include "parallel_pool/rng/seed_sequence.hpp"
#include "parallel_pool/rng/ziggurat.hpp"

namespace pp {

// next_uint64(), next_uint32(), random() and random_float() come from Pcg64.
class Rng : public Pcg64 {
 public:
  Rng() : Rng(std::uint64_t{0}) {}
  explicit Rng(std::uint64_t seed) : Pcg64(SeedSequence(seed)) {}
  explicit Rng(const SeedSequence& sequence) : Pcg64(sequence) {}

  using Pcg64::seed;
  void seed(std::uint64_t seed) { Pcg64::seed(SeedSequence(seed)); }

  // Unlike numpy, does not check that low <= high and that high - low is finite.
  double uniform(double low, double high) {
    return low + rng_internal::RoundedProduct(high - low, random());
  }

  void fill_uniform(double* out, std::size_t count, double low, double high) {
    for (std::size_t i = 0; i < count; ++i) out[i] = uniform(low, high);
  }

  // An integer from low up to high, without high unless `endpoint`; Integer stands for numpy's
  // dtype, which decides how the words are drawn. All but uint64 are supported.
  template <typename Integer = std::int64_t>
  Integer integers(std::int64_t low, std::int64_t high, bool endpoint = false) {
    Integer value;
    fill_integers(&value, 1, low, high, endpoint);
    return value;
  }

  std::int32_t integers32(std::int64_t low, std::int64_t high, bool endpoint = false) {
    return integers<std::int32_t>(low, high, endpoint);
  }

  // As integers(0, count), without its checks: count must be at least 1.
  std::uint32_t below(std::uint32_t count) { return rng_internal::BoundedUint32(*this, count - 1); }

  // As numpy's integers(size=count). For 8- and 16-bit types it is not the same as `count` calls:
  // within a call they share 32-bit words.
  template <typename Integer>
  void fill_integers(Integer* out, std::size_t count, std::int64_t low, std::int64_t high,
                     bool endpoint = false);

  double standard_normal() { return rng_internal::StandardNormal(*this); }

  double normal(double location, double scale) {
    return location + rng_internal::RoundedProduct(scale, standard_normal());
  }

  double standard_exponential() { return rng_internal::StandardExponential(*this); }

  // As numpy's shuffle of a one-dimensional array or a list.
  template <typename Element>
  void shuffle(Element* data, std::size_t count) {
    rng_internal::ShuffleFrom<rng_internal::BoundedByMask>(*this, 1, data, count);
  }

  // Writes 0 .. count - 1 in random order, without allocating.
  template <typename Integer>
  void fill_permutation(Integer* out, std::size_t count) {
    std::iota(out, out + count, Integer{0});
    shuffle(out, count);
  }

  std::vector<std::int64_t> permutation(std::int64_t count) {
    std::vector<std::int64_t> order(RequireCount(count >= 0, count));
    fill_permutation(order.data(), order.size());
    return order;
  }

  std::int64_t choice(std::int64_t population) { return integers(0, population); }

  // Probabilities are for `population` indices, not negative, with a sum of one. Of this only a
  // sum above zero is checked. Does not allocate.
  std::int64_t choice(std::int64_t population, const double* probabilities) {
    RequireCount(population > 0, population);
    return rng_internal::ChooseWeighted(*this, probabilities, population);
  }

  // `shuffle` false leaves a sample without replacement in an arbitrary order, for fewer draws.
  // The probabilities may be null for equal ones.
  std::vector<std::int64_t> choice(std::int64_t population, std::int64_t count, bool replace,
                                   const double* probabilities = nullptr, bool shuffle = true);

  // The index of the first running sum of the probabilities that exceeds random(), or 0 where none
  // does: the `categorical_sample` of Gymnasium's toy-text environments.
  std::int64_t categorical(const double* probabilities, std::size_t count) {
    const double draw = random();
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) {
      sum += probabilities[i];
      if (sum > draw) return static_cast<std::int64_t>(i);
    }
    return 0;
  }

 private:
  static std::size_t RequireCount(bool valid, std::int64_t count) {
    if (!valid) throw std::invalid_argument("pp::Rng: count out of range");
    return static_cast<std::size_t>(count);
  }
};

static_assert(std::is_trivially_copyable<Rng>::value && std::is_standard_layout<Rng>::value &&
                  sizeof(Rng) == sizeof(Pcg64),
              "the bytes of an Rng are its state");

template <typename Integer>
void Rng::fill_integers(Integer* out, std::size_t count, std::int64_t low, std::int64_t high,
                        bool endpoint) {
  using Limits = std::numeric_limits<Integer>;
  static_assert(std::is_integral<Integer>::value && !std::is_same<Integer, bool>::value &&
                    (sizeof(Integer) < 8 || std::is_signed<Integer>::value),
                "bool and uint64 are not supported");
  if (endpoint ? low > high : low >= high) throw std::invalid_argument("pp::Rng: empty range");
  const std::int64_t last = endpoint ? high : high - 1;
  if (low < static_cast<std::int64_t>(Limits::min()) ||
      last > static_cast<std::int64_t>(Limits::max())) {
    throw std::invalid_argument("pp::Rng: range beyond the type");
  }
  // Unsigned throughout: the span of a signed range need not fit in the signed type.
  const std::uint64_t offset = static_cast<std::uint64_t>(low);
  const std::uint64_t span = static_cast<std::uint64_t>(last) - offset;
  if constexpr (sizeof(Integer) < 4) {
    using Word = std::make_unsigned_t<Integer>;
    rng_internal::WordSlicer<Word> slicer(*this);
    for (std::size_t i = 0; i < count; ++i) {
      out[i] = static_cast<Integer>(offset + slicer.Bounded(static_cast<Word>(span)));
    }
  } else {
    for (std::size_t i = 0; i < count; ++i) {
      out[i] = static_cast<Integer>(offset + rng_internal::BoundedUint64(*this, span));
    }
  }
}

inline std::vector<std::int64_t> Rng::choice(std::int64_t population, std::int64_t count,
                                             bool replace, const double* probabilities,
                                             bool shuffle) {
  std::vector<std::int64_t> chosen(
      RequireCount(count >= 0 && (replace ? population > 0 : population >= count), count));
  if (replace && probabilities == nullptr) {
    fill_integers(chosen.data(), chosen.size(), 0, population);
  } else if (replace) {
    const std::vector<double> shares =
        rng_internal::CumulativeShares({probabilities, probabilities + population});
    for (std::int64_t& index : chosen) index = rng_internal::ChooseByShare(*this, shares);
  } else if (probabilities == nullptr) {
    rng_internal::ChooseDistinct(*this, population, count, shuffle, chosen.data());
  } else {
    rng_internal::ChooseDistinctWeighted(*this, probabilities, population, count, chosen.data());
  }
  return chosen;
}

}  // namespace pp

#endif  // PARALLEL_POOL_RNG_HPP_
