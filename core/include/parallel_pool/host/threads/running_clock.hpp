// parallel_pool/host/threads/running_clock.hpp: time in which this process ran.
//
// A process that is stopped (SIGSTOP, a debugger) does not notice, and clocks go on: what is
// answered late then is not the environment's fault. So time counts as it is looked at: between two
// looks no more than `most`. A thread that waits looks every 20 ms.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace pp::host {

class RunningClock {
 public:
  static constexpr int64_t most = 100'000'000;  // ns

  // Begins anew.
  void start() {
    last_ = now();
    ran_ = 0;
  }
  // Returns ns of running time since start(), and samples the clock.
  int64_t look() {
    const int64_t time = now();
    ran_ += std::min(time - last_, most);
    last_ = time;
    return ran_;
  }

  static int64_t now() {
    const auto time = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::nanoseconds>(time).count();
  }

 private:
  int64_t last_ = 0;
  int64_t ran_ = 0;
};

}  // namespace pp::host
