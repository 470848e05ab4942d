// parallel_pool/host/workers/futex.hpp: sleeping on a word of shared memory. Linux.
//
// A Signal is a counter with one side that raises it and one that waits for the next value. Raising
// costs a system call only if the other side sleeps. Works between processes.
#ifndef PARALLEL_POOL_HOST_WORKERS_FUTEX_HPP_
#define PARALLEL_POOL_HOST_WORKERS_FUTEX_HPP_

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <ctime>

#include "parallel_pool/host/threads/thread_pool.hpp"

namespace pp::host::workers {

struct alignas(64) Signal {
  std::atomic<uint32_t> value;
  std::atomic<uint32_t> asleep;  // whether the waiting side may be in the kernel

  void clear() {
    value.store(0);
    asleep.store(0);
  }

  void raise() {
    // In this order, as sleep() has it the other way round: one of the two sees the other.
    value.fetch_add(1);
    if (asleep.load() != 0) syscall(SYS_futex, &value, FUTEX_WAKE, 1, nullptr, nullptr, 0);
  }

  // Whether the value became other than `seen` within so many looks.
  bool spin(uint32_t seen, uint32_t spins) const {
    for (uint32_t i = 0; i < spins; ++i) {
      if (value.load(std::memory_order_acquire) != seen) return true;
      cpu_relax();
    }
    return value.load(std::memory_order_acquire) != seen;
  }

  // As spin(), but in the kernel, for about so long at most. May return early.
  bool sleep(uint32_t seen, std::chrono::nanoseconds most) {
    const timespec time{static_cast<time_t>(most.count() / 1000000000),
                        static_cast<long>(most.count() % 1000000000)};
    asleep.store(1);
    if (value.load() == seen) syscall(SYS_futex, &value, FUTEX_WAIT, seen, &time, nullptr, 0);
    asleep.store(0);
    return value.load(std::memory_order_acquire) != seen;
  }
};
static_assert(std::atomic<uint32_t>::is_always_lock_free, "shared between processes");

}  // namespace pp::host::workers
#endif  // PARALLEL_POOL_HOST_WORKERS_FUTEX_HPP_
