// Cuts a generator's 32-bit words into narrower ones, the low ones first: bits, bytes or halves.
//
// numpy draws integers of narrow types so, in both of its generations. It drops the pieces left
// over at the end of each call, hence an object to be made anew for each.

#ifndef PARALLEL_POOL_RNG_WORD_SLICER_HPP_
#define PARALLEL_POOL_RNG_WORD_SLICER_HPP_

#include <cstdint>
#include <limits>
#include <type_traits>

namespace pp {
namespace rng_internal {

template <typename Generator, typename Word>
class WordSlicer {
  static_assert(std::is_unsigned<Word>::value && sizeof(Word) < 4,
                "wider words come from the generator whole");

 public:
  explicit WordSlicer(Generator& generator) : generator_(generator) {}

  Word next() {
    if (remaining_ == 0) {
      buffer_ = generator_.next_uint32();
      remaining_ = slices;
    } else {
      buffer_ >>= bits;
    }
    --remaining_;
    return static_cast<Word>(buffer_ & std::numeric_limits<Word>::max());
  }

 private:
  static constexpr int bits = std::numeric_limits<Word>::digits;
  static constexpr int slices = 32 / bits;

  Generator& generator_;
  uint32_t buffer_ = 0;
  int remaining_ = 0;
};

}  // namespace rng_internal
}  // namespace pp

#endif  // PARALLEL_POOL_RNG_WORD_SLICER_HPP_
