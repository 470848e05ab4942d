// parallel_pool/host/run/watchdog.hpp: notices environments that do not return from a step.
//
// A thread cannot be stopped from outside. What can be done is to stop waiting for it: its
// environment's row is answered as failed, the environment takes no work until the thread
// returns, and another thread takes the lost one's place. For that nothing of an answer may be in
// the hands of the plugin while it works, so it writes into a row of the watchdog's own, which is
// copied into the answer once the plugin has returned.
//
// Each environment is entered and left by the thread that works on it; any thread may look. The one
// atomic word per environment decides races: either leave() comes first and the thread finishes its
// row, or give_up does and the thread touches nothing any more.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "parallel_pool/host/base/error.hpp"
#include "parallel_pool/host/batch/batch.hpp"
#include "parallel_pool/host/threads/running_clock.hpp"
#include "parallel_pool/host/threads/thread_pool.hpp"

namespace pp::host {

// Destroyed only when no thread is inside. An owner that never destroys it leaks it on purpose.
class Watchdog {
 public:
  // `seconds`: how long a step or reset may take. `rows`: of a batch of `store`. `library`: NULL,
  // or where the environments are counted that do not return from a library for one at a time.
  Watchdog(uint32_t num_envs, double seconds, BatchStore& store, uint32_t rows,
           std::atomic<uint32_t>* library)
      : library_(library),
        seconds_(seconds),
        patience_(seconds < 1e9 ? static_cast<int64_t>(seconds * 1e9) : INT64_MAX / 2),
        rows_(rows),
        posts_(num_envs) {
    for (uint32_t first = 0; first < num_envs; first += rows) {
      private_.emplace_back();
      private_.back().reset(store.acquire(rows));
    }
  }

  double seconds() const { return seconds_; }

  // The row that the plugin writes to.
  Batch* private_batch(uint32_t env) const { return private_[env / rows_].get(); }
  uint32_t private_row(uint32_t env) const { return env % rows_; }

  // ---- the thread that works on the environment ---------------------------------------------

  // Called before all else. `batch` and `row`: where the answer goes, NULL if it is claimed later.
  // `waits`: for a library that another thread is in. The thread that closes the pool says so first
  // and then looks what is inside; so ask whether it is closed after this.
  void enter(uint32_t env, Batch* batch, uint32_t row, bool waits = false) {
    Post& post = posts_[env];
    post.batch = batch;
    post.row = row;
    post.began.store(waits ? waiting : preparing);
  }

  // The library is free. False if the environment was given up meanwhile.
  bool begin(uint32_t env) {
    int64_t before = waiting;
    if (posts_[env].began.compare_exchange_strong(before, preparing)) return true;
    leave(env);
    return false;
  }

  // The plugin is called: the clock runs. From here to leave() the environment may be given up, so
  // nothing may be touched then that the thread that gives it up touches too.
  void start(uint32_t env) { posts_[env].began.store(now() - skipped_.load()); }

  // False if the environment was given up: then nothing but the thread's own may be touched.
  bool leave(uint32_t env) {
    if (posts_[env].began.exchange(0) != given_up) return true;
    count(-1);
    return false;
  }

  bool gave_up(uint32_t env) const { return posts_[env].began.load() == given_up; }

  // ---- all other threads --------------------------------------------------------------------

  // Environments that were given up while their thread has not returned.
  bool stuck(uint32_t env) const { return gave_up(env); }
  uint32_t stuck() const { return n_stuck_.load(); }

  // Gives up environments that are overdue, and those that wait for a library in which a thread is
  // stuck: answer(env, batch, row) is called for them, once. Cheap to call often.
  template <class Answer>
  void check_deadlines(Answer&& answer) {
    const bool library_stuck = library_ != nullptr && library_->load() > 0;
    const int64_t real = now();
    int64_t last = last_look_.load(std::memory_order_relaxed);
    if (real - last < every || !last_look_.compare_exchange_strong(last, real)) return;
    const int64_t time = ran(real, last);
    for (uint32_t env = 0; env < posts_.size(); ++env) {
      if (give_up(env, time, library_stuck)) answer(env, posts_[env].batch, posts_[env].row);
    }
  }

