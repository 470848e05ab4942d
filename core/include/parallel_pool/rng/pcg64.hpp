// pp::Pcg64: the bit generator under pp::Rng.
//
// Promises the stream of numpy.random.PCG64: raw 64-bit words, 32-bit halves and the uniform
// floating-point numbers made straight from them. The object's 40 bytes are its whole state,
// without padding, in this order: state (high, low), increment (high, low), held-back half word,
// and 1 where a half word is held back; these are the fields of numpy's `bit_generator.state`.
//
// Does not offer numpy's advance() and jumped(), nor the DXSM variant.
//
// PCG is M. E. O'Neill's family ("PCG: A Family of Simple Fast Space-Efficient Statistically Good
// Algorithms for Random Number Generation", 2014); this member is XSL-RR with 128 bits of state.

#ifndef PARALLEL_POOL_RNG_PCG64_HPP_
#define PARALLEL_POOL_RNG_PCG64_HPP_

#include <cstdint>
#include <type_traits>

#include "parallel_pool/rng/seed_sequence.hpp"
#include "parallel_pool/rng/uint128.hpp"

namespace pp {

class Pcg64 {
 public:
  explicit Pcg64(const SeedSequence& sequence) { seed(sequence); }

  void seed(const SeedSequence& sequence) {
    uint64_t words[4];
    sequence.generate_state(words, 4);
    // The increment must be odd for the state to run through its full period.
    increment_ = {(words[2] << 1) | (words[3] >> 63), (words[3] << 1) | 1};
    state_ = rng_internal::add(increment_, {words[0], words[1]});
    step();
    held_half_ = 0;
    has_held_half_ = 0;
  }

  uint64_t next_uint64() {
    step();
    const uint64_t folded = state_.high ^ state_.low;
    const unsigned rotation = static_cast<unsigned>(state_.high >> 58);
    return (folded >> rotation) | (folded << ((64 - rotation) & 63));
  }

  // Returns true if a seed can lead here. From elsewhere the draws may repeat a few words for ever,
  // and code that rejects these would never return.
  bool is_sound() const { return (increment_.low & 1) != 0 && has_held_half_ <= 1; }

  // Halves of 64-bit words, the low one first. The other half is held back for the next call, and
  // draws of 64 bits in between leave it there.
  uint32_t next_uint32() {
    if (has_held_half_ != 0) {
      has_held_half_ = 0;
      return held_half_;
    }
    const uint64_t word = next_uint64();
    held_half_ = static_cast<uint32_t>(word >> 32);
    has_held_half_ = 1;
    return static_cast<uint32_t>(word);
  }

  // Uniform over the multiples of 2**-53 in [0, 1).
  double random() { return static_cast<double>(next_uint64() >> 11) * 0x1p-53; }

  // Uniform over the multiples of 2**-24 in [0, 1), from half a word.
  float random_float() { return static_cast<float>(next_uint32() >> 8) * 0x1p-24f; }

 private:
  void step() {
    constexpr rng_internal::Uint128 multiplier{2549297995355413924u, 4865540595714422341u};
    state_ = rng_internal::add(rng_internal::multiply(state_, multiplier), increment_);
  }

  rng_internal::Uint128 state_;
  rng_internal::Uint128 increment_;
  uint32_t held_half_;
  uint32_t has_held_half_;
};

static_assert(std::is_trivially_copyable<Pcg64>::value && std::is_standard_layout<Pcg64>::value &&
                  std::has_unique_object_representations_v<Pcg64> && sizeof(Pcg64) == 40,
              "the bytes of a Pcg64 are its state");

}  // namespace pp

#endif  // PARALLEL_POOL_RNG_PCG64_HPP_
