// parallel_pool/host/run/scheduler.hpp: calls become runs, and runs find a thread.
//
// One thread at a time submits; the pool's threads, and callers that wait, take shares of what is
// queued. Small work is done at once by the thread that submits, and what is not worth waking
// another for by the thread that waits: threading_tuner.hpp learns which that is.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <iterator>

#include "parallel_pool/abi.h"
#include "parallel_pool/host/batch/batch.hpp"
#include "parallel_pool/host/batch/batch_queue.hpp"
#include "parallel_pool/host/config/pool_config.hpp"
#include "parallel_pool/host/plugin/env_ids.hpp"
#include "parallel_pool/host/plugin/shards.hpp"
#include "parallel_pool/host/run/handed_off_runs.hpp"
#include "parallel_pool/host/run/run_queue.hpp"
#include "parallel_pool/host/run/runner.hpp"
#include "parallel_pool/host/run/threading_tuner.hpp"
#include "parallel_pool/host/run/work_estimate.hpp"
#include "parallel_pool/host/state/env_table.hpp"
#include "parallel_pool/host/threads/thread_pool.hpp"

namespace pp::host {

class Scheduler final : public WorkSource {
 public:
  // The part of the queued work that a waiting caller does.
  enum class CallersPart : uint8_t {
    share,  // it does as much as any thread
    begin,  // begins runs, one at a time, which may be left
    none,
  };

  // All of these outlive its last work(). `sharing`: NULL where nothing is learnt; `left`: where
  // callers do not begin what they may leave.
  Scheduler(const Shards& shards, ThreadPool& threads, WorkEstimate& estimate,
            ThreadingTuner* tuner, HandedOffRuns* handed_off, const PoolConfig& config,
            BatchQueue& batches)
      : shards_(shards),
        threads_(threads),
        estimate_(estimate),
        tuner_(tuner),
        handed_off_(handed_off),
        lockstep_(config.synchronous()),
        waiting_(config.waiting),
        rows_at_once_(config.rows_at_once() ? &batches : nullptr),
        queue_(config.num_envs) {}

  // Called before any work.
  void use(Runner& runner) { runner_ = &runner; }

  // `batch`: where the rows go, or NULL: they claim theirs. `only`: nothing else is on its way.
  // `awaited`: nothing else will be, and the thread that submits waits for it now.
  void submit(const EnvIds& envs, Op op, Batch* batch, bool only, bool awaited) {
    const Runner::Capabilities& capabilities = runner_->capabilities();
    if (op == Op::step && !stepped_) {
      stepped_ = true;
      estimate_.forget();  // the time of resets says nothing of steps
    }
    const uint32_t flag = op == Op::reset ? PP_ENV_RESETS_WAIT : PP_ENV_STEPS_WAIT;
    const bool waits = (waiting_ & flag) != 0u;
    const bool begins = waits && awaited && op == Op::step && handed_off_ != nullptr && envs.all();
    if (waits || queue_.size() == 0) {
      callers_part_.store(begins  ? CallersPart::begin
                          : waits ? CallersPart::none
                                  : CallersPart::share,
                          std::memory_order_relaxed);
    }
    bool at_once = !waits && capabilities.at_once && estimate_.small(envs.n, tuner_ != nullptr);
    bool shared = true;
    const bool learns =
        !waits && tuner_ != nullptr && !estimate_.less_than(ThreadingTuner::too_little, envs.n);
    if (learns) {
      const Threading guess = at_once ? Threading::alone : Threading::shared;
      shared = tuner_->begin(batch, op == Op::reset, envs.n, guess, only, ThreadingTuner::now()) ==
               Threading::shared;
      at_once = at_once && !shared;
    }
    shared = shared || at_once;  // more work than was thought is shared after all
    uint32_t queued = 0;
    Group group;
    const auto send = [&](const Run& run) {
      if (capabilities.announces) runner_->announce(run);
      if (at_once) {
        at_once = step_at_once(run, group);
      } else {
        queue_.push(run);
        ++queued;
      }
    };
    shards_.cut(envs, [&](uint32_t row, uint32_t shard, uint32_t first, uint32_t count) {
      Run run{batch, row, shard, first, count};
      if (rows_at_once_ == nullptr) return send(run);
      for (uint32_t left = count; left > 0; left -= run.count, run.first += run.count) {
        run.count = left;  // or as many as the batch has room for
        run.batch = rows_at_once_->claim(&run.count, &run.row);
        send(run);
      }
    });
    if (group.count > 0) runner_->execute(group.runs, group.count);
    const uint32_t others = begins ? queued - 1 : queued;
    if (others > 0 && shared && threads_.size() > 0) {
      threads_.notify(others, !lockstep_ && !waits && callers_step());
    }
    if (capabilities.needs_waking) runner_->submitted();
    if (!learns) return;
    const double now = ThreadingTuner::now();
    queued > 0 ? tuner_->sent(batch, now) : tuner_->finish(batch, 0.0, now);
  }

