// parallel_pool/host/run/runner.hpp: a way of running the environments of a pool.
//
// There are three: direct_runner.hpp (the plugin is called by the pool's threads),
// watched_runner.hpp (the same with step_timeout), worker_runner.hpp (environments live in worker
// processes or threads). Each pool has one, chosen when it is made (make_runner.hpp), and asks
// nothing else which it is.
#ifndef PARALLEL_POOL_HOST_RUN_RUNNER_HPP_
#define PARALLEL_POOL_HOST_RUN_RUNNER_HPP_

#include <atomic>
#include <chrono>
#include <cstdint>

#include "parallel_pool/abi.h"
#include "parallel_pool/host/batch/batch_queue.hpp"
#include "parallel_pool/host/config/pool_config.hpp"
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

// What runners work with. The pool's, which outlives its runner.
struct RunnerParts {
  const pp_env& env;
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
  // What does not change while the pool lives.
  struct Capabilities {
    bool at_once = false;         // submit() may execute small work itself
    bool announces = false;       // announce() comes before execute()
    bool one_by_one = false;      // runs are claimed one by one, whatever they cost
    bool callers_step = true;     // a synchronous caller takes its share while it waits
    bool needs_waking = false;    // submitted() does something
    bool may_not_return = false;  // look() does something
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

  // Whether execute() would not wait now; waits so long at most.
  virtual bool ready(std::chrono::nanoseconds) { return true; }
  // Answers for environments that do not return. Cheap to call often.
  virtual void look() {}
  // NULL where steps are not watched.
  virtual const Watchdog* watchdog() const { return nullptr; }

  // ---- environments -------------------------------------------------------------------------

  // As pp_env.create, for the shard of this number. Called by several threads at once.
  virtual void* create(uint32_t, const Shard&, const pp_shard& description) {
    return without_exceptions([&] { return parts_.env.create(&host_table(), &description); },
                              nullptr);
  }
  // How many threads, besides the pool's own, can create or look into shards at once; which of them
  // looks into this one.
  virtual uint32_t builders() const { return 1; }
  virtual uint32_t builder_of(uint32_t /*shard*/) const { return 0; }
  // Whether a call of create(), or a look into a shard, may wait for another thread.
  virtual bool waits_for_others() const { return false; }
  // What is being built is not wanted any more. Any thread.
  virtual void stop_building() {}
  // As pp_env.get_extension.
  virtual const void* extension(const char* id) const {
    return parts_.env.get_extension == nullptr ? nullptr : parts_.env.get_extension(id);
  }

  // ---- the end ------------------------------------------------------------------------------

  // No thread steps for `source` any more; ends the threads if they are the pool's own. False if
  // one of them is stuck in an environment: then neither it nor the pool may ever be destroyed.
  virtual bool end_threads(ThreadPool& threads, WorkSource* source) {
    threads.detach(source);
    if (parts_.config.threads == nullptr) threads.join();
    return true;
  }
  // After that.
  virtual void destroy_shards() {
    parts_.shards.destroy([](const Shard&) { return false; });
  }

 protected:
  const Capabilities capabilities_;
  const RunnerParts parts_;
};

}  // namespace pp::host
#endif  // PARALLEL_POOL_HOST_RUN_RUNNER_HPP_
