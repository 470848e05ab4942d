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
Word BoundedByProduct(Word span, Draw&& draw) {
  constexpr Word kWordMax = std::numeric_limits<Word>::max();
  constexpr int kWordBits = std::numeric_limits<Word>::digits;
  const Wide value_count = static_cast<Wide>(span) + 1;
  Wide product = static_cast<Wide>(draw()) * value_count;
  if (static_cast<Word>(product) < value_count) {
    // Only a low part below 2**bits mod value_count is over-represented, and the remainder costs a
    // division, so it is computed only where it can matter.
    const Word threshold = static_cast<Word>(static_cast<Wide>(kWordMax - span) % value_count);
    while (static_cast<Word>(product) < threshold) {
      product = static_cast<Wide>(draw()) * value_count;
    }
  }
  return static_cast<Word>(product >> kWordBits);
}

template <typename Generator>
std::uint32_t BoundedUint32(Generator& generator, std::uint32_t span) {
  if (span == 0) return 0;
  if (span == std::numeric_limits<std::uint32_t>::max()) return generator.next_uint32();
  return BoundedByProduct<std::uint32_t, std::uint64_t>(
      span, [&generator] { return generator.next_uint32(); });
}

template <typename Generator>
std::uint64_t BoundedUint64(Generator& generator, std::uint64_t span) {
  if (span <= std::numeric_limits<std::uint32_t>::max()) {
    return BoundedUint32(generator, static_cast<std::uint32_t>(span));
  }
  if (span == std::numeric_limits<std::uint64_t>::max()) return generator.next_uint64();
  const std::uint64_t value_count = span + 1;
  Uint128 product = MultiplyFull(generator.next_uint64(), value_count);
  if (product.low < value_count) {
    const std::uint64_t threshold =
        (std::numeric_limits<std::uint64_t>::max() - span) % value_count;
    while (product.low < threshold) product = MultiplyFull(generator.next_uint64(), value_count);
  }
  return product.high;
}

// Draws as many bits as the span has until they do not exceed it.
template <typename Draw>
std::uint64_t MaskedUntilWithin(std::uint64_t span, Draw&& draw) {
  std::uint64_t mask = span;
  for (int shift = 1; shift < 64; shift *= 2) mask |= mask >> shift;
  while (true) {
    const std::uint64_t bits = draw() & mask;
    if (bits <= span) return bits;
  }
}

template <typename Generator>
std::uint64_t BoundedByMask(Generator& generator, std::uint64_t span) {
  if (span == 0) return 0;
  const bool narrow = span <= std::numeric_limits<std::uint32_t>::max();
  return MaskedUntilWithin(span, [&generator, narrow]() -> std::uint64_t {
    return narrow ? generator.next_uint32() : generator.next_uint64();
  });
}

// The two methods as numpy's generations use them for integers of every width. FromSlices is for a
// WordSlicer of bytes or halves, and a span below the greatest Word.

struct ByProduct {
  template <typename Generator>
  static std::uint64_t FromWords(Generator& generator, std::uint64_t span) {
    return BoundedUint64(generator, span);
  }
  template <typename Word, typename Slicer>
  static Word FromSlices(Slicer& slicer, Word span) {
    return BoundedByProduct<Word, std::uint32_t>(span, [&slicer] { return slicer.Next(); });
  }
};

struct ByMask {
  template <typename Generator>
  static std::uint64_t FromWords(Generator& generator, std::uint64_t span) {
    return BoundedByMask(generator, span);
  }
  template <typename Word, typename Slicer>
  static Word FromSlices(Slicer& slicer, Word span) {
    return static_cast<Word>(
        MaskedUntilWithin(span, [&slicer]() -> std::uint64_t { return slicer.Next(); }));
  }
};

}  // namespace rng_internal
}  // namespace pp

#endif  // PARALLEL_POOL_RNG_BOUNDED_HPP_
