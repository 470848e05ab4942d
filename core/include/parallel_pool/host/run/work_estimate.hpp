// parallel_pool/host/run/work_estimate.hpp: how long steps take, and what follows from that alone.
// Whether a call is worth sharing among threads follows from more: see threading_tuner.hpp.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

#include "parallel_pool/host/threads/thread_pool.hpp"

namespace pp::host {

class WorkEstimate {
 public:
  // `kernel`: whether a plugin's call answers many environments. `threads`: those that would help;
  // they outlive it.
  WorkEstimate(bool kernel, const ThreadPool& threads) : kernel_(kernel), threads_(threads) {}

  // Returns true if work on n environments is little enough to be done at once. `learns`: the pool
  // learns whether to hand it to another thread.
  bool small(uint32_t n, bool learns) const {
    const double each = nanoseconds_per_env_step();
    if (each == 0.0) return kernel_ && n <= 64;
    // A worker that spins costs next to nothing to reach; one that sleeps has to be woken.
    const bool near = !learns && threads_.awake();
    return each * n < (near ? small_nanoseconds / 4 : small_nanoseconds);
  }

  // Returns true if it is known to take less than `nanoseconds`.
  bool less_than(double nanoseconds, uint32_t n) const {
    const double each = nanoseconds_per_env_step();
    return each > 0.0 && each * n < nanoseconds;
  }

  // Returns true if steps take so little that the work for each run of a shard counts.
  bool light() const { return less_than(light_nanoseconds, 1); }

  // Returns true if a step takes less than to wake another thread a few times.
  bool brief() const { return less_than(brief_nanoseconds, 1); }

  // Returns true if a step takes so long that threads claim one at a time.
  bool heavy() const { return nanoseconds_per_env_step() > heavy_nanoseconds; }

  // Returns true if the steps that this thread begins are to be measured: of small ones an eighth,
  // for the clock takes as long as they do, and all threads write the estimate. Which of them is
  // drawn: a thread may step several pools in turn.
  bool due() const {
    thread_local uint32_t drawn = 0;
    drawn = drawn * 1664525u + 1013904223u;
    return drawn >> 29 == 0 || !less_than(small_nanoseconds, 1);
  }

  // `count` environments were stepped since `start`. Any thread.
  void measure(std::chrono::steady_clock::time_point start, uint32_t count) {
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
    const double each = took.count() / count;
    const double before = nanoseconds_per_env_step();
    nanoseconds_.store(before == 0.0 ? each : before + (each - before) / 16,
                       std::memory_order_relaxed);
  }

  // Forgets what was measured so far.
  void forget() { nanoseconds_.store(0.0, std::memory_order_relaxed); }

  double nanoseconds_per_env_step() const { return nanoseconds_.load(std::memory_order_relaxed); }

 private:
  static constexpr double small_nanoseconds = 20000.0;  // about twice what waking a thread costs
  static constexpr double heavy_nanoseconds = 1e6;
  static constexpr double light_nanoseconds = 300.0;
  static constexpr double brief_nanoseconds = 60000.0;

  const bool kernel_;
  const ThreadPool& threads_;
  std::atomic<double> nanoseconds_{0.0};  // a running mean
};

}  // namespace pp::host
