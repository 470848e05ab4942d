// parallel_pool/sdk/pixels/byte_shuffles.hpp: sums of weighted bytes by the processor's shuffles,
// AVX2 or NEON.
//
// has_shuffles() says whether the processor has them; if not, sum_shuffled is not called. AVX2 is
// not used on Windows, where GCC does not align its registers on the stack.
#ifndef PARALLEL_POOL_SDK_PIXELS_BYTE_SHUFFLES_HPP_
#define PARALLEL_POOL_SDK_PIXELS_BYTE_SHUFFLES_HPP_

#include <array>
#include <cstddef>
#include <cstdint>

#if defined(__x86_64__) && !defined(_WIN32)
#define PP_PIXELS_AVX2
#include <immintrin.h>
#elif defined(__aarch64__)
#define PP_PIXELS_NEON
#include <arm_neon.h>
#endif

namespace pp::pixels {

constexpr int shuffle_bytes = 16;  // the size of a load
constexpr int shuffle_sums = 4;    // the number of sums that a load serves

// A part of eight sums: four bytes of each of two loads, times a weight each.
struct ShuffledTap {
  static constexpr uint8_t none = 0x80;  // shuffles make this a 0

  std::array<int32_t, 2> begin{};  // the first byte of each load
  std::array<uint8_t, 2 * shuffle_bytes> picks;
  std::array<float, 2 * shuffle_sums> weight{};

  ShuffledTap() { picks.fill(none); }
  void take(int sum, int byte, float of_weight) {
    picks[static_cast<size_t>(sum) * sizeof(uint32_t)] = static_cast<uint8_t>(byte);
    weight[static_cast<size_t>(sum)] = of_weight;
  }
};

inline bool has_shuffles() {
#if defined(PP_PIXELS_AVX2)
  return __builtin_cpu_supports("avx2") != 0;
#elif defined(PP_PIXELS_NEON)
  return true;
#else
  return false;
#endif
}

// Groups of eight sums, [from, to).
struct ShuffledGroups {
  size_t from, to;
};

// out[8 * g ...] = the eight sums of taps [ends[g - 1], ends[g]), in their order, for each group g.
#if defined(PP_PIXELS_AVX2)
__attribute__((target("avx2"))) inline void sum_shuffled(const uint8_t* row,
                                                         const ShuffledTap* taps,
                                                         const uint32_t* ends,
                                                         ShuffledGroups groups, float* out) {
  const ShuffledTap* tap = taps + (groups.from == 0 ? 0 : ends[groups.from - 1]);
  for (size_t group = groups.from; group < groups.to; ++group) {
    __m256 sum = _mm256_setzero_ps();
    for (const ShuffledTap* const end = taps + ends[group]; tap != end; ++tap) {
      const auto* low = reinterpret_cast<const __m128i*>(row + tap->begin[0]);
      const auto* high = reinterpret_cast<const __m128i*>(row + tap->begin[1]);
      const auto* picks = reinterpret_cast<const __m256i*>(tap->picks.data());
      const __m256i bytes = _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128(low)),
                                                    _mm_loadu_si128(high), 1);
      const __m256i values = _mm256_shuffle_epi8(bytes, _mm256_loadu_si256(picks));
      sum = _mm256_add_ps(
          sum, _mm256_mul_ps(_mm256_cvtepi32_ps(values), _mm256_loadu_ps(tap->weight.data())));
    }
    _mm256_storeu_ps(out + 8 * group, sum);
  }
}
#elif defined(PP_PIXELS_NEON)
inline void sum_shuffled(const uint8_t* row, const ShuffledTap* taps, const uint32_t* ends,
                         ShuffledGroups groups, float* out) {
  const auto weighted = [row](const ShuffledTap& of, size_t half) {
    const uint8x16_t picks = vld1q_u8(of.picks.data() + half * shuffle_bytes);
    const uint8x16_t values = vqtbl1q_u8(vld1q_u8(row + of.begin[half]), picks);
    return vmulq_f32(vcvtq_f32_u32(vreinterpretq_u32_u8(values)),
                     vld1q_f32(of.weight.data() + half * shuffle_sums));
  };
  const ShuffledTap* tap = taps + (groups.from == 0 ? 0 : ends[groups.from - 1]);
  for (size_t group = groups.from; group < groups.to; ++group) {
    float32x4_t low = vdupq_n_f32(0.0F);
    float32x4_t high = low;
    for (const ShuffledTap* const end = taps + ends[group]; tap != end; ++tap) {
      low = vaddq_f32(low, weighted(*tap, 0));
      high = vaddq_f32(high, weighted(*tap, 1));
    }
    vst1q_f32(out + 8 * group, low);
    vst1q_f32(out + 8 * group + shuffle_sums, high);
  }
}
#else
inline void sum_shuffled(const uint8_t*, const ShuffledTap*, const uint32_t*, ShuffledGroups,
                         float*) {}
#endif

}  // namespace pp::pixels
#endif  // PARALLEL_POOL_SDK_PIXELS_BYTE_SHUFFLES_HPP_
