// Unbiased integers below a bound, taking words from the generator as numpy does: its Generator by
// D. Lemire's multiplication method ("Fast Random Integer Generation in an Interval", 2019), its
// RandomState, and the shuffles of both, by masking and rejecting.
//
// The `span` of these functions is the greatest value that may be drawn, not the number of values.

#ifndef PARALLEL_POOL_RNG_BOUNDED_HPP_
#define PARALLEL_POOL_RNG_BOUNDED_HPP_

#include <cstdint>
#include <limits>

#include "parallel_pool/rng/uint128.hpp"

namespace pp {
namespace rng_internal {

// Word is the unsigned type drawn, Wide one that holds a product of two of them; span must be less
// than the greatest Word.
template <typename Word, typename Wide, typename Draw>
Word bounded_by_product(Word span, Draw&& draw) {
  constexpr Word word_max = std::numeric_limits<Word>::max();
  constexpr int word_bits = std::numeric_limits<Word>::digits;
  const Wide value_count = static_cast<Wide>(span) + 1;
  Wide product = static_cast<Wide>(draw()) * value_count;
  if (static_cast<Word>(product) < value_count) {
    // Only a low part below 2**bits mod value_count is over-represented, and the remainder costs a
    // division, so it is computed only where it can matter.
    const Word threshold = static_cast<Word>(static_cast<Wide>(word_max - span) % value_count);
    while (static_cast<Word>(product) < threshold) {
      product = static_cast<Wide>(draw()) * value_count;
    }
  }
  return static_cast<Word>(product >> word_bits);
}

template <typename Generator>
uint32_t bounded_uint32(Generator& generator, uint32_t span) {
  if (span == 0) return 0;
  if (span == std::numeric_limits<uint32_t>::max()) return generator.next_uint32();
  return bounded_by_product<uint32_t, uint64_t>(span,
                                                [&generator] { return generator.next_uint32(); });
}

template <typename Generator>
uint64_t bounded_uint64(Generator& generator, uint64_t span) {
  if (span <= std::numeric_limits<uint32_t>::max()) {
    return bounded_uint32(generator, static_cast<uint32_t>(span));
  }
  if (span == std::numeric_limits<uint64_t>::max()) return generator.next_uint64();
  const uint64_t value_count = span + 1;
  Uint128 product = multiply_full(generator.next_uint64(), value_count);
  if (product.low < value_count) {
    const uint64_t threshold = (std::numeric_limits<uint64_t>::max() - span) % value_count;
    while (product.low < threshold) product = multiply_full(generator.next_uint64(), value_count);
  }
  return product.high;
}

// Draws as many bits as the span has until they do not exceed it.
template <typename Draw>
uint64_t masked_until_within(uint64_t span, Draw&& draw) {
  uint64_t mask = span;
  for (int shift = 1; shift < 64; shift *= 2) mask |= mask >> shift;
  while (true) {
    const uint64_t bits = draw() & mask;
    if (bits <= span) return bits;
  }
}

template <typename Generator>
uint64_t bounded_by_mask(Generator& generator, uint64_t span) {
  if (span == 0) return 0;
  const bool narrow = span <= std::numeric_limits<uint32_t>::max();
  return masked_until_within(span, [&generator, narrow]() -> uint64_t {
    return narrow ? generator.next_uint32() : generator.next_uint64();
  });
}

// The two methods as numpy's generations use them for integers of every width. from_slices is for a
// WordSlicer of bytes or halves, and a span below the greatest Word.

struct ByProduct {
  template <typename Generator>
  static uint64_t from_words(Generator& generator, uint64_t span) {
    return bounded_uint64(generator, span);
  }
  template <typename Word, typename Slicer>
  static Word from_slices(Slicer& slicer, Word span) {
    return bounded_by_product<Word, uint32_t>(span, [&slicer] { return slicer.next(); });
  }
};

struct ByMask {
  template <typename Generator>
  static uint64_t from_words(Generator& generator, uint64_t span) {
    return bounded_by_mask(generator, span);
  }
  template <typename Word, typename Slicer>
  static Word from_slices(Slicer& slicer, Word span) {
    return static_cast<Word>(
        masked_until_within(span, [&slicer]() -> uint64_t { return slicer.next(); }));
  }
};

}  // namespace rng_internal
}  // namespace pp

#endif  // PARALLEL_POOL_RNG_BOUNDED_HPP_
