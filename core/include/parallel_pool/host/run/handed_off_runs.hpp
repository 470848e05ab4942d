// parallel_pool/host/run/handed_off_runs.hpp: runs that callers step for a while, and the pool's
// threads to the end.
//
// A caller has to listen to signals, so it may not stay in a step that waits for others as long as
// that takes (PP_ENV_STEPS_WAIT). It begins the step itself all the same, since handing it to
// another thread costs more than most of these steps have to wait; what is not done by then it
// leaves, and a thread of the pool goes on with it. So are runs that are more than one call of the
// plugin's step: a caller leaves them as they are.
//
// A run that is left keeps its shard's lock. So all of a pool's environments have to be in the call
// that the run is of: no other thread wants the shard then.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include "parallel_pool/abi.h"
#include "parallel_pool/host/config/pool_config.hpp"
#include "parallel_pool/host/plugin/error_sink.hpp"
#include "parallel_pool/host/plugin/patience.hpp"
#include "parallel_pool/host/plugin/shards.hpp"
#include "parallel_pool/host/run/completion.hpp"
#include "parallel_pool/host/run/run_queue.hpp"
#include "parallel_pool/host/run/work_estimate.hpp"
#include "parallel_pool/host/step/stepper.hpp"
#include "parallel_pool/host/threads/spin_lock.hpp"
#include "parallel_pool/host/threads/thread_pool.hpp"

namespace pp::host {

class HandedOffRuns {
 public:
  // Returns true if callers of such a pool may begin steps. With SAME_STEP any step may have to
  // reset, too. `flags`: those of pp_env.
  static bool serve(uint32_t flags, const PoolConfig& config) {
    return (flags & PP_ENV_STEPS_WAIT) != 0u && (flags & PP_ENV_EXCLUSIVE) == 0u &&
           config.synchronous() && config.step_timeout == 0.0 &&
           config.autoreset != Autoreset::same_step;
  }

  // All of these outlive it.
  HandedOffRuns(Shards& shards, Stepper& stepper, WorkEstimate& estimate, Completion& completion,
                ThreadPool& threads)
      : shards_(shards),
        stepper_(stepper),
        estimate_(estimate),
        completion_(completion),
        threads_(threads) {}

  // Steps these lanes, and completes their rows unless that has to wait for longer than `most`.
  void begin(const Run& run, std::chrono::nanoseconds most) {
    Left left{run, Patience::Clock::now(), {}};
    std::unique_lock<SpinLock> lock(shards_[run.shard].lock);
    bool is_left = false;
    Rows done;
    {
      const Patience patience(left.start + most);
      done = step(run, Leaving{patience, left.said, is_left});
    }
    if (!is_left) {
      lock.unlock();
      return finish(left, done);
    }
    lock.release();
    {
      const std::lock_guard<std::mutex> list(mutex_);
      left_.push_back(std::move(left));
      count_.store(left_.size());
    }
    threads_.notify(1);
  }

  // Goes on with one of those that were left; false: there is none. The pool's own threads.
  bool work() {
    if (count_.load() == 0) return false;
    Left left{};
    {
      const std::lock_guard<std::mutex> list(mutex_);
      if (left_.empty()) return false;
      left = std::move(left_.front());
      left_.erase(left_.begin());
      count_.store(left_.size());
    }
    Rows done;
    {
      const std::lock_guard<SpinLock> lock(shards_[left.run.shard].lock, std::adopt_lock);
      done = step(left.run, Returning{left.said});
    }
    finish(left, done);
    return true;
  }

  // Forgets the runs that no thread goes on with.
  void drop() {
    const std::lock_guard<std::mutex> list(mutex_);
    left_.clear();
    count_.store(0);
  }

 private:
  struct Left {
    Run run;
    Patience::Clock::time_point start;
    PluginMessages said;  // by the step so far
  };

  // Steps that may be left, and that were; see NoHandOff for what each member is.
  struct Leaving : Unwatched {
    Leaving(const Patience& patience_of_thread, PluginMessages& said_so_far, bool& was_left)
        : patience(patience_of_thread), said(said_so_far), is_left(was_left) {}

    template <class More>
    bool takes(More&& more) const {
      is_left = more();
      return !is_left;
    }
    bool leaves(int32_t status, ErrorSink& sink) const {
      is_left = patience.left(status);
      if (is_left) said = sink.take();
      return is_left;
    }

    const Patience& patience;
    PluginMessages& said;
    bool& is_left;
  };
  struct Returning : Unwatched {
    explicit Returning(PluginMessages& said_before) : said(said_before) {}

    void recall(ErrorSink& sink) const { sink.recall(std::move(said)); }

    PluginMessages& said;
  };

  template <class Watch>
  Rows step(const Run& run, const Watch& watch) {
    return stepper_.step({&shards_[run.shard], run.first, run.count, run.batch, run.row}, watch);
  }
  void finish(const Left& left, const Rows& done) {
    estimate_.measure(left.start, left.run.count);
    completion_.complete(done);
  }

  Shards& shards_;
  Stepper& stepper_;
  WorkEstimate& estimate_;
  Completion& completion_;
  ThreadPool& threads_;
  std::mutex mutex_;  // guards the list
  std::vector<Left> left_;
  std::atomic<size_t> count_{0};
};

}  // namespace pp::host
