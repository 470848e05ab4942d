// parallel_pool/host/run/worker_runner.hpp: environments that live in worker processes or threads.
//
// Runs are executed as in a direct runner, by a table of the backend's that forwards its calls.
// Besides, a synchronous pool announces all runs of a call before it waits for the first, so that
// workers are at work at the same time, and no thread executes before they are done.
#ifndef PARALLEL_POOL_HOST_RUN_WORKER_RUNNER_HPP_
#define PARALLEL_POOL_HOST_RUN_WORKER_RUNNER_HPP_

#include <chrono>
#include <cstdint>
#include <mutex>

#include "parallel_pool/abi.h"
#include "parallel_pool/host/run/backend.hpp"
#include "parallel_pool/host/run/direct_runner.hpp"
#include "parallel_pool/host/run/runner.hpp"
#include "parallel_pool/host/threads/spin_lock.hpp"

namespace pp::host {

class WorkerRunner final : public DirectRunner {
 public:
  // `env` of the parts is the backend's table. `envs` and `backend` outlive it.
  WorkerRunner(const RunnerParts& parts, const EnvTable& envs, Backend& backend)
      : DirectRunner(parts, capabilities_of(parts.config)), envs_(envs), backend_(backend) {}

  void announce(const Run& run) override {
    Shard& shard = parts_.shards[run.shard];
    // Not needed, so no caller waits for it: an earlier run of this shard may take long, and our
    // caller may hold what the environments want, such as Python's lock.
    const std::unique_lock<SpinLock> lock(shard.lock, std::try_to_lock);
    if (!lock) return;
    const Rows rows{&shard, run.first, run.count, nullptr, 0};
    const bool alone = parts_.stepper.foresee(rows);
    backend_.begin(shard.self, {run.first, run.count, shard.step_mask.data(),
                                shard.reset_mask.data(), shard.seed_mask.data(),
                                envs_.seed.data() + rows.env0(), shard.fields.data(), alone});
  }

  bool ready(std::chrono::nanoseconds most) override {
    return !capabilities_.announces || backend_.arrived(most);
  }

  void* create(uint32_t number, const Shard& shard, const pp_shard& description) override {
    return backend_.create(number, shard.base, description);
  }
  uint32_t builders() const override { return backend_.builders(); }
  uint32_t builder_of(uint32_t shard) const override { return backend_.builder_of(shard); }
  bool waits_for_others() const override { return true; }
  void stop_building() override { backend_.stop_building(); }
  const void* extension(const char* id) const override { return backend_.extension(id); }

 private:
  static Capabilities capabilities_of(const PoolConfig& config) {
    Capabilities capabilities;
    capabilities.announces = config.synchronous();
    return capabilities;  // not at once: submit() must not wait for others
  }

  const EnvTable& envs_;
  Backend& backend_;
};

}  // namespace pp::host
#endif  // PARALLEL_POOL_HOST_RUN_WORKER_RUNNER_HPP_
