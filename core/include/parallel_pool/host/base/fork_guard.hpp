// parallel_pool/host/base/fork_guard.hpp: notices that this process is a forked child.
//
// Threads do not survive a fork, so a pool made before it would hang at its first step.
#pragma once

#include <cstdint>

#include "parallel_pool/per_process.hpp"

namespace pp::host {

class ForkGuard {
 public:
  // Returns true if the process forked since this object was made, and we are in the child.
  bool forked() const { return forks() != born_; }

 private:
  uint64_t born_ = forks();
};

}  // namespace pp::host
