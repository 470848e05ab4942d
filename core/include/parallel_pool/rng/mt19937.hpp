// pp::Mt19937: the bit generator under pp::RandomState, and the Atari plugin's.
//
// Promises the stream of numpy.random.MT19937, whose 32-bit words are also those of std::mt19937
// where the seed is one number. The object's 2500 bytes are its whole state, without padding: the
// `key` and `pos` of numpy's get_state(). The standard library's generator keeps its state to
// itself and gives it away as text only.
//
// Is plain data, without a state until it is seeded. Does not offer numpy's jumped().
//
// M. Matsumoto and T. Nishimura, "Mersenne Twister: a 623-dimensionally equidistributed uniform
// pseudo-random number generator" (1998), with their seeding of 2002.

#ifndef PARALLEL_POOL_RNG_MT19937_HPP_
#define PARALLEL_POOL_RNG_MT19937_HPP_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <type_traits>

#include "parallel_pool/rng/seed_sequence.hpp"

namespace pp {

struct Mt19937 {
  static constexpr std::uint32_t kWords = 624;

  std::array<std::uint32_t, kWords> key;
  std::uint32_t position;  // in `key`, of the next word to give out; kWords: none is left

  // As std::mt19937(value), and as numpy's RandomState(value).
  void seed(std::uint32_t value) {
    key[0] = value;
    for (std::uint32_t i = 1; i < kWords; ++i) {
      key[i] = 1812433253U * (key[i - 1] ^ key[i - 1] >> 30) + i;
    }
    position = kWords;
  }

  // As numpy's RandomState([word, ...]): the authors' seeding by an array.
  void seed(const std::uint32_t* words, std::size_t count) {
    if (count == 0) throw std::invalid_argument("a seed of no words; give at least one");
    seed(19650218U);
    std::uint32_t place = 1;
    // Two rounds over the key: one mixes the words in, one spreads them.
    for (std::size_t i = 0; i < std::max<std::size_t>(kWords, count); ++i) {
      const std::size_t word = i % count;
      key[place] = Mixed(place, 1664525U) + words[word] + static_cast<std::uint32_t>(word);
      place = NextPlace(place);
    }
    for (std::uint32_t i = 1; i < kWords; ++i) {
      key[place] = Mixed(place, 1566083941U) - place;
      place = NextPlace(place);
    }
    key[0] = kNeverAllZero;
  }

  // As numpy's MT19937(seed), the bit generator that a RandomState may be made of.
  void seed(const SeedSequence& sequence) {
    sequence.generate_state(key.data(), key.size());
    key[0] = kNeverAllZero;
    position = kWords - 1;
  }

  std::uint32_t next_uint32() {
    if (position >= kWords) Refill();
    std::uint32_t y = key[position++];
    y ^= y >> 11;
    y ^= y << 7 & 0x9d2c5680U;
    y ^= y << 15 & 0xefc60000U;
    return y ^ y >> 18;
  }

  // The first word drawn is the high one.
  std::uint64_t next_uint64() {
    const std::uint64_t high = next_uint32();
    return high << 32 | next_uint32();
  }

  // Uniform over the multiples of 2**-53 in [0, 1).
  double random() {
    const std::uint64_t high = next_uint32() >> 5;
    const std::uint64_t low = next_uint32() >> 6;
    return static_cast<double>(high << 26 | low) * 0x1p-53;
  }

  friend bool operator==(const Mt19937& a, const Mt19937& b) {
    return a.position == b.position && a.key == b.key;
  }

 private:
  static constexpr std::uint32_t kNeverAllZero = 0x80000000U;

  std::uint32_t Mixed(std::uint32_t place, std::uint32_t multiplier) const {
    const std::uint32_t before = key[place - 1];
    return key[place] ^ (before ^ before >> 30) * multiplier;
  }

  // The first place stands for the last one when the round closes.
  std::uint32_t NextPlace(std::uint32_t place) {
    if (place + 1 < kWords) return place + 1;
    key[0] = key[kWords - 1];
    return 1;
  }

  static std::uint32_t Twist(std::uint32_t high, std::uint32_t low, std::uint32_t far) {
    const std::uint32_t y = (high & 0x80000000U) | (low & 0x7fffffffU);
    return far ^ y >> 1 ^ ((y & 1U) != 0 ? 0x9908b0dfU : 0U);
  }

  void Refill() {
    constexpr std::uint32_t kFar = 397;
    std::uint32_t i = 0;
    for (; i < kWords - kFar; ++i) key[i] = Twist(key[i], key[i + 1], key[i + kFar]);
    for (; i < kWords - 1; ++i) key[i] = Twist(key[i], key[i + 1], key[i + kFar - kWords]);
    key[i] = Twist(key[i], key[0], key[kFar - 1]);
    position = 0;
  }
};

static_assert(std::is_trivially_copyable<Mt19937>::value &&
                  std::is_standard_layout<Mt19937>::value &&
                  std::has_unique_object_representations_v<Mt19937> && sizeof(Mt19937) == 2500,
              "the bytes of an Mt19937 are its state");

}  // namespace pp

#endif  // PARALLEL_POOL_RNG_MT19937_HPP_
