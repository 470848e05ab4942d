// parallel_pool/host/run_queue.hpp: the work of one pool, waiting to be claimed.
//
// One producer (the pool's send side), many consumers. Fixed capacity: an environment is in flight
// at most once, so `num_envs` runs are the most there can ever be, and a slot is never overwritten
// while a consumer still reads it.
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
    runs_.resize(capacity);
    mask_ = capacity - 1;
  }

  void push(const Run& run) {
    const uint64_t tail = tail_.load(std::memory_order_relaxed);
    runs_[tail & mask_] = run;
    tail_.store(tail + 1, std::memory_order_release);
  }

  // Claims up to a share of what waits: [first, first + result). `threads` share the queue.
  uint32_t claim(uint32_t threads, uint64_t* first) {
    uint64_t head = head_.load(std::memory_order_relaxed);
    for (;;) {
      const uint64_t tail = tail_.load(std::memory_order_acquire);
      if (head >= tail) return 0;
      // Small enough that threads finish together, large enough that claiming is rare.
      const uint64_t share = (tail - head) / (4 * static_cast<uint64_t>(threads));
      const uint64_t take = share < 1 ? 1 : share > 16 ? 16 : share;
      if (head_.compare_exchange_weak(head, head + take, std::memory_order_acq_rel)) {
        *first = head;
        return static_cast<uint32_t>(take);
      }
    }
  }
  const Run& at(uint64_t index) const { return runs_[index & mask_]; }

  // Forgets what nobody claimed yet.
  void drop() {
    uint64_t head = head_.load();
    while (!head_.compare_exchange_weak(head, tail_.load())) {
    }
  }

 private:
  std::vector<Run> runs_;
  uint64_t mask_ = 0;
  alignas(128) std::atomic<uint64_t> head_{0};
  alignas(128) std::atomic<uint64_t> tail_{0};
};

}  // namespace pp::host
#endif  // PARALLEL_POOL_HOST_RUN_QUEUE_HPP_
