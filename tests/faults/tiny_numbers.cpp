// An environment whose observation halves until it is as small as a number can be, and the
// processor's rules for such numbers, which a program may set for a thread.
#include <cstdint>

#include "parallel_pool/env.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
extern "C" __attribute__((visibility("default"))) uint64_t float_rules() {
  return _mm_getcsr() & 0x8040u;  // flush to zero, and denormals are zeros
}
extern "C" __attribute__((visibility("default"))) void tiny_numbers_are_zero(int are) {
  _mm_setcsr((_mm_getcsr() & ~0x8040u) | (are != 0 ? 0x8040u : 0u));
}
#elif defined(__aarch64__)
extern "C" __attribute__((visibility("default"))) uint64_t float_rules() {
  uint64_t rules = 0;
  asm volatile("mrs %0, fpcr" : "=r"(rules));
  return rules & (uint64_t{1} << 24);
}
extern "C" __attribute__((visibility("default"))) void tiny_numbers_are_zero(int are) {
  asm volatile("msr fpcr, %0" : : "r"(are != 0 ? uint64_t{1} << 24 : uint64_t{0}));
}
#endif

struct Halving {
  static constexpr const char* id = "tiny/Halving-v0";
  static constexpr int64_t max_episode_steps = 1000;
  using Obs = pp::Box<double>;
  using Action = pp::Discrete<2>;
  void reset(pp::Rng& rng, Obs::Ref obs) { obs = value_ = rng.uniform(1, 2) * 0x1p-1000; }
  pp::Outcome step(int32_t, Obs::Ref obs) {
    value_ *= 0.5;
    obs = value_;
    return {value_ > 0 ? 1 : 0, false};
  }

 private:
  double value_ = 0;
};

PP_PLUGIN("tiny", pp::scalar<Halving>());
