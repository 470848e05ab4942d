// parallel_pool/host/run/watched_runner.hpp: environments that may not return from a step:
// step_timeout.
//
// Runs are executed under the eyes of a Watchdog: the plugin writes to a row of the watchdog's,
// which becomes the answer's once it has returned in time. Shards have one lane: the watchdog
// names, and gives up, one environment; the others of its shard would be lost too.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <string>
#include <thread>

#include "parallel_pool/abi.h"
#include "parallel_pool/host/plugin/shards.hpp"
#include "parallel_pool/host/run/runner.hpp"
#include "parallel_pool/host/run/watchdog.hpp"
#include "parallel_pool/host/step/stepper.hpp"
#include "parallel_pool/host/threads/spin_lock.hpp"
#include "parallel_pool/host/threads/thread_pool.hpp"

namespace pp::host {

// A step under the eyes of a watchdog; see Unwatched for what each member is.
class Watched : public NoHandOff {
 public:
  static constexpr bool claims_late = false;  // the watchdog knows the row

  Watched(Watchdog& watchdog, const Layout& layout, BatchQueue& batches,
          const std::atomic<bool>& closed)
      : watchdog_(watchdog), layout_(layout), batches_(batches), closed_(closed) {}

  Rows target(Rows rows) const {
    rows.batch = watchdog_.private_batch(rows.env0());
    rows.row = watchdog_.private_row(rows.env0());
    return rows;
  }
  void begin(const Rows& rows) const { watchdog_.start(rows.env0()); }
  bool end(const Rows& rows) const { return watchdog_.leave(rows.env0()); }
  Rows answer(const LaneCall&, Rows rows) const {
    uint32_t one = 1;
    if (rows.batch == nullptr) rows.batch = batches_.claim(&one, &rows.row);
    for (size_t f = 0; f < layout_.num_fields(); ++f) {
      if (!layout_.is_action(f)) copy(f, rows);
    }
    return rows;
  }
  bool begin_again(const Rows& rows) const {
    watchdog_.enter(rows.env0(), rows.batch, rows.row);
    if (closed_.load()) {
      watchdog_.leave(rows.env0());
      return false;
    }
    watchdog_.start(rows.env0());
    return true;
  }
  bool end_again(const Rows& rows) const {
    if (!watchdog_.leave(rows.env0())) return false;
    for (size_t f = 0; f < layout_.num_fields(); ++f) {
      if (layout_.is_said_again(f)) copy(f, rows);
    }
    return true;
  }

 private:
  // Copies what the plugin wrote from the watchdog's row.
  void copy(size_t field, const Rows& rows) const {
    const size_t column = layout_.column_of_field(field);
    const Rows from = target(rows);
    std::memcpy(layout_.bytes(rows.batch, column, rows.row),
                layout_.bytes(from.batch, column, from.row), layout_.column(column).row_bytes);
  }

  Watchdog& watchdog_;
  const Layout& layout_;
  BatchQueue& batches_;
  const std::atomic<bool>& closed_;
};

class WatchedRunner final : public Runner {
 public:
  // `source`: of the work for threads that take the place of those that are stuck.
  WatchedRunner(const RunnerParts& parts, WorkSource& source)
      : Runner(parts, watched_capabilities()),
        source_(source),
        watchdog_(parts.config.num_envs, parts.config.step_timeout, *parts.layout.store(),
                  parts.config.batch_size,
                  parts.shards.exclusive() != nullptr ? &parts.library.stuck() : nullptr),
        watched_(watchdog_, parts.layout, parts.batches, parts.closed) {}

  void execute(const Run* runs, uint32_t count) override {
    for (uint32_t i = 0; i < count; ++i) execute(runs[i]);
  }

  void submitted() override { watchdog_.notify(); }

  // Fills the rows of environments that do not return, and gets threads in place of those that are
  // lost.
  void check_deadlines() override {
    bool news = false;
    watchdog_.check_deadlines([&](uint32_t env, Batch* batch, uint32_t row) {
      news = true;
      uint32_t one = 1;
      if (batch == nullptr) batch = parts_.batches.claim(&one, &row);
      char seconds[32];
      std::snprintf(seconds, sizeof seconds, "%g", watchdog_.seconds());
      const Rows lost{&parts_.shards.of(env), 0, 1, batch, row};
      parts_.stepper.failures().record_timeout(
          lost, "no answer within step_timeout=" + std::string(seconds) +
                    " seconds; its step or reset cannot be stopped");
      parts_.stepper.note_lost(lost);
      parts_.completion.complete(lost);
    });
    if (news) watchdog_.reinforce(&source_);
  }

  const Watchdog* watchdog() const override { return &watchdog_; }

  bool end_threads(ThreadPool& threads, WorkSource* source) override {
    const auto only_stuck = [this] { return watchdog_.only_stuck_inside(); };
    const bool ended = threads.end(source, only_stuck);
    left_behind_ = !(watchdog_.dismiss(source, only_stuck) && ended);
    return !left_behind_;
  }
  void destroy_shards() override {
    if (left_behind_ && parts_.shards.exclusive() != nullptr) return;  // it holds the library
    parts_.shards.destroy(
        [this](const Shard& shard) { return left_behind_ && watchdog_.stuck(shard.base); });
  }

 private:
  void execute(const Run& run) {
    Shard& shard = parts_.shards[run.shard];
    const auto start = std::chrono::steady_clock::now();
    const bool waits = parts_.shards.exclusive() != nullptr;
    watchdog_.enter(shard.base, run.batch, run.row, waits);
    std::unique_lock<std::mutex> library;
    if (waits) {
      library = std::unique_lock<std::mutex>(*parts_.shards.exclusive(), std::defer_lock);
      while (!watchdog_.gave_up(shard.base) && !library.try_lock()) {
        std::this_thread::sleep_for(std::chrono::microseconds(50));
      }
      if (!watchdog_.begin(shard.base)) return;
    }
    if (parts_.closed.load()) {
      watchdog_.leave(shard.base);
      return;
    }
    Rows done;
    {
      const std::lock_guard<SpinLock> lock(shard.lock);
      done = parts_.stepper.step({&shard, 0, 1, run.batch, run.row}, watched_);
    }
    if (waits) library.unlock();
    parts_.estimate.measure(start, 1);
    parts_.completion.complete(done);
  }

  static Capabilities watched_capabilities() {
    Capabilities capabilities;
    capabilities.one_by_one = true;  // rows claimed behind a step that hangs are never done
    capabilities.callers_step = false;
    capabilities.needs_waking = true;
    capabilities.may_not_return = true;
    return capabilities;
  }

  WorkSource& source_;
  Watchdog watchdog_;
  const Watched watched_;
  bool left_behind_ = false;  // threads that are stuck: this object must stay
};

}  // namespace pp::host
