// parallel_pool/host/plugin/shard.hpp: the host's end of one plugin object, and its locks.
#pragma once

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
  // By lane: the steps of a chunk from the one in progress on, unless it ends. For workers, which
  // make them in one call; else empty.
  std::vector<uint32_t> ahead;
  SpinLock lock;  // contended only when several runs of one shard are in flight
};

// Holds a mutex, or nothing where there is none.
inline std::unique_lock<std::mutex> lock_if(std::mutex* mutex) {
  return mutex == nullptr ? std::unique_lock<std::mutex>() : std::unique_lock<std::mutex>(*mutex);
}

// No other thread is in the shard, nor in a library with global state: `exclusive` is its mutex
// (NULL for others).
class ShardLock {
 public:
  ShardLock(Shard& shard, std::mutex* exclusive)
      : shard_(shard.lock), library_(lock_if(exclusive)) {}

 private:
  std::lock_guard<SpinLock> shard_;
  std::unique_lock<std::mutex> library_;
};

// A ShardLock for callers that may be interrupted.
class AttentiveShardLock {
 public:
  AttentiveShardLock(Shard& shard, std::mutex* exclusive) : shard_(lock_attentively(shard.lock)) {
    if (exclusive != nullptr) library_ = lock_attentively(*exclusive);
  }

 private:
  std::unique_lock<SpinLock> shard_;
  std::unique_lock<std::mutex> library_;
};

}  // namespace pp::host
