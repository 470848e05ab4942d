// pp::SeedSequence: turns a seed of any length into well-mixed state words.
//
// Promises the words of numpy.random.SeedSequence(entropy, spawn_key=...) at its default pool size
// of four words. Does not draw entropy from the operating system and does not keep numpy's counter
// of spawned children: the child number i of a sequence is the sequence with i appended to its
// spawn key.
//
// The design is M. E. O'Neill's replacement for std::seed_seq ("Developing a seed_seq
// Alternative", 2015), with the constants that numpy uses.

#ifndef PARALLEL_POOL_RNG_SEED_SEQUENCE_HPP_
#define PARALLEL_POOL_RNG_SEED_SEQUENCE_HPP_

#include <array>
#include <cstddef>
#include <cstdint>

namespace pp {

class SeedSequence {
 public:
  explicit SeedSequence(uint64_t entropy) : SeedSequence(entropy, nullptr, 0) {}

  // The spawn key is given as 32-bit words. An element of numpy's spawn key below 2**32 is one
  // word; a greater one is several, least significant first.
  SeedSequence(uint64_t entropy, const uint32_t* spawn_key, size_t spawn_key_count) {
    const uint32_t words[2] = {static_cast<uint32_t>(entropy),
                               static_cast<uint32_t>(entropy >> 32)};
    mix_entropy(words, words[1] == 0 ? 1 : 2, spawn_key, spawn_key_count);
  }

  // Entropy of any length, least significant word first. An integer in numpy has no words beyond
  // its most significant non-zero one (and one word when it is zero); trailing zero words are
  // significant here whenever there are more than four.
  SeedSequence(const uint32_t* entropy_words, size_t entropy_count, const uint32_t* spawn_key,
               size_t spawn_key_count) {
    mix_entropy(entropy_words, entropy_count, spawn_key, spawn_key_count);
  }

  void generate_state(uint32_t* out, size_t count) const {
    OutputHash hash;
    for (size_t i = 0; i < count; ++i) out[i] = hash(pool_[i % pool_size]);
  }

  void generate_state(uint64_t* out, size_t count) const {
    OutputHash hash;
    for (size_t i = 0; i < count; ++i) {
      const uint64_t low = hash(pool_[(2 * i) % pool_size]);
      const uint64_t high = hash(pool_[(2 * i + 1) % pool_size]);
      out[i] = (high << 32) | low;
    }
  }

 private:
  static constexpr size_t pool_size = 4;

  // A multiplicative hash; its key moves on with each use, so that equal words at different
  // places hash differently.
  template <uint32_t InitialKey, uint32_t KeyMultiplier>
  class KeyedHash {
   public:
    uint32_t operator()(uint32_t value) {
      value ^= key_;
      key_ *= KeyMultiplier;
      value *= key_;
      return value ^ (value >> 16);
    }

   private:
    uint32_t key_ = InitialKey;
  };
  using InputHash = KeyedHash<0x43b0d7e5u, 0x931e8875u>;
  using OutputHash = KeyedHash<0x8b51f9ddu, 0x58f38dedu>;

  static uint32_t combine(uint32_t into, uint32_t from) {
    const uint32_t mixed = 0xca01f9ddu * into - 0x4973f715u * from;
    return mixed ^ (mixed >> 16);
  }

  void mix_entropy(const uint32_t* entropy, size_t entropy_count, const uint32_t* spawn_key,
                   size_t spawn_key_count) {
    // Entropy shorter than the pool is padded with zeros before a spawn key is appended, lest
    // (entropy, key) collide with a longer entropy that happens to end in the key's words.
    const size_t key_begin =
        entropy_count < pool_size && spawn_key_count > 0 ? pool_size : entropy_count;
    const size_t count = key_begin + spawn_key_count;
    const auto word = [&](size_t i) -> uint32_t {
      if (i < entropy_count) return entropy[i];
      return i >= key_begin && i < count ? spawn_key[i - key_begin] : 0;
    };

    InputHash hash;
    for (size_t i = 0; i < pool_size; ++i) pool_[i] = hash(word(i));
    // Every pool word influences every other one.
    for (size_t from = 0; from < pool_size; ++from) {
      for (size_t into = 0; into < pool_size; ++into) {
        if (from != into) pool_[into] = combine(pool_[into], hash(pool_[from]));
      }
    }
    for (size_t from = pool_size; from < count; ++from) {
      for (uint32_t& into : pool_) into = combine(into, hash(word(from)));
    }
  }

  std::array<uint32_t, pool_size> pool_{};
};

}  // namespace pp

#endif  // PARALLEL_POOL_RNG_SEED_SEQUENCE_HPP_
