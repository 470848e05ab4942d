// parallel_pool/host/run/engine.hpp: everything of a pool that steps: its shards, its threads, and
// the way in which they run.
//
// Built with the pool and closed by it. It checks no call: the pool has admitted what
// it is given.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "parallel_pool/abi.h"
#include "parallel_pool/ext/early_resets.h"
#include "parallel_pool/ext/reset_options.h"
#include "parallel_pool/host/base/error.hpp"
#include "parallel_pool/host/batch/batch_queue.hpp"
#include "parallel_pool/host/batch/layout.hpp"
#include "parallel_pool/host/config/pool_config.hpp"
#include "parallel_pool/host/plugin/env_ids.hpp"
#include "parallel_pool/host/plugin/env_tables.hpp"
#include "parallel_pool/host/plugin/library.hpp"
#include "parallel_pool/host/plugin/options.hpp"
#include "parallel_pool/host/plugin/shards.hpp"
#include "parallel_pool/host/run/backend.hpp"
#include "parallel_pool/host/run/builder.hpp"
#include "parallel_pool/host/run/completion.hpp"
#include "parallel_pool/host/run/handed_off_runs.hpp"
#include "parallel_pool/host/run/make_runner.hpp"
#include "parallel_pool/host/run/runner.hpp"
#include "parallel_pool/host/run/scheduler.hpp"
#include "parallel_pool/host/run/threading_tuner.hpp"
#include "parallel_pool/host/run/work_estimate.hpp"
#include "parallel_pool/host/state/env_table.hpp"
#include "parallel_pool/host/state/player_table.hpp"
#include "parallel_pool/host/step/stepper.hpp"
#include "parallel_pool/host/threads/attention.hpp"
#include "parallel_pool/host/threads/float_rules.hpp"
#include "parallel_pool/host/threads/thread_pool.hpp"

namespace pp::host {

class Engine {
 public:
  // All of these outlive it; `seeds`, `players` and `backend` may be NULL. `closed`: that of the
  // pool.
  Engine(Library& library, const EnvTables& tables, const PoolConfig& config, const Layout& layout,
         EnvTable& envs, const EpisodeSeeds* seeds, PlayerTable* players, BatchQueue& batches,
         const std::atomic<bool>& closed, Backend* backend)
      : config_(config),
        shards_(
            library, tables, config.num_envs,
            [&](const pp_env& env) { return lanes_per_shard(env, config, backend); },
            layout.num_fields(), keeps_rewards(config, players) ? layout.reward_width() : 0),
        threads_(config.threads != nullptr
                     ? config.threads
                     : ThreadPool::make(config.num_threads - config.callers(), config.placement)),
        estimate_(tables.kernel(), *threads_),
        stepper_(layout, config, envs, seeds, players, batches,
                 common_extension<pp_reset_options>(tables, PP_EXT_RESET_OPTIONS, backend),
                 common_extension<pp_early_resets>(tables, PP_EXT_EARLY_RESETS, backend), closed),
        tuner_(learns_sharing(tables.flags(), config, backend) && shards_.size() > 1 &&
                       threads_->size() > 0
                   ? std::make_unique<ThreadingTuner>(config.num_envs)
                   : nullptr),
        handed_off_(backend == nullptr && HandedOffRuns::serve(tables.flags(), config)
                        ? std::make_unique<HandedOffRuns>(shards_, stepper_, estimate_, completion_,
                                                          *threads_)
                        : nullptr),
        scheduler_(shards_, *threads_, estimate_, tuner_.get(), handed_off_.get(), config, batches),
        runner_(make_runner({tables, library, config, layout, shards_, stepper_, batches,
                             completion_, estimate_, closed},
                            envs, scheduler_, backend)) {
    scheduler_.use(*runner_);
    for (uint32_t s = 0; s < shards_.size() && backend != nullptr && config.action_chunk != 0;
         ++s) {
      shards_[s].ahead.assign(shards_[s].count, 1);
    }
  }

  Shards& shards() { return shards_; }
  const Shards& shards() const { return shards_; }
  Runner& runner() { return *runner_; }
  const Runner& runner() const { return *runner_; }
  Stepper& stepper() { return stepper_; }
  const Stepper& stepper() const { return stepper_; }
  ThreadPool& threads() { return *threads_; }
  const ThreadPool& threads() const { return *threads_; }
  const std::shared_ptr<ThreadPool>& shared_threads() const { return threads_; }
  const WorkEstimate& estimate() const { return estimate_; }

  // Builds the environments, in its threads. `options`: one per environment, or one for all. Throws
  // if one of them cannot be built; then nothing is left of any. `batches`, `interrupted`: of
  // Builder.
  template <class Interrupted>
  void build(const std::vector<const OptionValues*>& options, std::optional<double> batches,
             Interrupted&& interrupted) {
    // First: once there are environments, nothing may fail any more.
    threads_->attach(&scheduler_);
    std::string error;
    ErrorKind kind = ErrorKind::environment;
    try {
      const UsualFloatRules rules;
      Builder builder(shards_, *runner_, options, threads_->size() + 1, batches);
      error = builder.build_all(*threads_, interrupted);
      if (builder.was_interrupted()) kind = ErrorKind::interrupted;
    } catch (...) {
      threads_->detach(&scheduler_);
      throw;
    }
    if (error.empty()) return;
    threads_->detach(&scheduler_);
    if (config_.threads == nullptr) threads_->join();
    runner_->destroy_shards();
    throw Error(kind, error);
  }

