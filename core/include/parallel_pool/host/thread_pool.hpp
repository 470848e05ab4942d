// parallel_pool/host/thread_pool.hpp: worker threads that serve any number of pools.
//
// A WorkSource holds work; workers ask each attached source in turn, spin for a moment when there
// is none, then sleep. Waking costs a system call only if somebody sleeps. Nothing is allocated
// after construction.
#ifndef PARALLEL_POOL_HOST_THREAD_POOL_HPP_
#define PARALLEL_POOL_HOST_THREAD_POOL_HPP_

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

#include "parallel_pool/host/cpus.hpp"
#include "parallel_pool/host/error.hpp"

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

  // `workers` threads. affinity_offset >= 0 pins worker i to the allowed CPU number offset + i.
  explicit ThreadPool(uint32_t workers, int32_t affinity_offset = -1)
      : busy_on_(std::make_unique<Hazard[]>(workers)) {
    // Spinning helps only if every spinner, and the caller, has a CPU of its own.
    spins_ = workers < usable_cpus() ? 4000 : 100;
    const std::vector<int> cpus = affinity_offset >= 0 ? affinity_cpus() : std::vector<int>{};
    try {
      for (uint32_t i = 0; i < workers; ++i) {
        threads_.emplace_back([this, i, cpus, affinity_offset] {
          if (affinity_offset >= 0)
            pin_this_thread(cpus, static_cast<uint32_t>(affinity_offset) + i);
          run(i);
        });
      }
    } catch (const std::system_error& error) {
      const std::string started = std::to_string(threads_.size());
      join();
      throw Error(ErrorKind::value, "the system gave " + started + " of " +
                                        std::to_string(workers) + " threads (" + error.what() +
                                        "); ask for fewer: num_threads=" + started);
    }
  }
  ~ThreadPool() { join(); }
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  uint32_t size() const { return static_cast<uint32_t>(threads_.size()); }

  // Whether there are workers and none of them sleeps: work that arrives now is seen at once.
  bool awake() const { return !threads_.empty() && sleeping_.load(std::memory_order_relaxed) == 0; }

  void attach(WorkSource* source) {
    const std::lock_guard<std::mutex> lock(mutex_);
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
    for (auto& slot : sources_) {
      WorkSource* expected = source;
      slot.compare_exchange_strong(expected, nullptr);
    }
    for (size_t i = 0; i < threads_.size(); ++i) {
      while (busy_on_[i].source.load() == source) std::this_thread::yield();
    }
  }

  // detach() and join(), but `stuck()` is asked now and then while somebody is inside `source`;
  // once it says true those inside are left there. Returns whether all came out. If not, they end
  // when they do, and this object must never be destroyed.
  template <class Stuck>
  bool end(WorkSource* source, Stuck&& stuck) {
    for (auto& slot : sources_) {
      WorkSource* expected = source;
      slot.compare_exchange_strong(expected, nullptr);
    }
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      stop_.store(true);
    }
    wake_.notify_all();
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

  // Says that work arrived, enough for up to `helpers` workers.
  void notify(uint32_t helpers) {
    epoch_.fetch_add(1);
    if (sleeping_.load() == 0) return;
    const std::lock_guard<std::mutex> lock(mutex_);
    if (helpers >= threads_.size()) {
      wake_.notify_all();
    } else {
      for (uint32_t i = 0; i < helpers; ++i) wake_.notify_one();
    }
  }

  void join() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      stop_.store(true);
    }
    wake_.notify_all();
    for (std::thread& thread : threads_) {
      if (thread.joinable()) thread.join();
    }
    threads_.clear();
  }

 private:
  struct alignas(128) Hazard {
    std::atomic<WorkSource*> source{nullptr};
  };

  bool work_somewhere(Hazard& hazard) {
    const size_t used = used_slots_.load();
    for (size_t slot = 0; slot < used; ++slot) {
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
    for (;;) {
      const uint64_t seen = epoch_.load();
      if (stop_.load()) return;
      if (work_somewhere(hazard)) continue;
      bool news = false;
      for (uint32_t spin = 0; spin < spins_ && !news; ++spin) {
        cpu_relax();
        news = epoch_.load(std::memory_order_relaxed) != seen;
      }
      if (news) continue;
      std::unique_lock<std::mutex> lock(mutex_);
      // Order matters: count ourselves as sleeping, then look once more; notify() does the reverse.
      sleeping_.fetch_add(1);
      wake_.wait(lock, [&] { return stop_.load() || epoch_.load() != seen; });
      sleeping_.fetch_sub(1);
    }
  }

  std::vector<std::thread> threads_;
  std::unique_ptr<Hazard[]> busy_on_;
  std::array<std::atomic<WorkSource*>, max_sources> sources_{};
  std::atomic<size_t> used_slots_{0};
  uint32_t spins_ = 0;
  std::mutex mutex_;
  std::condition_variable wake_;
  alignas(128) std::atomic<uint64_t> epoch_{0};
  alignas(128) std::atomic<uint32_t> sleeping_{0};
  std::atomic<bool> stop_{false};
};

}  // namespace pp::host
#endif  // PARALLEL_POOL_HOST_THREAD_POOL_HPP_
