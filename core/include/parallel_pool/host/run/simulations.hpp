// parallel_pool/host/run/simulations.hpp: sequences of actions, each played from a saved state.
//
// They are played by the environments of a pool that does nothing else, all of which its caller
// holds. Threads take shards, and lanes take sequences until none is left; which lane plays which
// sequence changes nothing, because a state is all that decides its future.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "parallel_pool/host/base/error.hpp"
#include "parallel_pool/host/batch/batch.hpp"
#include "parallel_pool/host/batch/layout.hpp"
#include "parallel_pool/host/plugin/shards.hpp"
#include "parallel_pool/host/run/engine.hpp"
#include "parallel_pool/host/state/env_table.hpp"
#include "parallel_pool/host/state/snapshots.hpp"
#include "parallel_pool/host/step/stepper.hpp"
#include "parallel_pool/host/threads/spin_lock.hpp"
#include "parallel_pool/host/threads/thread_pool.hpp"

namespace pp::host {

// A job: sequences to play, and the memory for their results, which is the caller's.
struct Sequences {
  struct Actions {
    size_t field;
    std::vector<char> rows;  // (count, horizon) rows of the field
  };
  struct LastRows {
    size_t column;
    char* rows;  // (count), zeros
  };

  uint32_t count = 0;
  uint32_t horizon = 0;
  std::vector<std::string_view> states;  // one for each sequence, or one for all
  std::vector<uint64_t> seeds;           // one for each, or none: the states' own random numbers
  std::vector<Actions> actions;
  double* rewards = nullptr;      // (count, horizon), zeros
  uint8_t* terminated = nullptr;  // (count), zeros, as those that follow
  uint8_t* truncated = nullptr;
  int32_t* lengths = nullptr;
  std::vector<LastRows> last;        // columns of each sequence's last step
  std::vector<EnvFailure> failures;  // filled; `env` is the sequence, whose last row stays zeros
};

class Simulations final : public WorkSource {
 public:
  // All outlive it. `lock`: of the pool's states. Throws unless every state fits, and seeds can.
  Simulations(Sequences& job, const Layout& layout, EnvTable& envs, Engine& engine,
              Snapshots& snapshots, SpinLock& lock)
      : job_(job),
        layout_(layout),
        envs_(envs),
        shards_(engine.shards()),
        stepper_(engine.stepper()),
        threads_(engine.threads()),
        snapshots_(snapshots),
        lock_(lock),
        lanes_(engine.shards().size()) {
    for (size_t i = 0; i < job.states.size(); ++i) {
      try {
        states_.push_back(snapshots.checked(job.states[i], 0, "the pool"));
        if (states_.back().host().ended != 0) {
          throw Error(ErrorKind::state, "its episode has ended");
        }
      } catch (const Error& error) {
        throw Error(error.kind(), "states[" + std::to_string(i) + "]: " + error.what());
      }
    }
    if (!job.seeds.empty()) snapshots.expect_reseeded(0);
    // The bytes of one state for many sequences are read once: the last environment keeps it.
    if (states_.size() == 1 && job.count > 1 && job.seeds.empty() && envs.size() > 1 &&
        snapshots.copies(0) &&
        snapshots.restore(envs.size() - 1, states_[0], nullptr, lock).empty()) {
      source_ = envs.size() - 1;
    }
    for (uint32_t env = 0; env < envs.size(); ++env) envs.op[env] = Op::step;
    for (uint32_t s = shards_.size(); s-- > 0;) free_.push_back(s);
    batch_.reset(layout.store()->acquire(envs.size()));
  }

  // Plays all of them in these threads and in the caller's. False: it was given up, because
  // `unwanted`, which is asked often, said so.
  template <class Unwanted>
  bool run(Unwanted&& unwanted) {
    threads_.attach(this);
    threads_.notify(threads_.size());
    const auto look = [&] {
      if (unwanted()) given_up_.store(true);
      return given_up_.load();
    };
    while (!over()) {
      if (!play_in_a_shard(look)) std::this_thread::yield();  // others are in the middle of theirs
      look();
    }
    threads_.detach(this);
    if (error_ != nullptr) std::rethrow_exception(error_);
    return !given_up_.load();
  }

  // A share of it, so that other pools of these threads have their turns.
  bool work() override {
    const auto began = std::chrono::steady_clock::now();
    return play_in_a_shard(
        [&] { return std::chrono::steady_clock::now() - began > std::chrono::milliseconds(1); });
  }

 private:
  struct Lane {
    uint32_t sequence = none;
    uint32_t steps = 0;
  };
  static constexpr uint32_t none = UINT32_MAX;

  bool over() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return playing_ == 0 && (free_.empty() || given_up_.load());
  }

  // Plays until `enough` says so. False: no shard has something left and is free.
  template <class Enough>
  bool play_in_a_shard(Enough&& enough) {
    uint32_t number = 0;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (free_.empty() || given_up_.load()) return false;
      number = free_.back();
      free_.pop_back();
      ++playing_;
    }
    bool more = false;
    std::exception_ptr error;
    try {
      more = play(shards_[number], lanes_[number], enough);
    } catch (...) {  // there is no memory
      error = std::current_exception();
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    if (error != nullptr) {
      error_ = error;
      given_up_.store(true);
    }
    if (more) free_.push_back(number);
    --playing_;
    return true;
  }

