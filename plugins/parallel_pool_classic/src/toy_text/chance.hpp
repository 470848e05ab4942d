// Random decisions without numbers in floating point.
#ifndef PARALLEL_POOL_CLASSIC_TOY_TEXT_CHANCE_HPP_
#define PARALLEL_POOL_CLASSIC_TOY_TEXT_CHANCE_HPP_

#include <cmath>
#include <cstdint>

#include "parallel_pool/rng.hpp"

namespace classic {

// What random() makes its number of: a multiple of 2^-53, here without that factor.
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

// 1 where draw < below, else 0, both at most 2^53. By the sign of the difference: of a comparison the
// compiler may make a branch, which nobody could predict.
inline uint32_t is_below(uint64_t draw, uint64_t below) {
  return static_cast<uint32_t>((draw - below) >> 63);
}

}  // namespace classic
#endif  // PARALLEL_POOL_CLASSIC_TOY_TEXT_CHANCE_HPP_
