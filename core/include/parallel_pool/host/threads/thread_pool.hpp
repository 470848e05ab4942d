// parallel_pool/host/threads/thread_pool.hpp: worker threads that serve any number of pools.
//
// A WorkSource holds work; workers ask each attached source in turn, spin for a moment when there
// is none, then sleep. Turns are fair: a worker that did a share of one source's work asks the next
// source first. Waking costs a system call only if a thread sleeps. Nothing is allocated after
// construction.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "parallel_pool/host/base/error.hpp"
#include "parallel_pool/host/base/fork_guard.hpp"
#include "parallel_pool/host/threads/cpus.hpp"
#include "parallel_pool/host/threads/float_rules.hpp"
#include "parallel_pool/host/threads/placement.hpp"

#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>
#endif

namespace pp::host {

inline void cpu_relax() {
#if defined(__x86_64__) || defined(__i386__)
  _mm_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

class WorkSource {
 public:
  virtual ~WorkSource() = default;
  // Takes one piece of work and does it; false if there was none. Called by several threads at
  // once.
  virtual bool work() = 0;
};

class ThreadPool {
 public:
  static constexpr size_t max_sources = 256;

  // `workers` threads. Throws if the system does not give them, or if a placement's CPU is not
  // allowed. In a forked child the threads are gone, and waiting for them would hang: there the
  // object is leaked on purpose.
  static std::shared_ptr<ThreadPool> make(uint32_t workers, const Placement& placement = {}) {
    return {new ThreadPool(workers, placement), [](ThreadPool* pool) {
              if (!pool->fork_guard_.forked()) delete pool;
            }};
  }
  ~ThreadPool() { join(); }

  uint32_t size() const { return size_; }
  bool placed() const { return placed_; }
  // Returns true if there are no threads any more. A forked child has none.
  bool stopped() const { return stop_.load() || fork_guard_.forked(); }

  // Returns how long each worker has slept so far, without a sleep that goes on.
  std::vector<double> seconds_slept() const {
    std::vector<double> all(size_);
    for (uint32_t i = 0; i < size_; ++i)
      all[i] = 1e-9 * static_cast<double>(busy_on_[i].slept.load(std::memory_order_relaxed));
    return all;
  }

  // Returns the system's numbers of the workers; -1: it has not begun, or there is none.
  std::vector<int> thread_ids() const {
    std::vector<int> all(size_);
    for (uint32_t i = 0; i < size_; ++i) all[i] = busy_on_[i].id.load(std::memory_order_relaxed);
    return all;
  }

  // Returns true if there are workers and none of them sleeps, so that work that arrives now is
  // seen at once.
  bool awake() const { return size_ != 0 && sleeping_.load(std::memory_order_relaxed) == 0; }
  // Returns true if every worker that does not sleep, and the caller, have a CPU of their own.
  // Only then does it help to spin.
  bool leaves_a_cpu() const { return size_ - sleeping_.load(std::memory_order_relaxed) < cpus_; }

  void attach(WorkSource* source) {
    if (fork_guard_.forked()) {
      throw Error(ErrorKind::forked,
                  "this thread pool was made before the process forked, and its threads stayed in "
                  "the parent. Make it in the child, or use the 'spawn' start method");
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    if (stop_.load()) throw Error(ErrorKind::closed, "the thread pool is closed");
    for (size_t slot = 0; slot < max_sources; ++slot) {
      if (sources_[slot].load() != nullptr) continue;
      sources_[slot].store(source);
      if (slot >= used_slots_.load()) used_slots_.store(slot + 1);
      return;
    }
    throw Error(ErrorKind::value, "a thread pool serves at most " + std::to_string(max_sources) +
                                      " pools; close some or use another thread pool");
  }

  // Returns when no worker is inside `source` any more.
  void detach(WorkSource* source) {
    forget(source);
    for (size_t i = 0; i < size_; ++i) {
      while (busy_on_[i].source.load() == source) std::this_thread::yield();
    }
  }

  // detach() and join(), but `stuck()` is asked now and then while a thread is inside `source`;
  // once it says true those inside are left there. Returns whether all returned. If not, they end
  // when they do, and this object must never be destroyed.
  template <class Stuck>
  bool end(WorkSource* source, Stuck&& stuck) {
    forget(source);
    stop();
    bool all = true;
    for (size_t i = 0; i < threads_.size(); ++i) {
      bool inside = busy_on_[i].source.load() == source;
      while (inside && !stuck()) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        inside = busy_on_[i].source.load() == source;
      }
      if (inside) {
        all = false;
        threads_[i].detach();
      } else {
        threads_[i].join();
      }
    }
    threads_.clear();
    return all;
  }

  // Says that work arrived, enough for up to `helpers` workers. `caller_helps`: no worker is woken
  // whose CPU the caller needs.
  void notify(uint32_t helpers, bool caller_helps = false) {
    epoch_.fetch_add(1);
    const uint32_t sleeping = sleeping_.load();
    if (caller_helps) {
      const uint32_t most = std::max(cpus_, 2u) - 1;
      helpers = std::min(helpers, most - std::min(most, size_ - sleeping));
    }
    if (sleeping == 0 || helpers == 0) return;
    {
      // A thread that counts as sleeping now sleeps, or sees the epoch.
      const std::lock_guard<std::mutex> lock(mutex_);
    }
    if (helpers >= size_) {
      wake_.notify_all();
    } else {
      for (uint32_t i = 0; i < helpers; ++i) wake_.notify_one();
    }
  }

  // Returns how many sources are attached now; in a forked child none.
  uint32_t attached() {
    if (fork_guard_.forked()) return 0;
    const std::lock_guard<std::mutex> lock(mutex_);
    return attached_locked();
  }

  // Ends the threads, unless a source is attached. How many are; 0: done. Twice is fine, and in a
  // forked child there is nothing to end.
  uint32_t close() {
    if (fork_guard_.forked()) return 0;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (const uint32_t users = attached_locked(); users != 0) return users;
      stop_.store(true);  // under the lock: no source attaches from now on
    }
    join();
    return 0;
  }

  void join() {
    stop();
    const std::lock_guard<std::mutex> one(join_mutex_);
    for (std::thread& thread : threads_) {
      if (thread.joinable()) thread.join();
    }
  }

 private:
  ThreadPool(uint32_t workers, const Placement& placement)
      : size_(workers), placed_(placement.placed()), busy_on_(std::make_unique<Hazard[]>(workers)) {
    placement.check();
    try {
      threads_.reserve(workers);
      for (uint32_t i = 0; i < workers; ++i) {
        threads_.emplace_back([this, i, cpus = placed_ ? placement.of(i) : std::vector<int>()] {
          if (!cpus.empty()) place_this_thread(cpus);
          const UsualFloatRules rules;  // else those of the thread that started it
          run(i);
        });
      }
    } catch (const std::system_error& error) {
      const std::string started = std::to_string(threads_.size());
      join();
      throw Error(ErrorKind::value, "the system gave " + started + " of " +
                                        std::to_string(workers) + " threads (" + error.what() +
                                        "); ask for fewer with num_threads, or allow more threads "
                                        "(`ulimit -u`, a container's pids.max) or memory for their "
                                        "stacks (`ulimit -v`)");
    } catch (...) {  // no memory for the next one: those that run must not outlive this
      join();
      throw;
    }
  }

  void forget(WorkSource* source) {
    for (auto& slot : sources_) {
      WorkSource* expected = source;
      slot.compare_exchange_strong(expected, nullptr);
    }
  }
  void stop() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      stop_.store(true);
    }
    wake_.notify_all();
  }
  uint32_t attached_locked() const {
    uint32_t count = 0;
    for (const auto& slot : sources_) count += slot.load() != nullptr ? 1 : 0;
    return count;
  }

  struct alignas(128) Hazard {
    std::atomic<WorkSource*> source{nullptr};
    std::atomic<int64_t> slept{0};  // nanoseconds
    std::atomic<int> id{-1};
  };

  // Asks every source once, beginning with *turn, and leaves the next one there.
  bool work_somewhere(Hazard& hazard, size_t* turn) {
    const size_t used = used_slots_.load();
    for (size_t i = 0; i < used; ++i) {
      const size_t slot = *turn < used ? *turn : 0;
      *turn = slot + 1;
      WorkSource* source = sources_[slot].load();
      if (source == nullptr) continue;
      // Announce, then look again: detach() clears the slot first and then waits for announcements.
      hazard.source.store(source);
      const bool worked = sources_[slot].load() == source && source->work();
      hazard.source.store(nullptr);
      if (worked) return true;
    }
    return false;
  }

  void run(uint32_t index) {
    Hazard& hazard = busy_on_[index];
    hazard.id.store(this_thread_id(), std::memory_order_relaxed);
    size_t turn = 0;
    for (;;) {
      const uint64_t seen = epoch_.load();
      if (stop_.load()) return;
      if (work_somewhere(hazard, &turn)) continue;
      bool news = false;
      const uint32_t spins = leaves_a_cpu() ? 4000 : 100;
      for (uint32_t spin = 0; spin < spins && !news; ++spin) {
        cpu_relax();
        news = epoch_.load(std::memory_order_relaxed) != seen;
      }
      if (news) continue;
      std::unique_lock<std::mutex> lock(mutex_);
      // Order matters: count ourselves as sleeping, then look once more; notify() does the reverse.
      sleeping_.fetch_add(1);
      const auto since = std::chrono::steady_clock::now();
      wake_.wait(lock, [&] { return stop_.load() || epoch_.load() != seen; });
      const std::chrono::nanoseconds slept = std::chrono::steady_clock::now() - since;
      hazard.slept.fetch_add(slept.count(), std::memory_order_relaxed);
      sleeping_.fetch_sub(1);
    }
  }

  const uint32_t size_;
  const uint32_t cpus_ = usable_cpus();
  const bool placed_;
  ForkGuard fork_guard_;
  std::vector<std::thread> threads_;
  std::mutex join_mutex_;
  std::unique_ptr<Hazard[]> busy_on_;
  std::array<std::atomic<WorkSource*>, max_sources> sources_{};
  std::atomic<size_t> used_slots_{0};
  std::mutex mutex_;
  std::condition_variable wake_;
  alignas(128) std::atomic<uint64_t> epoch_{0};
  alignas(128) std::atomic<uint32_t> sleeping_{0};
  std::atomic<bool> stop_{false};
};

}  // namespace pp::host
