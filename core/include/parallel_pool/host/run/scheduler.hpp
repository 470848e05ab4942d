// parallel_pool/host/run/scheduler.hpp: calls become runs, and runs find a thread.
//
// One thread at a time submits; the pool's threads, and callers that wait, take shares of what is
// queued. Small work is done at once by the one who submits.
#ifndef PARALLEL_POOL_HOST_RUN_SCHEDULER_HPP_
#define PARALLEL_POOL_HOST_RUN_SCHEDULER_HPP_

#include <cstdint>

#include "parallel_pool/host/batch/batch.hpp"
#include "parallel_pool/host/plugin/env_ids.hpp"
#include "parallel_pool/host/plugin/shards.hpp"
#include "parallel_pool/host/run/run_queue.hpp"
#include "parallel_pool/host/run/runner.hpp"
#include "parallel_pool/host/run/work_estimate.hpp"
#include "parallel_pool/host/threads/thread_pool.hpp"

namespace pp::host {

class Scheduler final : public WorkSource {
 public:
  // All of these outlive its last work().
  Scheduler(const Shards& shards, ThreadPool& threads, const WorkEstimate& estimate,
            uint32_t num_envs)
      : shards_(shards), threads_(threads), estimate_(estimate), queue_(num_envs) {}

  // Before any work.
  void use(Runner& runner) { runner_ = &runner; }

  // `batch`: where the rows go, or NULL: they claim theirs.
  void submit(const EnvIds& envs, Batch* batch) {
    const Runner::Habits& habits = runner_->habits();
    bool at_once = habits.at_once && estimate_.small(envs.n);
    uint32_t queued = 0;
    shards_.cut(envs, [&](uint32_t row, uint32_t shard, uint32_t first, uint32_t count) {
      const Run run{batch, row, shard, first, count};
      if (habits.announces) runner_->announce(run);
      if (at_once) {
        runner_->execute(&run, 1);
        // Not so small after all: the rest where others can help and Ctrl-C is listened to.
        at_once = !estimate_.heavy();
      } else {
        queue_.push(run);
        ++queued;
      }
    });
    if (queued > 0 && threads_.size() > 0) threads_.notify(queued);
    if (habits.needs_waking) runner_->submitted();
  }

  // One share of the queue.
  bool work() override {
    // Runs that take long are claimed one by one: a caller looks for signals between two claims.
    const bool one = runner_->habits().one_by_one || estimate_.heavy();
    Run runs[RunQueue::most];
    const uint32_t count = queue_.claim(one ? UINT32_MAX : threads_.size() + 1, runs);
    if (count == 0) return false;
    runner_->execute(runs, count);
    return true;
  }

  // Forgets what nobody began.
  void drop() { queue_.drop(); }

 private:
  const Shards& shards_;
  ThreadPool& threads_;
  const WorkEstimate& estimate_;
  Runner* runner_ = nullptr;
  RunQueue queue_;
};

}  // namespace pp::host
#endif  // PARALLEL_POOL_HOST_RUN_SCHEDULER_HPP_
