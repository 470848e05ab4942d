// parallel_pool/host/spin_lock.hpp: a lock for moments: held for microseconds at most, and seldom
// contended. For std::lock_guard.
#ifndef PARALLEL_POOL_HOST_SPIN_LOCK_HPP_
#define PARALLEL_POOL_HOST_SPIN_LOCK_HPP_

#include <atomic>

#include "parallel_pool/host/thread_pool.hpp"

namespace pp::host {

class SpinLock {
 public:
  void lock() {
    while (flag_.test_and_set(std::memory_order_acquire)) cpu_relax();
  }
  void unlock() { flag_.clear(std::memory_order_release); }

 private:
  std::atomic_flag flag_ = ATOMIC_FLAG_INIT;
};

}  // namespace pp::host
#endif  // PARALLEL_POOL_HOST_SPIN_LOCK_HPP_
