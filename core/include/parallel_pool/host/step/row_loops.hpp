// parallel_pool/host/step/row_loops.hpp: the host's work on every row of a call, as plain loops.
//
// For an environment as cheap as CartPole these loops are a fifth of a step, so they are written
// for the vectoriser: restricted parameters (GCC keeps that promise for parameters, not for
// locals), one concern per loop, bytes that are 0 or 1, no branches.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#if defined(_MSC_VER)
#define PP_RESTRICT __restrict
#else
#define PP_RESTRICT __restrict__
#endif

namespace pp::host::row_loops {

// Chooses which rows reset. `op` is 0 to step and 1 to reset; `ended` rows reset whatever they were
// asked.
inline void choose(uint32_t n, const uint8_t* PP_RESTRICT op, const uint8_t* PP_RESTRICT ended,
                   uint8_t* PP_RESTRICT step_mask, uint8_t* PP_RESTRICT reset_mask) {
  for (uint32_t i = 0; i < n; ++i) {
    const uint8_t reset = ended[i] | op[i];
    reset_mask[i] = reset;
    step_mask[i] = reset ^ 1;
  }
}

// Chooses which of the rows that reset begin with a seed: those whose lowest bit of `pending` is 1.
inline void choose_seeds(uint32_t n, const uint8_t* PP_RESTRICT reset,
                         const uint8_t* PP_RESTRICT pending, uint8_t* PP_RESTRICT chosen) {
  for (uint32_t i = 0; i < n; ++i) chosen[i] = reset[i] & pending[i];
}

// Counts the bytes of a mask that are 1.
inline uint32_t count(uint32_t n, const uint8_t* mask) {
  if (std::memchr(mask, 1, n) == nullptr) return 0;  // mostly; few processors count bits at once
  uint32_t ones = 0;
  uint32_t i = 0;
  for (; i + 8 <= n; i += 8) {
    uint64_t eight;
    std::memcpy(&eight, mask + i, sizeof eight);
    ones += static_cast<uint32_t>(std::popcount(eight));
  }
  for (; i < n; ++i) ones += mask[i];
  return ones;
}

// Returns true if one of the bytes is not 0.
inline bool any(uint32_t n, const uint8_t* bytes) {
  uint8_t all = 0;
  for (uint32_t i = 0; i < n; ++i) all |= bytes[i];
  return all != 0;
}

inline void number(uint32_t n, int32_t first, int32_t* PP_RESTRICT out) {
  for (uint32_t i = 0; i < n; ++i) out[i] = first + static_cast<int32_t>(i);
}

// Steps of the episode so far; they stop at the largest value, they do not wrap.
inline void advance(uint32_t n, int32_t* PP_RESTRICT steps, int32_t* PP_RESTRICT elapsed) {
  for (uint32_t i = 0; i < n; ++i) {
    const int32_t next = steps[i] + (steps[i] != INT32_MAX ? 1 : 0);
    steps[i] = next;
    elapsed[i] = next;
  }
}
// 0 for rows that reset.
inline void advance(uint32_t n, const uint8_t* PP_RESTRICT stepped, int32_t* PP_RESTRICT steps,
                    int32_t* PP_RESTRICT elapsed) {
  for (uint32_t i = 0; i < n; ++i) {
    const int32_t next = steps[i] + (steps[i] != INT32_MAX ? 1 : 0);
    const int32_t keep = -static_cast<int32_t>(stepped[i]);  // all ones or none
    steps[i] = next & keep;
    elapsed[i] = next & keep;
  }
}

inline void limit(uint32_t n, const int32_t* PP_RESTRICT steps, int32_t most,
                  uint8_t* PP_RESTRICT truncated) {
  for (uint32_t i = 0; i < n; ++i) truncated[i] = steps[i] >= most ? 1 : 0;
}

// to |= stepped and from; `from` may hold any non-zero byte for true.
inline void merge(uint32_t n, const uint8_t* PP_RESTRICT stepped, const uint8_t* PP_RESTRICT from,
                  uint8_t* PP_RESTRICT to) {
  for (uint32_t i = 0; i < n; ++i) to[i] |= static_cast<uint8_t>((from[i] != 0) & stepped[i]);
}

inline void compute_dones(uint32_t n, const uint8_t* PP_RESTRICT stepped,
                          const uint8_t* PP_RESTRICT own_terminated,
                          const uint8_t* PP_RESTRICT truncated, uint8_t* PP_RESTRICT terminated,
                          uint8_t* PP_RESTRICT ended) {
  for (uint32_t i = 0; i < n; ++i) {
    const uint8_t over = static_cast<uint8_t>((own_terminated[i] != 0) & stepped[i]);
    terminated[i] = over;
    ended[i] = over | truncated[i];
  }
}

// Takes the stepped rows out of `mask` that have one of these flags, any non-zero byte.
inline void leave_out(uint32_t n, const uint8_t* PP_RESTRICT terminated,
                      const uint8_t* PP_RESTRICT truncated, const uint8_t* PP_RESTRICT stepped,
                      uint8_t* PP_RESTRICT mask) {
  for (uint32_t i = 0; i < n; ++i) {
    mask[i] &= static_cast<uint8_t>((((terminated[i] | truncated[i]) != 0) & stepped[i]) ^ 1);
  }
}

// No steps of the episode so far, where one has ended.
inline void begin_again(uint32_t n, const uint8_t* PP_RESTRICT ended, int32_t* PP_RESTRICT steps,
                        int32_t* PP_RESTRICT elapsed) {
  for (uint32_t i = 0; i < n; ++i) {
    const int32_t goes_on = static_cast<int32_t>(ended[i]) - 1;  // all ones or none
    steps[i] &= goes_on;
    elapsed[i] &= goes_on;
  }
}

inline void narrow(uint32_t n, const double* PP_RESTRICT from, float* PP_RESTRICT to) {
  for (uint32_t i = 0; i < n; ++i) to[i] = static_cast<float>(from[i]);
}

template <class Count>
void add_each(uint32_t n, Count more, Count* values) {
  for (uint32_t i = 0; i < n; ++i) values[i] += more;
}

inline void add(uint32_t n, const double* PP_RESTRICT from, double* PP_RESTRICT to) {
  for (uint32_t i = 0; i < n; ++i) to[i] += from[i];
}

// `value` where `keep` is 1, 0 where it is 0. By its bits: of a choice the compiler makes a branch,
// which no branch predictor could.
inline double kept(double value, uint8_t keep) {
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  bits &= uint64_t{0} - keep;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}
inline void blank(uint32_t n, const uint8_t* PP_RESTRICT keep, double* PP_RESTRICT values) {
  for (uint32_t i = 0; i < n; ++i) values[i] = kept(values[i], keep[i]);
}

// Calls work(i) for every i with mask[i] == 1, in order; `mask` holds zeros and ones. Such rows are
// few, and where they are no branch predictor knows, so they are found by the bits of eight bytes.
template <class Work>
void for_each(uint32_t n, const uint8_t* mask, Work&& work) {
  static_assert(std::endian::native == std::endian::little);
  uint32_t i = 0;
  for (; i + 8 <= n; i += 8) {
    uint64_t eight;
    std::memcpy(&eight, mask + i, sizeof eight);
    for (; eight != 0; eight &= eight - 1) {
      work(i + static_cast<uint32_t>(std::countr_zero(eight)) / 8);
    }
  }
  for (; i < n; ++i) {
    if (mask[i] == 1) work(i);
  }
}

// Whole numbers where `mask` is 1, 0 where it is 0. Where many are 1, looking for them takes
// longer.
template <class Number>
void pick(uint32_t n, const uint8_t* PP_RESTRICT mask, const Number* PP_RESTRICT from,
          Number* PP_RESTRICT to) {
  const uint32_t ones = count(n, mask);
  if (ones > n / 32) {
    for (uint32_t i = 0; i < n; ++i) to[i] = from[i] & (Number{0} - static_cast<Number>(mask[i]));
    return;
  }
  std::memset(to, 0, n * sizeof(Number));
  if (ones > 0) for_each(n, mask, [=](uint32_t i) { to[i] = from[i]; });
}

}  // namespace pp::host::row_loops
