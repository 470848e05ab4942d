// Threads that step simulations of their own for some seconds. No actions come in, nothing goes
// out, no thread waits for another.
#ifndef PARALLEL_POOL_BENCHMARKS_BARE_THREADS_HPP_
#define PARALLEL_POOL_BENCHMARKS_BARE_THREADS_HPP_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

// Env has `step()`.
template <class Env>
class BareThreads {
 public:
  // `make(seed)` makes a simulation.
  template <class Make>
  BareThreads(uint32_t threads, uint32_t envs, Make&& make) : envs_(threads) {
    for (uint32_t i = 0; i < envs; ++i) envs_[i % threads].push_back(make(i));
  }

  // Steps for at least `seconds`, and returns the count of steps.
  uint64_t run(double seconds) {
    std::atomic<uint64_t> steps{0};
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    std::vector<std::thread> threads;
    for (auto& envs : envs_) {
      threads.emplace_back([&] {
        uint64_t mine = 0;
        do {
          for (auto& env : envs) env->step();
          mine += envs.size();
        } while (std::chrono::steady_clock::now() < end);
        steps += mine;
      });
    }
    for (auto& thread : threads) thread.join();
    return steps;
  }

  // So many steps in each, in this thread.
  void step(uint64_t steps) {
    for (; steps > 0; --steps) {
      for (auto& envs : envs_) {
        for (auto& env : envs) env->step();
      }
    }
  }

 private:
  std::vector<std::vector<std::unique_ptr<Env>>> envs_;  // by thread
};

#endif  // PARALLEL_POOL_BENCHMARKS_BARE_THREADS_HPP_
