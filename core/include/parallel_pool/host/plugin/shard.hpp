// parallel_pool/host/plugin/shard.hpp: the host's end of one plugin object, and its locks.
#ifndef PARALLEL_POOL_HOST_PLUGIN_SHARD_HPP_
#define PARALLEL_POOL_HOST_PLUGIN_SHARD_HPP_

#include <cstdint>
#include <mutex>
#include <vector>

#include "parallel_pool/abi.h"
#include "parallel_pool/host/plugin/error_sink.hpp"
#include "parallel_pool/host/threads/attention.hpp"
#include "parallel_pool/host/threads/spin_lock.hpp"

namespace pp::host {

// One plugin object and the scratch of the call in progress; only the thread that holds `lock` may
// use either. Environments are base .. base + count - 1.
struct Shard {
  const pp_env* env = nullptr;
  void* self = nullptr;
  uint32_t base = 0;
  uint32_t count = 0;
  std::vector<uint8_t> step_mask;
  std::vector<uint8_t> reset_mask;
  std::vector<uint8_t> seed_mask;
  std::vector<uint64_t> seed;
  std::vector<double> reward;
  std::vector<uint8_t> player_flags;
  std::vector<void*> fields;
  SpinLock lock;  // contended only when several runs of one shard are in flight
};

// Holds a mutex, or nothing where there is none.
class MaybeLock {
 public:
  explicit MaybeLock(std::mutex* mutex) : mutex_(mutex) {
    if (mutex_ != nullptr) mutex_->lock();
  }
  ~MaybeLock() {
    if (mutex_ != nullptr) mutex_->unlock();
  }
  MaybeLock(const MaybeLock&) = delete;
  MaybeLock& operator=(const MaybeLock&) = delete;

 private:
  std::mutex* mutex_;
};

// As ShardLock, for callers that may be called away.
class AttentiveShardLock {
 public:
  AttentiveShardLock(Shard& shard, std::mutex* exclusive) {
    lock_attentively(shard.lock);
    shard_ = std::unique_lock<SpinLock>(shard.lock, std::adopt_lock);
    if (exclusive == nullptr) return;
    lock_attentively(*exclusive);
    library_ = std::unique_lock<std::mutex>(*exclusive, std::adopt_lock);
  }

 private:
  std::unique_lock<SpinLock> shard_;
  std::unique_lock<std::mutex> library_;
};

// No other thread is in the shard, nor in a library with global state: `exclusive` is its mutex
// (NULL for others).
class ShardLock {
 public:
  ShardLock(Shard& shard, std::mutex* exclusive) : shard_(shard.lock), library_(exclusive) {}

 private:
  std::lock_guard<SpinLock> shard_;
  MaybeLock library_;
};

}  // namespace pp::host
#endif  // PARALLEL_POOL_HOST_PLUGIN_SHARD_HPP_