  // Work for these environments. `batch`: where the rows go, or NULL: they claim theirs. `only`:
  // nothing else is on its way. `awaited`: as Scheduler::submit.
  void submit(const EnvIds& envs, Op op, Batch* batch, bool only, bool awaited) {
    scheduler_.submit(envs, op, batch, only, awaited);
  }

  // This batch was handed out; to a caller that has waited for it since `entered`.
  void taken(const Batch* batch) {
    if (tuner_ != nullptr) tuner_->finish(batch);
  }
  void taken(const Batch* batch, std::chrono::steady_clock::time_point entered) {
    if (tuner_ == nullptr || !tuner_->learns_from(batch)) return;
    tuner_->finish(batch, ThreadingTuner::nanoseconds(entered), ThreadingTuner::now());
  }

  // Answers for environments that do not return.
  void check_deadlines() {
    if (runner_->capabilities().may_not_return) runner_->check_deadlines();
  }

  // Occupies a caller that waits for a batch for a moment. It does a share of the work, if it may
  // step and need not wait for that elsewhere; else it spins, and later sleeps unless there is
  // `news()`. False if it only spun: then no time has passed to speak of. `spins`: 0 at first.
  // `most`: how long it may wait.
  template <class News, class Over>
  bool help(uint32_t* spins, std::chrono::nanoseconds most, News&& news, Over&& over) {
    using std::chrono::milliseconds;
    const bool ready = runner_->ready(std::min<std::chrono::nanoseconds>(most, milliseconds(15)));
    if (!ready || (scheduler_.callers_step() && step_share(most))) return true;
    if (++*spins < (threads_->leaves_a_cpu() ? 2000u : 50u)) {
      cpu_relax();
      return false;
    }
    completion_.sleep(std::min<std::chrono::nanoseconds>(most, milliseconds(20)), news, over);
    return true;
  }

  // For a caller that does not wait: a thread works on what is queued.
  void poll() {
    if (threads_->size() > 0) {
      scheduler_.call_for_help();
    } else if (runner_->ready(std::chrono::nanoseconds(0))) {
      scheduler_.work();  // or no thread ever would
    }
  }

  // Drops what no thread began, waits for what runs, ends its own threads and wakes callers.
  // False if a thread is stuck in an environment: then this may never be destroyed.
  bool stop() {
    scheduler_.drop();
    completion_.wake_all();
    return runner_->end_threads(*threads_, &scheduler_);
  }
  // After that, and when no caller is inside.
  void destroy_envs() { runner_->destroy_shards(); }

 private:
  // Returns true if a step puts the rewards of a shard aside: SameStep and Players do.
  static bool keeps_rewards(const PoolConfig& config, const PlayerTable* players) {
    return config.autoreset == Autoreset::same_step || players != nullptr;
  }

  // Returns true if times tell whether a call is worth sharing. For that its caller has to do all
  // of it if no thread helps, and steps have to take as long as those before.
  static bool learns_sharing(uint32_t flags, const PoolConfig& config, const Backend* backend) {
    return config.synchronous() && backend == nullptr && config.step_timeout == 0.0 &&
           (flags & PP_ENV_LATE_ROWS) == 0u;
  }

  // NULL where environments of a pool differ: each would have its own.
  template <class Table>
  static const Table* common_extension(const EnvTables& tables, const char* id, Backend* backend) {
    return tables.mixed() ? nullptr : find_extension<Table>(tables[0], id, backend);
  }

  // Does a share of the work that a caller may do. False: there is none.
  bool step_share(std::chrono::nanoseconds most) {
    const auto part = scheduler_.callers_part();
    if (part == Scheduler::CallersPart::share) return steps_within(most) && scheduler_.work();
    return part == Scheduler::CallersPart::begin &&
           scheduler_.begin(std::min<std::chrono::nanoseconds>(most, look_every));
  }
  // Returns true if a share of the work is surely done within `most`. If not, another thread is
  // told.
  bool steps_within(std::chrono::nanoseconds most) {
    const double each = estimate_.nanoseconds_per_env_step();
    if (threads_->size() == 0 || static_cast<double>(most.count()) > 3e7 + 2 * each) return true;
    scheduler_.call_for_help();
    return false;
  }

  const PoolConfig& config_;
  Shards shards_;
  Completion completion_;
  std::shared_ptr<ThreadPool> threads_;
  WorkEstimate estimate_;
  Stepper stepper_;
  std::unique_ptr<ThreadingTuner> tuner_;      // NULL: every call is shared that is not small
  std::unique_ptr<HandedOffRuns> handed_off_;  // NULL: callers leave nothing
  Scheduler scheduler_;
  std::unique_ptr<Runner> runner_;
};

}  // namespace pp::host
