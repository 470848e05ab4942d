// parallel_pool/host/workers/worker_group.hpp: the workers of one pool, and the table that its
// pool drives in place of the plugin's.
//
// Shard s lives in worker s % workers, for good. A synchronous pool has one shard per worker, so a
// step is one call per worker, and one thread begins them all before it waits for the first; an
// asynchronous one has the plugin's own shards, so that each can finish when it likes, and a thread
// per worker that sleeps meanwhile. The group must outlive its pool.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "parallel_pool/abi.h"
#include "parallel_pool/host/base/fork_guard.hpp"
#include "parallel_pool/host/config/pool_config.hpp"
#include "parallel_pool/host/plugin/spec.hpp"
#include "parallel_pool/host/run/backend.hpp"
#include "parallel_pool/host/threads/cpus.hpp"
#include "parallel_pool/host/workers/extensions.hpp"
#include "parallel_pool/host/workers/info_store.hpp"
#include "parallel_pool/host/workers/isolated_spec.hpp"
#include "parallel_pool/host/workers/remote_shard.hpp"
#include "parallel_pool/host/workers/worker.hpp"
#include "parallel_pool/host/workers/worker_runner.hpp"

namespace pp::host::workers {

class WorkerGroup final : public Backend {
 public:
  // `env` is the plugin's table and `own` its description. Starts the workers and does not wait
  // for them. Throws if the system refuses.
  // `pool`: of the pool that is to be, before its open values are decided.
  WorkerGroup(WorkerConfig config, const pp_env& env, const EnvSpec& own, const PoolConfig& pool)
      : config_(std::move(config)),
        spec_(isolated_spec(own, env.id)),
        table_(env),
        extensions_(env, config_.handle_field >= 0) {
    const uint32_t num_envs = pool.num_envs;
    const uint32_t batch_size = pool.batch_size;
    config_.workers = std::max(1u, std::min(config_.workers, num_envs));
    const bool synchronous = batch_size == 0 || batch_size == num_envs;
    const uint32_t share = (num_envs + config_.workers - 1) / config_.workers;
    lanes_ = synchronous ? share : std::min(std::max(1u, env.preferred_lanes), share);
    // Spinning helps only if both ends of every call have a CPU of their own.
    const uint32_t callers = synchronous ? 1 : config_.workers;
    const bool roomy = usable_cpus() >= config_.workers + callers;
    config_.host_spins = roomy ? 2000 : 50;
    config_.worker_spins = roomy ? 4000 : 50;

    // A call takes long enough for rows to be claimed when it is over. Kernels answer many
    // environments at once, and late rows are for one at a time.
    table_.struct_size = sizeof table_;
    table_.flags = !synchronous && env.preferred_lanes <= 1 ? PP_ENV_LATE_ROWS : 0u;
    table_.preferred_lanes = lanes_;
    table_.create = nullptr;
    table_.get_extension = nullptr;
    table_.step = [](void* self, const pp_lanes* lanes) { return shard(self).step(*lanes); };
    table_.reset = [](void* self, const pp_lanes* lanes) { return shard(self).reset(*lanes); };
    table_.destroy = [](void* self) { delete &shard(self); };

    shared_.config = &config_;
    shared_.infos = &infos_;
    shared_.spec = &spec_;
    shared_.n_worker_field = static_cast<uint32_t>(own.fields.size());
    shared_.truncated_field = static_cast<uint32_t>(spec_.find(PP_ROLE_TRUNCATED));
    shared_.crashed_field = static_cast<uint32_t>(spec_.fields.size() - 1);
    shared_.discount_field = spec_.find(PP_ROLE_DISCOUNT);
    shared_.reset_options = extensions_.reset_options();
    shared_.num_envs = num_envs;
    shared_.chunk = pool.action_chunk;
    try {
      for (uint32_t w = 0; w < config_.workers; ++w) {
        workers_.push_back(std::make_unique<Worker>(config_, events_, own.fields, lanes_, w,
                                                    pool.action_chunk, pool.chunk_trail));
        workers_.back()->start();
      }
    } catch (...) {
      close();  // a thread that is not told to leave would wait for ever
      throw;
    }
  }

  ~WorkerGroup() override { close(); }

  const pp_env& table() const { return table_; }
  const EnvSpec& spec() const { return spec_; }
  WorkerEvents& events() { return events_; }
  InfoStore& infos() { return infos_; }

  uint32_t lanes_per_shard() const override { return lanes_; }

  const void* extension(const char* id) override { return extensions_.find(id); }
  std::unique_ptr<Runner> make_runner(const RunnerParts& parts, const EnvTable& envs) override {
    return std::make_unique<WorkerRunner>(parts, envs, shared_, workers_, events_);
  }

  // From now on calls that do not end are given some seconds; the pool is to be closed next.
  void begin_close() { events_.begin_close(); }

  // Ends the workers, when no pool calls any more. In a forked child it only forgets them.
  void close() {
    begin_close();
    if (fork_guard_.forked()) {
      for (auto& worker : workers_) worker.release();  // NOLINT: they are the parent's
    }
    for (auto& worker : workers_) {
      if (worker != nullptr) worker->ask_to_leave();
    }
    for (auto& worker : workers_) {
      if (worker != nullptr) worker->wait_until_gone();
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    workers_.clear();
  }

  // Returns the process ids of the workers that are processes.
  std::vector<int> pids() {
    if (config_.host) return {};  // they are threads, of which one may be busy
    const std::lock_guard<std::mutex> group_lock(mutex_);
    std::vector<int> pids;
    for (auto& worker : workers_) {
      const std::lock_guard<std::mutex> lock(worker->mutex);
      if (worker->pid() >= 0) pids.push_back(worker->pid());
    }
    return pids;
  }

 private:
  static RemoteShard& shard(void* self) { return *static_cast<RemoteShard*>(self); }

  WorkerConfig config_;
  const EnvSpec spec_;
  pp_env table_;
  uint32_t lanes_ = 1;
  const Extensions extensions_;
  WorkerContext shared_{};
  WorkerEvents events_;
  InfoStore infos_;
  ForkGuard fork_guard_;
  std::mutex mutex_;  // between pids() and close()
  std::vector<std::unique_ptr<Worker>> workers_;
};

}  // namespace pp::host::workers
