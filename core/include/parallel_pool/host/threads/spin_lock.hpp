// parallel_pool/host/threads/spin_lock.hpp: a lock that is seldom contended, and mostly held for
// moments; a thread that has to wait for longer gives its CPU away. For std::lock_guard.
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>

#include "parallel_pool/host/threads/thread_pool.hpp"

namespace pp::host {

class SpinLock {
 public:
  void lock() {
    for (uint32_t spins = 0; flag_.test_and_set(std::memory_order_acquire); ++spins) {
      // A thread that holds it for so long has lost its CPU, perhaps to us.
      spins < patience ? cpu_relax() : std::this_thread::yield();
    }
  }
  bool try_lock() { return !flag_.test_and_set(std::memory_order_acquire); }
  void unlock() { flag_.clear(std::memory_order_release); }

 private:
  static constexpr uint32_t patience = 100;
  std::atomic_flag flag_ = ATOMIC_FLAG_INIT;
};

}  // namespace pp::host
