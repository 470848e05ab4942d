// SPDX-License-Identifier: GPL-2.0-only
// Rows of palette indices turned into shades: looked up in a table, the greater of two.

#ifndef PARALLEL_POOL_ATARI_ROW_SHADES_HPP_
#define PARALLEL_POOL_ATARI_ROW_SHADES_HPP_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__)) && !defined(_WIN32)
#define PP_X86_SHADES 1
#include <immintrin.h>
#endif

namespace pp::atari {

using ShadeTable = std::array<uint8_t, 256>;

// out[x] = max(table[a[x]], table[b[x]]) for x in [from, to).
using RowShader = void (*)(const ShadeTable& table, const uint8_t* a, const uint8_t* b, int from,
                           int to, uint8_t* out);

inline void shade_one_by_one(const ShadeTable& table, const uint8_t* a, const uint8_t* b, int from,
                             int to, uint8_t* out) {
  if (std::memcmp(a + from, b + from, static_cast<size_t>(to - from)) == 0) {
    for (int x = from; x < to; ++x) out[x] = table[a[x]];
  } else {
    for (int x = from; x < to; ++x) out[x] = std::max(table[a[x]], table[b[x]]);
  }
}

#if defined(PP_X86_SHADES)

// 64 at a time: the table is in four registers.
__attribute__((target("avx512f,avx512bw,avx512vbmi"))) inline void shade_by_registers(
    const ShadeTable& table, const uint8_t* a, const uint8_t* b, int from, int to, uint8_t* out) {
  constexpr int at_once = 64;
  const __m512i t0 = _mm512_loadu_si512(table.data());
  const __m512i t1 = _mm512_loadu_si512(table.data() + at_once);
  const __m512i t2 = _mm512_loadu_si512(table.data() + 2 * at_once);
  const __m512i t3 = _mm512_loadu_si512(table.data() + 3 * at_once);
  for (int x = from; x < to; x += at_once) {
    const __mmask64 some = to - x >= at_once ? ~__mmask64{0} : (__mmask64{1} << (to - x)) - 1;
    const __m512i index_a = _mm512_maskz_loadu_epi8(some, a + x);
    const __m512i index_b = _mm512_maskz_loadu_epi8(some, b + x);
    // An index picks by its low seven bits; the eighth chooses the half of the table.
    const __m512i shade_a = _mm512_mask_blend_epi8(_mm512_movepi8_mask(index_a),
                                                   _mm512_permutex2var_epi8(t0, index_a, t1),
                                                   _mm512_permutex2var_epi8(t2, index_a, t3));
    const __m512i shade_b = _mm512_mask_blend_epi8(_mm512_movepi8_mask(index_b),
                                                   _mm512_permutex2var_epi8(t0, index_b, t1),
                                                   _mm512_permutex2var_epi8(t2, index_b, t3));
    _mm512_mask_storeu_epi8(out + x, some, _mm512_max_epu8(shade_a, shade_b));
  }
}

inline RowShader best_row_shader() {
  const bool registers =
      __builtin_cpu_supports("avx512vbmi") != 0 && __builtin_cpu_supports("avx512bw") != 0;
  return registers ? shade_by_registers : shade_one_by_one;
}

#else

inline RowShader best_row_shader() {
  return shade_one_by_one;
}

#endif

}  // namespace pp::atari

#endif  // PARALLEL_POOL_ATARI_ROW_SHADES_HPP_
