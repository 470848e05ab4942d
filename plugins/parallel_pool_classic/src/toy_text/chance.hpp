// Random decisions without numbers in floating point.
#ifndef PARALLEL_POOL_CLASSIC_TOY_TEXT_CHANCE_HPP_
#define PARALLEL_POOL_CLASSIC_TOY_TEXT_CHANCE_HPP_

#include <cmath>
#include <cstdint>
#include <cstring>

#include "parallel_pool/rng.hpp"

namespace classic {

// Returns the number that random() multiplies by 2^-53.
inline uint64_t draw_bits(pp::Rng& rng) {
  return rng.next_uint64() >> 11;
}

// draw_bits() < bits_below(p) exactly where random() < p: scaling by a power of two is exact, and
// of the integers below p * 2^53 the greatest is one below its ceiling.
inline uint64_t bits_below(double probability) {
  if (!(probability > 0)) return 0;
  return probability >= 1 ? uint64_t{1} << 53
                          : static_cast<uint64_t>(std::ceil(probability * 0x1p53));
}

// 1 where draw < below, else 0, both at most 2^53. By the sign of the difference: of a comparison
// the compiler may make a branch, which no processor predicts.
inline uint32_t is_below(uint64_t draw, uint64_t below) {
  return static_cast<uint32_t>((draw - below) >> 63);
}

// The bytes of a generator, as parallel_pool/rng/pcg64.hpp promises them.
struct RngFields {
  uint64_t state[2];
  uint64_t increment[2];
  uint32_t held;
  uint32_t has_held;

  static RngFields of(const pp::Rng& rng) {
    RngFields fields;
    std::memcpy(&fields, &rng, sizeof fields);
    return fields;
  }
  void give(pp::Rng& rng) const { std::memcpy(static_cast<void*>(&rng), this, sizeof *this); }
};
static_assert(sizeof(RngFields) == sizeof(pp::Rng), "the same bytes");

inline uint64_t either(bool first, uint64_t one, uint64_t other) {
  const uint64_t all = uint64_t{0} - (first ? 1u : 0u);
  return (one & all) | (other & ~all);
}

// rng.next_uint32() without a branch on whether half a word is held back, which is as good as
// random in a lane: the next word is always made.
inline uint32_t next_half(pp::Rng& rng) {
  const RngFields before = RngFields::of(rng);
  const uint64_t word = rng.next_uint64();
  const RngFields after = RngFields::of(rng);
  const bool has = before.has_held != 0;
  const uint64_t held = either(has, before.held, word >> 32);
  const RngFields next{
      {either(has, before.state[0], after.state[0]), either(has, before.state[1], after.state[1])},
      {before.increment[0], before.increment[1]},
      static_cast<uint32_t>(held),
      before.has_held ^ 1};
  next.give(rng);
  return static_cast<uint32_t>(either(has, before.held, word));
}

}  // namespace classic
#endif  // PARALLEL_POOL_CLASSIC_TOY_TEXT_CHANCE_HPP_
