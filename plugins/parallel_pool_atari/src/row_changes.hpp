// SPDX-License-Identifier: GPL-2.0-only
// Rows of two screens that were seen before: where they differ from that.

#ifndef PARALLEL_POOL_ATARI_ROW_CHANGES_HPP_
#define PARALLEL_POOL_ATARI_ROW_CHANGES_HPP_

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "emulator.hpp"
#include "parallel_pool/sdk/pixels/resize_plan.hpp"

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__)) && !defined(_WIN32)
#define PP_X86_CHANGES 1
#include <immintrin.h>
#endif

namespace pp::atari {

// One row of each screen, now and as it was seen.
struct SeenRow {
  const uint8_t *a, *b;
  uint8_t *seen_a, *seen_b;
};

// The pixels between the first and the last one that either row has otherwise than it was seen, or
// a few more. Has them seen.
using RowWatcher = pixels::Span (*)(const SeenRow& row);

inline pixels::Span watch_by_words(const SeenRow& row) {
  constexpr int word_size = 8;
  const auto word = [](const uint8_t* pixels, int x) {
    uint64_t word;
    std::memcpy(&word, pixels + x, word_size);
    return word;
  };
  const auto other = [&](int x) {
    return (word(row.a, x) ^ word(row.seen_a, x)) | (word(row.b, x) ^ word(row.seen_b, x));
  };
  uint64_t any = 0;
  for (int x = 0; x < screen_width; x += word_size) any |= other(x);
  if (any == 0) return {};
  pixels::Span span{0, screen_width};
  while (other(span.begin) == 0) span.begin += word_size;
  while (other(span.end - word_size) == 0) span.end -= word_size;
  std::memcpy(row.seen_a, row.a, screen_width);
  std::memcpy(row.seen_b, row.b, screen_width);
  return span;
}

#if defined(PP_X86_CHANGES)

__attribute__((target("avx2"))) inline pixels::Span watch_avx2(const SeenRow& row) {
  constexpr int at_once = 32;
  constexpr int pieces = screen_width / at_once;
  static_assert(pieces * at_once == screen_width);
  const auto* a = reinterpret_cast<const __m256i*>(row.a);
  const auto* b = reinterpret_cast<const __m256i*>(row.b);
  auto* seen_a = reinterpret_cast<__m256i*>(row.seen_a);
  auto* seen_b = reinterpret_cast<__m256i*>(row.seen_b);
  std::array<unsigned, pieces> others;
  unsigned any = 0;
  for (int i = 0; i < pieces; ++i) {
    const __m256i same = _mm256_and_si256(
        _mm256_cmpeq_epi8(_mm256_loadu_si256(a + i), _mm256_loadu_si256(seen_a + i)),
        _mm256_cmpeq_epi8(_mm256_loadu_si256(b + i), _mm256_loadu_si256(seen_b + i)));
    others[i] = ~static_cast<unsigned>(_mm256_movemask_epi8(same));
    any |= others[i];
  }
  if (any == 0) return {};
  int first = -1;
  int last = 0;
  for (int i = 0; i < pieces; ++i) {
    const unsigned other = others[i];
    if (other == 0) continue;
    if (first < 0) first = i * at_once + __builtin_ctz(other);
    last = (i + 1) * at_once - __builtin_clz(other);
    _mm256_storeu_si256(seen_a + i, _mm256_loadu_si256(a + i));
    _mm256_storeu_si256(seen_b + i, _mm256_loadu_si256(b + i));
  }
  return {first, last};
}

inline RowWatcher best_row_watcher() {
  return __builtin_cpu_supports("avx2") != 0 ? watch_avx2 : watch_by_words;
}

#else

inline RowWatcher best_row_watcher() {
  return watch_by_words;
}

#endif

}  // namespace pp::atari

#endif  // PARALLEL_POOL_ATARI_ROW_CHANGES_HPP_
