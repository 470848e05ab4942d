// parallel_pool/host/plugin/patience.hpp: how long a thread may be kept by a step that waits.
#pragma once

#include <chrono>
#include <cstdint>

#include "parallel_pool/abi.h"
#include "parallel_pool/ext/patience.h"

namespace pp::host {

// The patience of its thread while it lives; threads without one wait as long as it takes.
class Patience {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Patience(Clock::time_point until) : outer_(current()), until_(until) {
    current() = this;
  }
  ~Patience() { current() = outer_; }
  Patience(const Patience&) = delete;
  Patience& operator=(const Patience&) = delete;

  // Returns true if a step with this status was left, which it had been allowed to do.
  bool left(int32_t status) const { return was_told_ && status == PP_STEP_LEFT; }

  static int32_t is_wanted(const pp_host*) {
    Patience* const mine = current();
    if (mine == nullptr || Clock::now() < mine->until_) return 0;
    mine->was_told_ = true;
    return 1;
  }

 private:
  static Patience*& current() {
    static thread_local Patience* patience = nullptr;
    return patience;
  }
  Patience* outer_;
  const Clock::time_point until_;
  bool was_told_ = false;
};

}  // namespace pp::host
