// parallel_pool/host/threads/float_rules.hpp: how floating-point numbers are rounded, and whether
// tiny ones are zero. Those rules belong to a thread, and programs change them.
//
// Environments are to compute the same in every thread and every program, so they always run under
// the rules that a process begins with: to the nearest, and tiny numbers are what they are.
#pragma once

#include <cstdint>

#if !defined(__GNUC__) || !(defined(__x86_64__) || defined(__aarch64__))
#include <cfenv>
#endif

namespace pp::host {

// The usual rules while it lives, in this thread. Where they hold already it costs two loads.
class UsualFloatRules {
 public:
#if defined(__GNUC__) && defined(__x86_64__)
  UsualFloatRules() {
    asm volatile("stmxcsr %0" : "=m"(sse_));
    asm volatile("fnstcw %0" : "=m"(x87_));
    // The lower bits only say what has happened.
    if ((sse_ & ~uint32_t{0x3f}) != 0x1f80) set_sse(0x1f80);
    if (x87_ != 0x37f) set_x87(0x37f);
  }
  ~UsualFloatRules() {
    if ((sse_ & ~uint32_t{0x3f}) != 0x1f80) set_sse(sse_);
    if (x87_ != 0x37f) set_x87(x87_);
  }

 private:
  static void set_sse(uint32_t value) { asm volatile("ldmxcsr %0" : : "m"(value)); }
  static void set_x87(uint16_t value) { asm volatile("fldcw %0" : : "m"(value)); }
  uint32_t sse_;
  uint16_t x87_;
#elif defined(__GNUC__) && defined(__aarch64__)
  UsualFloatRules() {
    asm volatile("mrs %0, fpcr" : "=r"(rules_));
    if (rules_ != 0) set(0);
  }
  ~UsualFloatRules() {
    if (rules_ != 0) set(rules_);
  }

 private:
  static void set(uint64_t value) { asm volatile("msr fpcr, %0" : : "r"(value)); }
  uint64_t rules_;
#else
  UsualFloatRules() {
    std::fegetenv(&rules_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~UsualFloatRules() { std::fesetenv(&rules_); }

 private:
  std::fenv_t rules_;
#endif

 public:
  UsualFloatRules(const UsualFloatRules&) = delete;
  UsualFloatRules& operator=(const UsualFloatRules&) = delete;
};

}  // namespace pp::host