  // For close(): whether every thread that is still inside is one to be given up; gives them up.
  bool only_stuck_inside() {
    const int64_t real = now();
    const int64_t time = ran(real, last_look_.exchange(real));
    uint32_t stuck = 0;
    for (uint32_t env = 0; env < posts_.size(); ++env) {
      if (posts_[env].began.load() == 0) continue;
      if (!gave_up(env) && !give_up(env, time, true)) return false;
      ++stuck;
    }
    return stuck > 0;
  }

  // ---- threads in place of the lost ---------------------------------------------------------

  // Starts as many threads for `source` as are stuck, if the system has them.
  void reinforce(WorkSource* source) {
    const std::lock_guard<std::mutex> lock(mutex_);
    try {
      while (reserves_.size() < n_stuck_.load()) {
        reserves_.push_back(ThreadPool::make(1));
        reserves_.back()->attach(source);
        reserves_.back()->notify(1);
        n_reserves_.store(static_cast<uint32_t>(reserves_.size()));
      }
    } catch (const Error&) {
      // The threads that are left do the work.
    }
  }
  void notify() {
    if (n_reserves_.load() == 0) return;
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const auto& reserve : reserves_) reserve->notify(1);
  }
  // Ends them. `stuck`: says when to stop waiting for those that are inside. Returns whether all
  // returned; if not, the watchdog must never be destroyed.
  template <class Stuck>
  bool dismiss(WorkSource* source, Stuck&& stuck) {
    bool all = true;
    for (const auto& reserve : reserves_) all &= reserve->end(source, stuck);
    return all;
  }

 private:
  static constexpr int64_t waiting = -1;
  static constexpr int64_t given_up = -2;
  static constexpr int64_t preparing = -3;     // for a moment: not to be given up
  static constexpr int64_t every = 2'000'000;  // ns

  // `began`: 0 no thread is inside; > 0 since when one is, ns; or one of the above.
  struct Post {
    std::atomic<int64_t> began{0};
    Batch* batch = nullptr;
    uint32_t row = 0;
  };

  static int64_t now() { return RunningClock::now(); }
  // Returns the time without the gaps between two looks, of which only the first 100 ms count: the
  // machine may have slept.
  int64_t ran(int64_t real, int64_t last) {
    const int64_t gap = real - last - RunningClock::most;
    return real - (gap > 0 && last != 0 ? skipped_.fetch_add(gap) + gap : skipped_.load());
  }

  bool give_up(uint32_t env, int64_t time, bool waiting_too) {
    int64_t began = posts_[env].began.load(std::memory_order_acquire);
    // It began while there was no look.
    if (began > time && posts_[env].began.compare_exchange_strong(began, time)) began = time;
    const bool overdue = began > 0 ? time - began > patience_ : began == waiting && waiting_too;
    if (!overdue) return false;
    count(1);  // first, so that it never lags behind what stuck(env) says
    if (posts_[env].began.compare_exchange_strong(began, given_up)) return true;
    count(-1);
    return false;
  }

  void count(int more) {
    n_stuck_.fetch_add(static_cast<uint32_t>(more));
    if (library_ != nullptr) library_->fetch_add(static_cast<uint32_t>(more));
  }

  std::atomic<uint32_t>* const library_;
  const double seconds_;
  const int64_t patience_;  // ns
  const uint32_t rows_;
  std::vector<Post> posts_;  // by environment
  std::vector<std::unique_ptr<Batch, BatchStore::Release>> private_;
  std::atomic<int64_t> last_look_{0};
  std::atomic<int64_t> skipped_{0};  // ns, while there was no look
  std::atomic<uint32_t> n_stuck_{0};
  std::mutex mutex_;
  std::vector<std::shared_ptr<ThreadPool>> reserves_;
  std::atomic<uint32_t> n_reserves_{0};
};

}  // namespace pp::host
