// Unbiased integers below a bound, taking words from the generator as numpy's Generator does: by
// D. Lemire's multiplication method ("Fast Random Integer Generation in an Interval", 2019) save
// for shuffles, which mask and reject.
//
// The `span` of these functions is the greatest value that may come out, not the number of values.

#ifndef PARALLEL_POOL_RNG_BOUNDED_HPP_
#define PARALLEL_POOL_RNG_BOUNDED_HPP_

#include <cstdint>
#include <limits>
#include <type_traits>

#include "parallel_pool/rng/pcg64.hpp"
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

inline std::uint32_t BoundedUint32(Pcg64& generator, std::uint32_t span) {
  if (span == 0) return 0;
  if (span == std::numeric_limits<std::uint32_t>::max()) return generator.next_uint32();
  return BoundedByProduct<std::uint32_t, std::uint64_t>(
      span, [&generator] { return generator.next_uint32(); });
}

inline std::uint64_t BoundedUint64(Pcg64& generator, std::uint64_t span) {
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
inline std::uint64_t BoundedByMask(Pcg64& generator, std::uint64_t span) {
  if (span == 0) return 0;
  std::uint64_t mask = span;
  for (int shift = 1; shift < 64; shift *= 2) mask |= mask >> shift;
  const bool narrow = span <= std::numeric_limits<std::uint32_t>::max();
  while (true) {
    const std::uint64_t word = narrow ? generator.next_uint32() : generator.next_uint64();
    if ((word & mask) <= span) return word & mask;
  }
}

// Cuts the generator's 32-bit words into 8- or 16-bit ones, the low ones first. In numpy the pieces
// left over are dropped at the end of each call, hence an object to be made anew for each.
template <typename Word>
class WordSlicer {
  static_assert(std::is_same<Word, std::uint8_t>::value || std::is_same<Word, std::uint16_t>::value,
                "wider words come from the generator whole");

 public:
  explicit WordSlicer(Pcg64& generator) : generator_(generator) {}

  Word Next() {
    if (remaining_ == 0) {
      buffer_ = generator_.next_uint32();
      remaining_ = kSlices;
    } else {
      buffer_ >>= std::numeric_limits<Word>::digits;
    }
    --remaining_;
    return static_cast<Word>(buffer_);
  }

  Word Bounded(Word span) {
    if (span == 0) return 0;
    if (span == std::numeric_limits<Word>::max()) return Next();
    return BoundedByProduct<Word, std::uint32_t>(span, [this] { return Next(); });
  }

 private:
  static constexpr int kSlices = 32 / std::numeric_limits<Word>::digits;

  Pcg64& generator_;
  std::uint32_t buffer_ = 0;
  int remaining_ = 0;
};

}  // namespace rng_internal
}  // namespace pp

#endif  // PARALLEL_POOL_RNG_BOUNDED_HPP_