  // Returns whether something is left.
  template <class Enough>
  bool play(Shard& shard, std::vector<Lane>& lanes, Enough&& enough) {
    if (lanes.empty()) {
      // No more lanes than leave some sequences for the other shards.
      const uint32_t free = shard.count - (source_ == shard.base + shard.count - 1 ? 1 : 0);
      lanes.resize(std::min(free, (job_.count + shards_.size() - 1) / shards_.size()));
      for (uint32_t lane = 0; lane < lanes.size(); ++lane) begin(shard, lane, lanes[lane]);
    }
    for (;;) {
      bool any = false;
      for (uint32_t first = 0; first < lanes.size();) {
        uint32_t end = first;
        while (end < lanes.size() && lanes[end].sequence != none) ++end;
        if (end > first) {
          step(shard, first, end - first, lanes);
          any = true;
        }
        first = end + 1;
      }
      if (!any || given_up_.load(std::memory_order_relaxed)) return false;
      if (enough()) return true;
    }
  }

  // Takes the next sequence, of those whose states are taken.
  void begin(Shard& shard, uint32_t lane, Lane& mine) {
    const uint32_t env = shard.base + lane;
    for (;;) {
      mine = {take(), 0};
      if (mine.sequence == none) return;
      std::string refused;
      try {
        const StateView& state = states_[states_.size() == 1 ? 0 : mine.sequence];
        const uint64_t* seed = job_.seeds.empty() ? nullptr : &job_.seeds[mine.sequence];
        refused = snapshots_.restore(env, state, seed, lock_, source_ ? &*source_ : nullptr);
        if (refused.empty()) return;
      } catch (const std::exception& error) {
        refused = error.what();
      }
      fail(mine.sequence, "its state was refused: " + refused);
    }
  }

  uint32_t take() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return next_ == job_.count ? none : next_++;
  }

  void step(Shard& shard, uint32_t first, uint32_t count, std::vector<Lane>& lanes) {
    const uint32_t row = shard.base + first;
    for (const Sequences::Actions& actions : job_.actions) {
      const size_t bytes = layout_.spec().fields[actions.field].row_bytes;
      for (uint32_t i = 0; i < count; ++i) {
        const Lane& lane = lanes[first + i];
        const size_t place = size_t{lane.sequence} * job_.horizon + lane.steps;
        std::memcpy(stepper_.actions().row(actions.field, row + i),
                    actions.rows.data() + place * bytes, bytes);
      }
    }
    {
      const ShardLock lock(shard, shards_.exclusive());
      stepper_.step({&shard, first, count, batch_.get(), row}, Unwatched{});
    }
    const double* rewards = layout_.rewards(batch_.get(), row);
    const auto* ended = layout_.rows<uint8_t>(batch_.get(), column_ended, row);
    for (uint32_t i = 0; i < count; ++i) {
      Lane& lane = lanes[first + i];
      const bool failed = envs_.failed[row + i] != 0;
      job_.rewards[size_t{lane.sequence} * job_.horizon + lane.steps++] = rewards[i];
      if (ended[i] == 0 && !failed && lane.steps < job_.horizon) continue;
      end(lane, row + i, failed);
      begin(shard, first + i, lane);
    }
  }

  void end(const Lane& lane, uint32_t row, bool failed) {
    if (failed) {  // a step that failed has no result
      job_.lengths[lane.sequence] = static_cast<int32_t>(lane.steps - 1);
      return fail(lane.sequence, stepper_.failures().take(*batch_, row));
    }
    job_.terminated[lane.sequence] = *layout_.rows<uint8_t>(batch_.get(), column_terminated, row);
    job_.truncated[lane.sequence] = *layout_.rows<uint8_t>(batch_.get(), column_truncated, row);
    job_.lengths[lane.sequence] = static_cast<int32_t>(lane.steps);
    for (const Sequences::LastRows& last : job_.last) {
      const size_t bytes = layout_.column(last.column).row_bytes;
      std::memcpy(last.rows + lane.sequence * bytes, layout_.bytes(batch_.get(), last.column, row),
                  bytes);
    }
  }

  void fail(uint32_t sequence, const std::string& why) {
    const std::lock_guard<std::mutex> lock(mutex_);
    job_.failures.push_back({sequence, why.empty() ? "out of memory" : why});
  }

  Sequences& job_;
  const Layout& layout_;
  EnvTable& envs_;
  Shards& shards_;
  Stepper& stepper_;
  ThreadPool& threads_;
  Snapshots& snapshots_;
  SpinLock& lock_;
  std::vector<StateView> states_;
  std::optional<uint32_t> source_;                     // an environment that does not play
  std::unique_ptr<Batch, BatchStore::Release> batch_;  // a row for each environment
  std::atomic<bool> given_up_{false};
  std::vector<std::vector<Lane>> lanes_;  // by shard; those that play
  std::mutex mutex_;                      // guards what follows, and the job's failures
  std::vector<uint32_t> free_;            // shards that may have something left
  uint32_t playing_ = 0;                  // shards that are not free now
  uint32_t next_ = 0;
  std::exception_ptr error_;
};

}  // namespace pp::host
