// parallel_pool/host/run/run_queue.hpp: the work of one pool, waiting to be claimed.
//
// One producer (the pool's send side), many consumers. Fixed capacity: an environment is in flight
// at most once, so at most `num_envs` runs wait, and the slot of a run that waits is never
// overwritten. The slot of a run that was claimed may be, at any time: with the others' answers
// received, their next runs come round to it. So a consumer first copies and then claims; if
// another one was faster, what it copied may be anything and is forgotten.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>

#include "parallel_pool/host/batch/batch.hpp"

namespace pp::host {

// Lanes of one shard to be stepped by one thread, and the rows they go to.
struct Run {
  Batch* batch;  // NULL: rows are claimed when they are needed (asynchronous pools)
  uint32_t row;
  uint32_t shard;
  uint32_t first;  // lane within the shard
  uint32_t count;
};

class RunQueue {
 public:
  static constexpr uint32_t most = 64;  // runs in one claim

  explicit RunQueue(uint32_t num_envs) {
    uint64_t capacity = 1;
    while (capacity < num_envs) capacity *= 2;
    slots_ = std::make_unique<Slot[]>(capacity);
    mask_ = capacity - 1;
  }

  void push(const Run& run) {
    const uint64_t tail = tail_.load(std::memory_order_relaxed);
    slots_[tail & mask_].store(run);
    tail_.store(tail + 1, std::memory_order_release);
  }

  // Claims up to a share of what waits, at most `most`, into `runs`. `threads` share the queue.
  // `light`: so many that the last one's row ends a cache line of bytes. Threads that write into
  // the same lines take longer than these runs do.
  uint32_t claim(uint32_t threads, Run* runs, bool light = false) {
    uint64_t head = head_.load(std::memory_order_acquire);
    for (;;) {
      const uint64_t tail = tail_.load(std::memory_order_acquire);
      if (head >= tail) return 0;
      // Small enough that threads finish together, large enough that claiming is rare.
      const uint64_t share = (tail - head) / (4 * static_cast<uint64_t>(threads));
      uint64_t take = share < 1 ? 1 : share > most / 4 ? most / 4 : share;
      for (uint64_t i = 0; i < take; ++i) runs[i] = slots_[(head + i) & mask_].load();
      while (light && take < std::min<uint64_t>(most, tail - head) && !ends_line(runs[take - 1])) {
        runs[take] = slots_[(head + take) & mask_].load();
        ++take;
      }
      if (head_.compare_exchange_weak(head, head + take, std::memory_order_acq_rel,
                                      std::memory_order_acquire)) {
        return static_cast<uint32_t>(take);
      }
    }
  }

  // About how many are not claimed yet.
  uint32_t size() const {
    const uint64_t head = head_.load(std::memory_order_acquire);
    const uint64_t tail = tail_.load(std::memory_order_acquire);
    return tail > head ? static_cast<uint32_t>(tail - head) : 0;
  }

  // Forgets the runs that are not claimed yet.
  void drop() {
    uint64_t head = head_.load();
    while (!head_.compare_exchange_weak(head, tail_.load())) {
    }
  }

 private:
  static bool ends_line(const Run& run) { return (run.row + run.count) % 64 == 0; }

  // A run in atomic words, because a consumer that is about to lose reads what is being written.
  // Their order is that of head_ and tail_; on their own they cost what plain words cost.
  class Slot {
   public:
    void store(const Run& run) {
      batch_.store(run.batch, std::memory_order_relaxed);
      place_.store(uint64_t{run.row} << 32 | run.shard, std::memory_order_relaxed);
      lanes_.store(uint64_t{run.first} << 32 | run.count, std::memory_order_relaxed);
    }
    Run load() const {
      const uint64_t place = place_.load(std::memory_order_relaxed);
      const uint64_t lanes = lanes_.load(std::memory_order_relaxed);
      return {batch_.load(std::memory_order_relaxed), static_cast<uint32_t>(place >> 32),
              static_cast<uint32_t>(place), static_cast<uint32_t>(lanes >> 32),
              static_cast<uint32_t>(lanes)};
    }

   private:
    std::atomic<Batch*> batch_{nullptr};
    std::atomic<uint64_t> place_{0};
    std::atomic<uint64_t> lanes_{0};
  };

  std::unique_ptr<Slot[]> slots_;
  uint64_t mask_ = 0;
  alignas(128) Shared<uint64_t, struct Claims> head_{0};
  alignas(128) Shared<uint64_t, struct Sends> tail_{0};
};

}  // namespace pp::host