  // One share of the queue.
  bool work() override {
    if (handed_off_ != nullptr && handed_off_->work()) return true;
    // Runs that take long are claimed one by one: a caller looks for signals between two claims.
    const Runner::Capabilities& capabilities = runner_->capabilities();
    const bool one = capabilities.one_by_one || estimate_.heavy();
    Run runs[RunQueue::most];
    const uint32_t count =
        one ? queue_.claim(UINT32_MAX, runs)
            : queue_.claim(threads_.size() + 1, runs,
                           lockstep_ && capabilities.at_once && estimate_.light());
    if (count == 0) return false;
    runner_->execute(runs, count);
    return true;
  }

  // A caller begins one run, and leaves it when it has waited for so long; false: there is none.
  bool begin(std::chrono::nanoseconds most) {
    Run run{};
    if (queue_.claim(UINT32_MAX, &run) == 0) return false;
    handed_off_->begin(run, most);
    return true;
  }

  // Returns true if a caller that waits steps too. One that waits for an asynchronous batch makes
  // brief steps, unless there are CPUs for all of them.
  bool callers_step() const {
    return runner_->capabilities().callers_step &&
           (lockstep_ || (estimate_.brief() && !threads_.placed()));
  }
  CallersPart callers_part() const { return callers_part_.load(std::memory_order_relaxed); }

  // Queued work may have been left to a caller that now does something else.
  void call_for_help() {
    if (const uint32_t queued = queue_.size(); queued > 0) threads_.notify(queued);
  }

  // Forgets what no thread began.
  void drop() {
    queue_.drop();
    if (handed_off_ != nullptr) handed_off_->drop();
  }

 private:
  // Runs that are done at once, some together where steps are light.
  struct Group {
    uint32_t count = 0;
    Run runs[16];
  };

  // Returns true if the next run is to be done at once too. Heavy work is better done where others
  // can help and Ctrl-C is heard.
  bool step_at_once(const Run& run, Group& group) {
    group.runs[group.count++] = run;
    if (group.count < std::size(group.runs) && shards_.size() > 1 && estimate_.light()) return true;
    runner_->execute(group.runs, group.count);
    group.count = 0;
    return !estimate_.heavy();
  }

  const Shards& shards_;
  ThreadPool& threads_;
  WorkEstimate& estimate_;
  ThreadingTuner* const tuner_;
  HandedOffRuns* const handed_off_;
  const bool lockstep_;     // the rows of a call are of use only together
  const uint32_t waiting_;  // the flags of pp_env for calls that only the pool's own threads make
  std::atomic<CallersPart> callers_part_{CallersPart::share};
  BatchQueue* const rows_at_once_;  // here runs claim their rows when they are sent; or NULL
  Runner* runner_ = nullptr;
  bool stepped_ = false;  // steps were sent, not only resets
  RunQueue queue_;
};

}  // namespace pp::host
