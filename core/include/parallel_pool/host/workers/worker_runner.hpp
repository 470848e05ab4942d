// parallel_pool/host/workers/worker_runner.hpp: environments that live in worker processes or
// threads.
//
// Runs are executed as in a direct runner, by a table that forwards its calls (RemoteShard).
// Besides, a synchronous pool announces all runs of a call before it waits for the first, so that
// workers are at work at the same time, and no thread executes before they are done.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "parallel_pool/abi.h"
#include "parallel_pool/host/batch/rows.hpp"
#include "parallel_pool/host/run/direct_runner.hpp"
#include "parallel_pool/host/run/runner.hpp"
#include "parallel_pool/host/state/env_table.hpp"
#include "parallel_pool/host/threads/spin_lock.hpp"
#include "parallel_pool/host/workers/remote_shard.hpp"
#include "parallel_pool/host/workers/shard_place.hpp"
#include "parallel_pool/host/workers/worker.hpp"
#include "parallel_pool/host/workers/worker_events.hpp"

namespace pp::host::workers {

class WorkerRunner final : public DirectRunner {
 public:
  // All of these outlive it. Shard s lives in worker s % workers.
  WorkerRunner(const RunnerParts& parts, const EnvTable& envs, const WorkerContext& shared,
               const std::vector<std::unique_ptr<Worker>>& workers, WorkerEvents& events)
      : DirectRunner(parts, capabilities_of(parts.config)),
        envs_(envs),
        shared_(shared),
        workers_(workers),
        builders_(static_cast<uint32_t>(workers.size())),
        events_(events) {}

  void announce(const Run& run) override {
    Shard& shard = parts_.shards[run.shard];
    // Not needed, so no caller waits for it: an earlier run of this shard may take long, and our
    // caller may hold what the environments want, such as Python's lock.
    const std::unique_lock<SpinLock> lock(shard.lock, std::try_to_lock);
    if (!lock) return;
    const Rows rows{&shard, run.first, run.count, nullptr, 0};
    const bool alone = parts_.stepper.prepare(rows);
    static_cast<RemoteShard*>(shard.self)->begin(rows, envs_.seed.data() + rows.env0(), alone);
  }

  bool ready(std::chrono::nanoseconds most) override {
    if (!capabilities_.announces) return true;
    const auto deadline = Clock::now() + most;
    for (const auto& worker : workers_) {
      std::unique_lock<std::mutex> lock(worker->mutex, std::try_to_lock);
      while (!lock.owns_lock() && !lock.try_lock()) {  // another caller waits for an answer of it
        if (Clock::now() >= deadline) return false;
        std::this_thread::sleep_for(std::chrono::microseconds(50));
      }
      if (!worker->begun) continue;
      const std::chrono::nanoseconds left = deadline - Clock::now();
      if (!worker->settled(std::max(left, std::chrono::nanoseconds(0)))) return false;
    }
    return true;
  }

  void* create(uint32_t number, const Shard& shard, const pp_shard& description) override {
    auto made = std::make_unique<RemoteShard>(shared_, *workers_[builder_of(number)],
                                              ShardPlace{number, shard.base, description.count});
    return made->build() ? made.release() : nullptr;
  }
  uint32_t builders() const override { return builders_; }
  uint32_t builder_of(uint32_t shard) const override { return shard % builders_; }
  bool waits_for_others() const override { return true; }
  void stop_building() override { events_.end_now(); }

 private:
  static Capabilities capabilities_of(const PoolConfig& config) {
    Capabilities capabilities;
    capabilities.announces = config.synchronous();
    return capabilities;  // not at once: submit() must not wait for others
  }

  const EnvTable& envs_;
  const WorkerContext& shared_;
  const std::vector<std::unique_ptr<Worker>>& workers_;
  const uint32_t builders_;
  WorkerEvents& events_;
};

}  // namespace pp::host::workers
