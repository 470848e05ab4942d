// parallel_pool/host/run_queue.hpp: the work of one pool, waiting to be claimed.
//
// One producer (the pool's send side), many consumers. Fixed capacity: an environment is in flight
// at most once, so `num_envs` runs are the most that can ever wait. What was claimed waits no more:
// its slot may be written again at any time, so a consumer reads first and claims then. It may read
// what is being overwritten, hence the atomic words, but then its claim fails: `head` has moved on.
#ifndef PARALLEL_POOL_HOST_RUN_QUEUE_HPP_
#define PARALLEL_POOL_HOST_RUN_QUEUE_HPP_

#include <atomic>
#include <cstdint>
#include <vector>

#include "parallel_pool/host/batch.hpp"

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
  explicit RunQueue(uint32_t num_envs) {
    uint64_t capacity = 1;
    while (capacity < num_envs) capacity *= 2;
    slots_ = std::vector<Slot>(capacity);
    mask_ = capacity - 1;
  }

  void push(const Run& run) {
    const uint64_t tail = tail_.load(std::memory_order_relaxed);
    slots_[tail & mask_].write(run);
    tail_.store(tail + 1, std::memory_order_release);
  }

  static constexpr uint32_t most = 16;  // runs in one claim

  // Claims up to a share of what waits; returns how many. `threads` share the queue.
  uint32_t claim(uint32_t threads, Run (&runs)[most]) {
    uint64_t head = head_.load(std::memory_order_relaxed);
    for (;;) {
      const uint64_t tail = tail_.load(std::memory_order_acquire);
      if (head >= tail) return 0;
      // Small enough that threads finish together, large enough that claiming is rare.
      const uint64_t share = (tail - head) / (4 * static_cast<uint64_t>(threads));
      const uint64_t take = share < 1 ? 1 : share > most ? most : share;
      for (uint64_t i = 0; i < take; ++i) runs[i] = slots_[(head + i) & mask_].read();
      if (head_.compare_exchange_weak(head, head + take, std::memory_order_acq_rel)) {
        return static_cast<uint32_t>(take);
      }
    }
  }

  // Forgets what nobody claimed yet.
  void drop() {
    uint64_t head = head_.load();
    while (!head_.compare_exchange_weak(head, tail_.load())) {
    }
  }

 private:
  // A run in words that may be read while they are written.
  struct Slot {
    std::atomic<Batch*> batch{nullptr};
    std::atomic<uint64_t> row_shard{0};
    std::atomic<uint64_t> first_count{0};

    void write(const Run& run) {
      batch.store(run.batch, std::memory_order_relaxed);
      row_shard.store(pack(run.row, run.shard), std::memory_order_relaxed);
      first_count.store(pack(run.first, run.count), std::memory_order_relaxed);
    }
    Run read() const {
      const uint64_t where = row_shard.load(std::memory_order_relaxed);
      const uint64_t what = first_count.load(std::memory_order_relaxed);
      return {batch.load(std::memory_order_relaxed), static_cast<uint32_t>(where),
              static_cast<uint32_t>(where >> 32), static_cast<uint32_t>(what),
              static_cast<uint32_t>(what >> 32)};
    }
    static uint64_t pack(uint32_t low, uint32_t high) {
      return low | static_cast<uint64_t>(high) << 32;
    }
  };

  std::vector<Slot> slots_;
  uint64_t mask_ = 0;
  alignas(128) std::atomic<uint64_t> head_{0};
  alignas(128) std::atomic<uint64_t> tail_{0};
};

}  // namespace pp::host
#endif  // PARALLEL_POOL_HOST_RUN_QUEUE_HPP_
