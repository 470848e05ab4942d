// parallel_pool/host/threads/attention.hpp: work for a caller that may stop waiting for it.
//
// A caller that could be called away (Ctrl-C) must hold nothing while it is: no lock, and no place
// among the callers that close() waits for. So what may have to wait is done in a thread of its
// own, and the caller does nothing but look whether it is wanted. Code that waits deep inside asks
// there whether it still has to.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>

#include "parallel_pool/host/base/error.hpp"

namespace pp::host {

class Attention {
 public:
  using Flag = std::atomic<bool>;

  // While it lives, this thread works for the caller that `lost` belongs to; NULL: for none.
  explicit Attention(const Flag* lost) : before_(current()) { current() = lost; }
  ~Attention() { current() = before_; }
  Attention(const Attention&) = delete;
  Attention& operator=(const Attention&) = delete;

  // The caller's, or NULL. For threads that do a part of this one's work.
  static const Flag*& current() {
    static thread_local const Flag* flag = nullptr;
    return flag;
  }
  static bool lost() { return current() != nullptr && current()->load(); }
  // For code that waits: throws if no caller wants what it waits for.
  static void check() {
    if (lost()) throw Error(ErrorKind::interrupted, "interrupted");
  }

 private:
  const Flag* before_;
};

// The interval in which callers look for signals.
inline constexpr std::chrono::milliseconds look_every{15};

// Work in a thread of its own, so that a caller that waits for it can be called away, and wait
// again.
class AttendedWork {
 public:
  ~AttendedWork() { finish(); }

  // Once; work() does not throw.
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
    } catch (const std::system_error&) {  // there are too many: here, without looking
      run();
    }
  }

  // Until it is done, or interrupted(), which is asked now and then, says true.
  template <class Interrupted>
  void wait(Interrupted&& interrupted) {
    std::unique_lock<std::mutex> lock(mutex_);
    while (!ended_.wait_for(lock, look_every, [this] { return done_; })) {
      lock.unlock();
      if (interrupted()) return;
      lock.lock();
    }
  }

  // Called after wait().
  void finish() {
    if (done_ && thread_.joinable()) thread_.join();
  }

 private:
  std::mutex mutex_;
  std::condition_variable ended_;
  std::thread thread_;
  bool done_ = false;
};

// Calls work() in another thread, and interrupted() now and then in this one. Once that says true,
// Attention is lost for the work, and what it throws is Error interrupted. Throws what it throws.
template <class Work, class Interrupted>
void attended(Work&& work, Interrupted&& interrupted) {
  Attention::Flag lost{false};
  std::exception_ptr error;
  AttendedWork here;
  here.start([&] {
    try {
      const Attention attention(&lost);
      work();
    } catch (...) {
      error = std::current_exception();
    }
  });
  here.wait([&] {
    if (!lost.load() && interrupted()) lost.store(true);
    return false;
  });
  here.finish();
  if (error != nullptr) std::rethrow_exception(error);
  if (lost.load()) throw Error(ErrorKind::interrupted, "interrupted");
}

// Takes a lock that others may hold for long.
template <class Lock>
std::unique_lock<Lock> lock_attentively(Lock& lock) {
  std::unique_lock<Lock> held(lock, std::try_to_lock);
  while (!held.owns_lock() && !held.try_lock()) {
    Attention::check();
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
  return held;
}

}  // namespace pp::host
