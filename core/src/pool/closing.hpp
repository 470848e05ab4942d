// Closing a pool, which may take as long as a step: done in a thread of its own, so that a
// caller that waits for it can be interrupted, and wait again.
#ifndef PARALLEL_POOL_SRC_POOL_CLOSING_HPP_
#define PARALLEL_POOL_SRC_POOL_CLOSING_HPP_

#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>

#include "parallel_pool/host/threads/attention.hpp"

namespace pp::python {

class Closing {
 public:
  Closing() = default;
  ~Closing() { finish(); }
  Closing(const Closing&) = delete;
  Closing& operator=(const Closing&) = delete;

  // Whether this is the first call. With Python's lock.
  bool begin() {
    const bool first = !begun_;
    begun_ = true;
    return first;
  }
  bool begun() const { return begun_; }
  // After begin(), once.
  template <class Work>
  void start(Work&& work) {
    const auto run = [this, work] {
      work();
      const std::lock_guard<std::mutex> lock(mutex_);
      done_ = true;
      ended_.notify_all();
    };
    try {
      thread_ = std::thread(run);
    } catch (const std::system_error&) {  // there are too many
      run();
    }
  }
  // Until it is done, or interrupted() says true.
  template <class Interrupted>
  void wait(Interrupted&& interrupted) {
    std::unique_lock<std::mutex> lock(mutex_);
    while (!ended_.wait_for(lock, host::look_every, [this] { return done_; })) {
      lock.unlock();
      if (interrupted()) return;
      lock.lock();
    }
  }
  // With Python's lock, after wait().
  void finish() {
    if (done_ && thread_.joinable()) thread_.join();
  }

 private:
  std::mutex mutex_;
  std::condition_variable ended_;
  std::thread thread_;
  bool begun_ = false;
  bool done_ = false;
};

}  // namespace pp::python
#endif  // PARALLEL_POOL_SRC_POOL_CLOSING_HPP_
