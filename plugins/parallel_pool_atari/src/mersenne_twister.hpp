// The Mersenne Twister MT19937 (Matsumoto and Nishimura, 1998) as plain data.
//
// Promises the numbers of std::mt19937, which are ALE's. The standard's keeps its state to itself
// and gives it away as text only; a saved game wants a copy of 2.5 kB.

#ifndef PARALLEL_POOL_ATARI_MERSENNE_TWISTER_HPP_
#define PARALLEL_POOL_ATARI_MERSENNE_TWISTER_HPP_

#include <array>
#include <cstdint>
#include <type_traits>

namespace pp::atari {

struct MersenneTwister {
  static constexpr std::uint32_t kWords = 624;

  std::array<std::uint32_t, kWords> word;
  std::uint32_t at;  // the next word to give out; kWords: none is left

  void seed(std::uint32_t value) {
    word[0] = value;
    for (std::uint32_t i = 1; i < kWords; ++i) {
      word[i] = 1812433253U * (word[i - 1] ^ word[i - 1] >> 30) + i;
    }
    at = kWords;
  }

  std::uint32_t next() {
    if (at >= kWords) refill();
    std::uint32_t y = word[at++];
    y ^= y >> 11;
    y ^= y << 7 & 0x9d2c5680U;
    y ^= y << 15 & 0xefc60000U;
    return y ^ y >> 18;
  }

 private:
  static std::uint32_t twist(std::uint32_t high, std::uint32_t low, std::uint32_t far) {
    const std::uint32_t y = (high & 0x80000000U) | (low & 0x7fffffffU);
    return far ^ y >> 1 ^ ((y & 1U) != 0 ? 0x9908b0dfU : 0U);
  }
  void refill() {
    constexpr std::uint32_t kFar = 397;
    std::uint32_t i = 0;
    for (; i < kWords - kFar; ++i) word[i] = twist(word[i], word[i + 1], word[i + kFar]);
    for (; i < kWords - 1; ++i) word[i] = twist(word[i], word[i + 1], word[i + kFar - kWords]);
    word[i] = twist(word[i], word[0], word[kFar - 1]);
    at = 0;
  }
};
static_assert(std::is_trivially_copyable_v<MersenneTwister>);

}  // namespace pp::atari

#endif  // PARALLEL_POOL_ATARI_MERSENNE_TWISTER_HPP_
