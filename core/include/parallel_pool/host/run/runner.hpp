// parallel_pool/host/run/runner.hpp: a way of running the environments of a pool.
//
// There are three: direct_runner.hpp (the plugin is called by the pool's threads),
// watched_runner.hpp (the same with step_timeout), workers/worker_runner.hpp (environments live in
// worker processes or threads). Each pool has one, chosen when it is made (make_runner.hpp), and
// asks nothing else which it is.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

#include "parallel_pool/abi.h"
#include "parallel_pool/host/batch/batch_queue.hpp"
#include "parallel_pool/host/config/pool_config.hpp"
#include "parallel_pool/host/plugin/env_tables.hpp"
#include "parallel_pool/host/plugin/error_sink.hpp"
#include "parallel_pool/host/plugin/library.hpp"
#include "parallel_pool/host/plugin/shards.hpp"
#include "parallel_pool/host/run/completion.hpp"
#include "parallel_pool/host/run/run_queue.hpp"
#include "parallel_pool/host/run/watchdog.hpp"
#include "parallel_pool/host/run/work_estimate.hpp"
#include "parallel_pool/host/step/stepper.hpp"
#include "parallel_pool/host/threads/thread_pool.hpp"

namespace pp::host {

// The parts of the pool that runners work with. The pool outlives its runner.
struct RunnerParts {
  const EnvTables& tables;
  Library& library;
  const PoolConfig& config;
  const Layout& layout;
  Shards& shards;
  Stepper& stepper;
  BatchQueue& batches;
  Completion& completion;
  WorkEstimate& estimate;
  const std::atomic<bool>& closed;
};

class Runner {
 public:
  // Properties that do not change while the pool lives.
  struct Capabilities {
    bool at_once = false;         // submit() may execute small work itself
    bool announces = false;       // announce() comes before execute()
    bool one_by_one = false;      // runs are claimed one by one, whatever they cost
    bool callers_step = true;     // a caller that waits takes its share
    bool needs_waking = false;    // submitted() does something
    bool may_not_return = false;  // check_deadlines() does something
  };

  Runner(const RunnerParts& parts, const Capabilities& capabilities)
      : capabilities_(capabilities), parts_(parts) {}
  virtual ~Runner() = default;
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  const Capabilities& capabilities() const { return capabilities_; }

  // ---- runs ---------------------------------------------------------------------------------

  // Steps or resets the lanes of these runs and completes their rows. Any thread.
  virtual void execute(const Run* runs, uint32_t count) = 0;
  // The thread that submits: what execute() of this run will ask, so that it may begin.
  virtual void announce(const Run&) {}
  // Runs were queued.
  virtual void submitted() {}

  // ---- callers that wait --------------------------------------------------------------------

  // Returns true if execute() would not wait now. Waits for the given time at most.
  virtual bool ready(std::chrono::nanoseconds) { return true; }
  // Answers for environments that do not return. Cheap to call often.
  virtual void check_deadlines() {}
  // NULL where steps are not watched.
  virtual const Watchdog* watchdog() const { return nullptr; }

  // ---- environments -------------------------------------------------------------------------

  // Creates the shard of this number, as pp_env.create does. Called by several threads at once.
  virtual void* create(uint32_t, const Shard& shard, const pp_shard& description) {
    return without_exceptions([&] { return shard.env->create(&host_table(), &description); },
                              nullptr);
  }
  // Return how many threads, besides the pool's own, can create or look into shards at once, and
  // which of them looks into this one.
  virtual uint32_t builders() const { return 1; }
  virtual uint32_t builder_of(uint32_t /*shard*/) const { return 0; }
  // Returns true if a call of create(), or a look into a shard, may wait for another thread.
  virtual bool waits_for_others() const { return false; }
  // Gives up what is being built. Any thread may call it.
  virtual void stop_building() {}

  // ---- the end ------------------------------------------------------------------------------

  // No thread steps for `source` any more; ends the threads if they are the pool's own. False if
  // one of them is stuck in an environment: then neither it nor the pool may ever be destroyed.
  virtual bool end_threads(ThreadPool& threads, WorkSource* source) {
    threads.detach(source);
    if (parts_.config.threads == nullptr) threads.join();
    return true;
  }
  // Called after end_threads().
  virtual void destroy_shards() {
    parts_.shards.destroy([](const Shard&) { return false; });
  }

 protected:
  const Capabilities capabilities_;
  const RunnerParts parts_;
};

}  // namespace pp::host
