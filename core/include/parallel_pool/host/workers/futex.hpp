// parallel_pool/host/workers/futex.hpp: sleeping on a word of shared memory.
//
// A Signal is a counter with one side that raises it and one that waits for the next value. Raising
// costs a system call only if the other side sleeps. Works between processes, where there are any.
#pragma once

#if PP_PROCESSES
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <ctime>
#else
#include <condition_variable>
#include <mutex>
#endif

#include <atomic>
#include <chrono>
#include <cstdint>

#include "parallel_pool/host/threads/thread_pool.hpp"

namespace pp::host::workers {

#if PP_PROCESSES
inline void wake(std::atomic<uint32_t>& word) {
  syscall(SYS_futex, &word, FUTEX_WAKE, 1, nullptr, nullptr, 0);
}
inline void wait(std::atomic<uint32_t>& word, uint32_t seen, std::chrono::nanoseconds most) {
  const timespec time{static_cast<time_t>(most.count() / 1000000000),
                      static_cast<long>(most.count() % 1000000000)};
  syscall(SYS_futex, &word, FUTEX_WAIT, seen, &time, nullptr, 0);
}
#else
// Threads that sleep on some of the words wait here.
struct Bed {
  std::mutex mutex;
  std::condition_variable woken;
  static Bed& of(const void* word) {
    static Bed* const beds = new Bed[64];  // never destroyed, as threads may still sleep then
    return beds[reinterpret_cast<uintptr_t>(word) / 64 % 64];
  }
};
inline void wake(std::atomic<uint32_t>& word) {
  Bed& bed = Bed::of(&word);
  {
    const std::lock_guard<std::mutex> lock(bed.mutex);
  }
  bed.woken.notify_all();
}
inline void wait(std::atomic<uint32_t>& word, uint32_t seen, std::chrono::nanoseconds most) {
  Bed& bed = Bed::of(&word);
  std::unique_lock<std::mutex> lock(bed.mutex);
  bed.woken.wait_for(lock, most, [&] { return word.load() != seen; });
}
#endif

struct alignas(64) Signal {
  std::atomic<uint32_t> value;
  std::atomic<uint32_t> asleep;  // the waiting side may be in the kernel

  void clear() {
    value.store(0);
    asleep.store(0);
  }

  void raise() {
    // In this order, as sleep() has it the other way round: one of the two sees the other.
    value.fetch_add(1);
    if (asleep.load() != 0) wake(value);
  }

  // Looks `spins` times at most, and returns true once the value is not `seen`.
  bool spin(uint32_t seen, uint32_t spins) const {
    for (uint32_t i = 0; i < spins; ++i) {
      if (value.load(std::memory_order_acquire) != seen) return true;
      cpu_relax();
    }
    return value.load(std::memory_order_acquire) != seen;
  }

  // Waits in the kernel, for about `most` at most. May return early.
  bool sleep(uint32_t seen, std::chrono::nanoseconds most) {
    asleep.store(1);
    if (value.load() == seen) wait(value, seen, most);
    asleep.store(0);
    return value.load(std::memory_order_acquire) != seen;
  }
};
static_assert(std::atomic<uint32_t>::is_always_lock_free, "shared between processes");

}  // namespace pp::host::workers
