// SPDX-License-Identifier: GPL-2.0-only
#include "painter.hpp"

#include <algorithm>
#include <cstring>

// Functions compiled for an instruction set that the rest of the library does without, so that one
// library runs everywhere; __builtin_cpu_supports picks among them.
#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#define PP_X86_PAINTERS 1
#include <immintrin.h>
#endif

namespace pp::atari::vcs::tia {
namespace {

// Eight bits as eight bytes of ones or zeros, bit 0 in the byte at the lowest address (on a
// little-endian machine; ALE, and so this plugin, knows no other).
constexpr std::array<uint64_t, 256> spread_table() {
  std::array<uint64_t, 256> table{};
  for (unsigned i = 0; i < 256; ++i) {
    uint64_t spread = 0;
    for (unsigned bit = 0; bit < 8; ++bit) {
      if ((i >> bit & 1U) != 0) spread |= uint64_t{0xff} << (8 * bit);
    }
    table[i] = spread;
  }
  return table;
}
constexpr std::array<uint64_t, 256> spread = spread_table();
constexpr uint64_t each_byte = 0x0101010101010101U;

void paint_scalar(const Layers& layers, int from, int to, uint8_t* line) {
  if (layers.count == 0) {
    std::memset(line + from, layers.background, static_cast<size_t>(to - from));
    return;
  }
  for (int group = from >> 3; group * 8 < to; ++group) {
    uint64_t pixels = each_byte * layers.background;
    for (int k = 0; k < layers.count; ++k) {
      const auto& layer = layers.layer[static_cast<size_t>(k)];
      const auto word = (*layer.mask)[static_cast<size_t>(group >> 3)];
      const uint64_t shown = spread[word >> (8 * (group & 7)) & 0xffU];
      pixels ^= (pixels ^ (each_byte * layer.colour)) & shown;
    }
    const int left = group * 8;
    const int begin = std::max(from - left, 0);
    const int end = std::min(to - left, 8);
    if (end - begin == 8) {
      std::memcpy(line + left, &pixels, 8);
    } else {
      uint8_t bytes[8];
      std::memcpy(bytes, &pixels, 8);
      for (int i = begin; i < end; ++i) line[left + i] = bytes[i];
    }
  }
}

#if defined(PP_X86_PAINTERS)

// 32 bits as 32 bytes of ones or zeros.
__attribute__((target("avx2"))) inline __m256i spread_avx2(uint32_t bits) {
  const __m256i byte_of = _mm256_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1,  //
                                           2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3);
  const __m256i bit_of = _mm256_set1_epi64x(static_cast<long long>(0x8040201008040201U));
  const __m256i all = _mm256_set1_epi32(static_cast<int>(bits));
  const __m256i each = _mm256_and_si256(_mm256_shuffle_epi8(all, byte_of), bit_of);
  return _mm256_cmpeq_epi8(each, bit_of);
}

__attribute__((target("avx2"))) void paint_avx2(const Layers& layers, int from, int to,
                                                uint8_t* line) {
  const LineMask span = span_mask(from, to);
  for (int block = from >> 5; block * 32 < to; ++block) {
    const auto part = [block](const LineMask& mask) {
      return static_cast<uint32_t>(mask[static_cast<size_t>(block >> 1)] >> (32 * (block & 1)));
    };
    __m256i pixels = _mm256_set1_epi8(static_cast<char>(layers.background));
    for (int k = 0; k < layers.count; ++k) {
      const auto& layer = layers.layer[static_cast<size_t>(k)];
      pixels = _mm256_blendv_epi8(pixels, _mm256_set1_epi8(static_cast<char>(layer.colour)),
                                  spread_avx2(part(*layer.mask)));
    }
    auto* out = reinterpret_cast<__m256i*>(line + 32 * block);
    const uint32_t inside = part(span);
    if (inside != 0xffffffffU) {
      pixels = _mm256_blendv_epi8(_mm256_loadu_si256(out), pixels, spread_avx2(inside));
    }
    _mm256_storeu_si256(out, pixels);
  }
}

__attribute__((target("avx512f,avx512bw"))) void paint_avx512(const Layers& layers, int from,
                                                              int to, uint8_t* line) {
  const LineMask span = span_mask(from, to);
  for (int w = from >> 6; w * 64 < to; ++w) {
    const auto word = static_cast<size_t>(w);
    __m512i pixels = _mm512_set1_epi8(static_cast<char>(layers.background));
    for (int k = 0; k < layers.count; ++k) {
      const auto& layer = layers.layer[static_cast<size_t>(k)];
      pixels = _mm512_mask_mov_epi8(pixels, (*layer.mask)[word],
                                    _mm512_set1_epi8(static_cast<char>(layer.colour)));
    }
    _mm512_mask_storeu_epi8(line + 64 * w, span[word], pixels);
  }
}

#endif

}  // namespace

bool available(InstructionSet set) {
  switch (set) {
    case InstructionSet::scalar:
      return true;
#if defined(PP_X86_PAINTERS)
    case InstructionSet::avx2:
      return __builtin_cpu_supports("avx2") != 0;
    case InstructionSet::avx512:
      return __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0;
#endif
    default:
      return false;
  }
}

InstructionSet best_instruction_set() {
  if (available(InstructionSet::avx512)) return InstructionSet::avx512;
  if (available(InstructionSet::avx2)) return InstructionSet::avx2;
  return InstructionSet::scalar;
}

Painter painter(InstructionSet set) {
  switch (set) {
#if defined(PP_X86_PAINTERS)
    case InstructionSet::avx2:
      return paint_avx2;
    case InstructionSet::avx512:
      return paint_avx512;
#endif
    default:
      return paint_scalar;
  }
}

}  // namespace pp::atari::vcs::tia
