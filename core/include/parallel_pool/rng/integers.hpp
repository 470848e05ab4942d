// Integers of every type from a range, as numpy draws them for the dtype of that name.
//
// Promises numpy's words in both generations; the method of bounded.hpp that a generation uses is a
// template argument. Refuses empty ranges and values that the type cannot hold before it draws.

#ifndef PARALLEL_POOL_RNG_INTEGERS_HPP_
#define PARALLEL_POOL_RNG_INTEGERS_HPP_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "parallel_pool/rng/bounded.hpp"
#include "parallel_pool/rng/word_slicer.hpp"

namespace pp {
namespace rng_internal {

// The type of the bounds of a range of Integers.
template <typename Integer>
using IntegerBound =
    std::conditional_t<std::is_unsigned<Integer>::value && sizeof(Integer) == sizeof(uint64_t),
                       uint64_t, int64_t>;

// From `lowest` to lowest + span, modulo 2**64: the span of a signed range need not fit in the
// signed type.
struct IntegerRange {
  uint64_t lowest;
  uint64_t span;
};

template <typename Bound>
[[noreturn]] void refuse_range(Bound low, Bound high, bool endpoint, const char* why) {
  throw std::invalid_argument("random integers from " + std::to_string(low) + " up to " +
                              std::to_string(high) + (endpoint ? ", included: " : ", excluded: ") +
                              why);
}

template <typename Integer>
IntegerRange make_integer_range(IntegerBound<Integer> low, IntegerBound<Integer> high,
                                bool endpoint) {
  using Bound = IntegerBound<Integer>;
  using Limits = std::numeric_limits<Integer>;
  static_assert(std::is_integral<Integer>::value, "the type of the values is an integer's");
  if (endpoint ? low > high : low >= high) {
    refuse_range(low, high, endpoint, "there is none; the greater bound comes second");
  }
  const Bound last = endpoint ? high : high - 1;
  if (low < static_cast<Bound>(Limits::min()) || last > static_cast<Bound>(Limits::max())) {
    refuse_range(low, high, endpoint,
                 "the type of the values cannot hold them; ask for a wider one");
  }
  const uint64_t lowest = static_cast<uint64_t>(low);
  return {lowest, static_cast<uint64_t>(last) - lowest};
}

template <typename Integer, bool IsBool = std::is_same<Integer, bool>::value>
struct SliceOf {
  using Word = std::make_unsigned_t<Integer>;
};
template <typename Integer>
struct SliceOf<Integer, true> {
  using Word = bool;
};

// Draws as one call of numpy's for `count` values. For types below 32 bits that differs from
// `count` calls, because values of one call share words.
template <typename Method, typename Generator, typename Integer>
void fill_integers(Generator& generator, Integer* out, size_t count, IntegerRange range) {
  if constexpr (sizeof(Integer) < sizeof(uint32_t)) {
    using Word = typename SliceOf<Integer>::Word;
    WordSlicer<Generator, Word> slicer(generator);
    const Word span = static_cast<Word>(range.span);
    const auto draw = [&slicer, span]() -> Word {
      if (span == std::numeric_limits<Word>::max()) return slicer.next();
      if constexpr (std::is_same<Word, bool>::value) {
        return span;
      } else {
        return span == 0 ? span : Method::template from_slices<Word>(slicer, span);
      }
    };
    for (size_t i = 0; i < count; ++i) out[i] = static_cast<Integer>(range.lowest + draw());
  } else {
    for (size_t i = 0; i < count; ++i) {
      out[i] = static_cast<Integer>(range.lowest + Method::from_words(generator, range.span));
    }
  }
}

}  // namespace rng_internal
}  // namespace pp

#endif  // PARALLEL_POOL_RNG_INTEGERS_HPP_
