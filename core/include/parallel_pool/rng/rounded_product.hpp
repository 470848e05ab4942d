// A product that is rounded before it is added to anything.
//
// Compilers may fuse a multiplication and an addition into one instruction with one rounding, and
// gcc does so by default where the target has it (-march=native). The last bit then differs from
// numpy's: its x86-64 builds target machines without that instruction.

#ifndef PARALLEL_POOL_RNG_ROUNDED_PRODUCT_HPP_
#define PARALLEL_POOL_RNG_ROUNDED_PRODUCT_HPP_

namespace pp {
namespace rng_internal {

inline double rounded_product(double a, double b) {
  double product = a * b;
  // Hides where the value came from. MSVC does not fuse under its default /fp:precise.
#if defined(__GNUC__) && defined(__SSE2__)
  __asm__("" : "+x"(product));
#elif defined(__GNUC__) && defined(__aarch64__)
  __asm__("" : "+w"(product));
#endif
  return product;
}

}  // namespace rng_internal
}  // namespace pp

#endif  // PARALLEL_POOL_RNG_ROUNDED_PRODUCT_HPP_
