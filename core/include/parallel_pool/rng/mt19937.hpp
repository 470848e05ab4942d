// pp::Mt19937: the bit generator under pp::RandomState, and of many engines.
//
// Promises the stream of numpy.random.MT19937; its 32-bit words are also those of std::mt19937
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
  static constexpr uint32_t word_count = 624;

  std::array<uint32_t, word_count> key;
  uint32_t position;  // in `key`, of the next word to give out; word_count: none is left

  // Seeds as std::mt19937(value) and numpy's RandomState(value) do.
  void seed(uint32_t value) {
    key[0] = value;
    for (uint32_t i = 1; i < word_count; ++i) {
      key[i] = 1812433253U * (key[i - 1] ^ key[i - 1] >> 30) + i;
    }
    position = word_count;
  }

  // Seeds as numpy's RandomState([word, ...]) does: the authors' seeding by an array.
  void seed(const uint32_t* words, size_t count) {
    if (count == 0) throw std::invalid_argument("a seed of no words; give at least one");
    seed(19650218U);
    uint32_t place = 1;
    // Two rounds over the key: one mixes the words in, one spreads them.
    for (size_t i = 0; i < std::max<size_t>(word_count, count); ++i) {
      const size_t word = i % count;
      key[place] = mixed(place, 1664525U) + words[word] + static_cast<uint32_t>(word);
      place = next_place(place);
    }
    for (uint32_t i = 1; i < word_count; ++i) {
      key[place] = mixed(place, 1566083941U) - place;
      place = next_place(place);
    }
    key[0] = never_all_zero;
  }

  // Seeds as numpy's MT19937(seed) does, the bit generator that a RandomState may be made of.
  void seed(const SeedSequence& sequence) {
    sequence.generate_state(key.data(), key.size());
    key[0] = never_all_zero;
    position = word_count - 1;
  }

  uint32_t next_uint32() {
    if (position >= word_count) refill();
    uint32_t y = key[position++];
    y ^= y >> 11;
    y ^= y << 7 & 0x9d2c5680U;
    y ^= y << 15 & 0xefc60000U;
    return y ^ y >> 18;
  }

  // The first word drawn is the high one.
  uint64_t next_uint64() {
    const uint64_t high = next_uint32();
    return high << 32 | next_uint32();
  }

  // Uniform over the multiples of 2**-53 in [0, 1).
  double random() {
    const uint64_t high = next_uint32() >> 5;
    const uint64_t low = next_uint32() >> 6;
    return static_cast<double>(high << 26 | low) * 0x1p-53;
  }

  // Returns true if this can be the state of a generator. All zeros give only zeros, and code that
  // rejects zeros would never return. Only the top bit of the first word counts.
  bool is_sound() const {
    if (position > word_count) return false;
    return (key[0] & never_all_zero) != 0 ||
           std::any_of(key.begin() + 1, key.end(), [](uint32_t word) { return word != 0; });
  }

  friend bool operator==(const Mt19937& a, const Mt19937& b) {
    return a.position == b.position && a.key == b.key;
  }

 private:
  static constexpr uint32_t never_all_zero = 0x80000000U;

  uint32_t mixed(uint32_t place, uint32_t multiplier) const {
    const uint32_t before = key[place - 1];
    return key[place] ^ (before ^ before >> 30) * multiplier;
  }

  // The first place stands for the last one when the round closes.
  uint32_t next_place(uint32_t place) {
    if (place + 1 < word_count) return place + 1;
    key[0] = key[word_count - 1];
    return 1;
  }

  static uint32_t twist(uint32_t high, uint32_t low, uint32_t far) {
    const uint32_t y = (high & 0x80000000U) | (low & 0x7fffffffU);
    return far ^ y >> 1 ^ ((y & 1U) != 0 ? 0x9908b0dfU : 0U);
  }

  void refill() {
    constexpr uint32_t far = 397;
    uint32_t i = 0;
    for (; i < word_count - far; ++i) key[i] = twist(key[i], key[i + 1], key[i + far]);
    for (; i < word_count - 1; ++i) key[i] = twist(key[i], key[i + 1], key[i + far - word_count]);
    key[i] = twist(key[i], key[0], key[far - 1]);
    position = 0;
  }
};

static_assert(std::is_trivially_copyable<Mt19937>::value &&
                  std::is_standard_layout<Mt19937>::value &&
                  std::has_unique_object_representations_v<Mt19937> && sizeof(Mt19937) == 2500,
              "the bytes of an Mt19937 are its state");

}  // namespace pp

#endif  // PARALLEL_POOL_RNG_MT19937_HPP_
