// Finds results equal to glibc's several at a time.
//
// glibc's functions do not always return the nearest double, but the exact value is never far from
// half way where they do not. So a fast path computes the exact value as an unevaluated sum of two
// doubles, and wherever that is farther than a margin from the middle between two doubles, glibc
// must return the nearest one. Results that are nearer to a middle are `doubtful`: glibc itself is
// asked for those. This works with every version of glibc whose errors are within the margin, and
// on every processor.
#ifndef PARALLEL_POOL_CLASSIC_NUMERIC_GLIBC_HPP_
#define PARALLEL_POOL_CLASSIC_NUMERIC_GLIBC_HPP_

#include <cmath>
#include <cstdint>
#include <cstring>

// For tests, which build the others too: 2 as here, 1 nothing beyond AVX2, 0 the portable code
// alone.
#ifndef PP_CLASSIC_LEVEL
#define PP_CLASSIC_LEVEL 2
#endif

// The fast paths need fused multiply-add, and attributes to choose among processors when loaded.
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && PP_CLASSIC_LEVEL > 0
#define PP_CLASSIC_FAST_NUMERIC 1
#define PP_CLASSIC_AVX2 __attribute__((target("avx2,fma")))
#define PP_CLASSIC_AVX512 \
  __attribute__((target("avx512f,avx512dq,avx512vl,avx512bw,avx2,fma,prefer-vector-width=512")))
#endif
#define PP_CLASSIC_INLINE __attribute__((always_inline)) inline

namespace classic {

PP_CLASSIC_INLINE uint64_t bits_of(double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

// 2^-52 times the power of two below |value|: the unit in the last place; 0 for 0.
PP_CLASSIC_INLINE double unit_of(double value) {
  const uint64_t exponent = bits_of(value) & 0x7ff0000000000000u;
  double power;
  std::memcpy(&power, &exponent, sizeof power);
  return power * 0x1p-52;
}

// Returns true if high + low is so near to the middle of two doubles that glibc may round it to
// another one; `margin` in units in the last place. A power of two is doubtful: its neighbours are
// not equally far.
PP_CLASSIC_INLINE bool is_doubtful(double high, double low, double margin) {
  const bool near_middle = !(std::fabs(low) < unit_of(high) * (0.5 - margin));
  return near_middle | ((bits_of(high) & 0x000fffffffffffffu) == 0);
}

// Returns true if the float32 nearest to `value` may be another one than that nearest to a double
// `reach` units in the last place away.
PP_CLASSIC_INLINE bool is_doubtful_float(double value, uint32_t reach = 8) {
  const uint64_t below = (bits_of(value) - (0x10000000u - reach)) & 0x1fffffffu;
  return (below <= 2 * reach) | !(std::fabs(value) > 1e-30);
}

#ifdef PP_CLASSIC_FAST_NUMERIC
enum class Processor { other, avx2, avx512 };

inline Processor processor() {
  __builtin_cpu_init();
  if (PP_CLASSIC_LEVEL > 1 && __builtin_cpu_supports("avx512f") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512bw")) {
    return Processor::avx512;
  }
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  return avx2 ? Processor::avx2 : Processor::other;
}

// The one of three functions that this processor runs best.
template <class Function>
Function for_processor(Function avx512, Function avx2, Function other) {
  const Processor here = processor();
  return here == Processor::avx512 ? avx512 : here == Processor::avx2 ? avx2 : other;
}
#endif

// Calls ask(i) for each i whose byte has the bit `mask`.
template <class Ask>
PP_CLASSIC_INLINE void settle(uint32_t n, const uint8_t* doubt, uint8_t mask, Ask&& ask) {
  uint32_t first = 0;
  for (; first + 64 <= n; first += 64) {
    // A bit for each byte: a loop over those ends unexpectedly once, not once in eight.
    uint64_t bits = 0;
    for (uint32_t byte = 0; byte < 64; byte += 8) {
      uint64_t eight;
      std::memcpy(&eight, doubt + first + byte, sizeof eight);
      const uint64_t ones = eight / mask & 0x0101010101010101u;
      bits |= (ones * 0x0102040810204080u >> 56) << byte;  // little-endian: the first is lowest
    }
    while (bits != 0) {
      ask(first + static_cast<uint32_t>(__builtin_ctzll(bits)));
      bits &= bits - 1;
    }
  }
  for (; first < n; ++first) {
    if ((doubt[first] & mask) != 0) ask(first);
  }
}

}  // namespace classic
#endif  // PARALLEL_POOL_CLASSIC_NUMERIC_GLIBC_HPP_
