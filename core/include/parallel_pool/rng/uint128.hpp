// The little 128-bit unsigned arithmetic that PCG64 and Lemire's method need, on any C++17
// compiler.
//
// Uses the compiler's own 128-bit type where there is one. Define PP_RNG_PORTABLE_UINT128 to force
// the fallback made of 64-bit operations (the tests do, so that it does not rot).

#ifndef PARALLEL_POOL_RNG_UINT128_HPP_
#define PARALLEL_POOL_RNG_UINT128_HPP_

#include <cstdint>

#if defined(__SIZEOF_INT128__) && !defined(PP_RNG_PORTABLE_UINT128)
#define PP_RNG_NATIVE_UINT128 1
#else
#define PP_RNG_NATIVE_UINT128 0
#endif

namespace pp {
namespace rng_internal {

// Two plain words rather than a native 128-bit integer, so that whatever holds one has the same
// size, alignment and bytes on every compiler.
struct Uint128 {
  uint64_t high;
  uint64_t low;
};

#if PP_RNG_NATIVE_UINT128

__extension__ typedef unsigned __int128 NativeUint128;

constexpr NativeUint128 to_native(Uint128 value) {
  return (static_cast<NativeUint128>(value.high) << 64) | value.low;
}

constexpr Uint128 from_native(NativeUint128 value) {
  return {static_cast<uint64_t>(value >> 64), static_cast<uint64_t>(value)};
}

constexpr Uint128 add(Uint128 a, Uint128 b) {
  return from_native(to_native(a) + to_native(b));
}

// Full product of two 64-bit numbers.
constexpr Uint128 multiply_full(uint64_t a, uint64_t b) {
  return from_native(static_cast<NativeUint128>(a) * b);
}

// Product modulo 2**128.
constexpr Uint128 multiply(Uint128 a, Uint128 b) {
  return from_native(to_native(a) * to_native(b));
}

#else

constexpr Uint128 add(Uint128 a, Uint128 b) {
  const uint64_t low = a.low + b.low;
  return {a.high + b.high + (low < a.low ? 1u : 0u), low};
}

// Full product of two 64-bit numbers, by schoolbook multiplication of their 32-bit halves.
constexpr Uint128 multiply_full(uint64_t a, uint64_t b) {
  constexpr uint64_t half = 0xFFFFFFFFu;
  const uint64_t low_low = (a & half) * (b & half);
  const uint64_t high_low = (a >> 32) * (b & half);
  const uint64_t low_high = (a & half) * (b >> 32);
  const uint64_t high_high = (a >> 32) * (b >> 32);
  // At most 3 * (2**32 - 1), so the carry out of the middle column cannot overflow.
  const uint64_t middle = (low_low >> 32) + (high_low & half) + (low_high & half);
  return {high_high + (high_low >> 32) + (low_high >> 32) + (middle >> 32),
          (middle << 32) | (low_low & half)};
}

// Product modulo 2**128.
constexpr Uint128 multiply(Uint128 a, Uint128 b) {
  const Uint128 product = multiply_full(a.low, b.low);
  return {product.high + a.high * b.low + a.low * b.high, product.low};
}

#endif

}  // namespace rng_internal
}  // namespace pp

#endif  // PARALLEL_POOL_RNG_UINT128_HPP_
