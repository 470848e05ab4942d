// parallel_pool/host/threads/attention.hpp: work for a caller that may stop waiting for it.
//
// A caller that could be called away (Ctrl-C) must hold nothing while it is: no lock, and no place
// among the callers that close() waits for. So what may have to wait is done in a thread of its
// own, and the caller does nothing but look whether it is wanted. Code that waits deep inside asks
// there whether it still has to.
#ifndef PARALLEL_POOL_HOST_THREADS_ATTENTION_HPP_
#define PARALLEL_POOL_HOST_THREADS_ATTENTION_HPP_

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

// How often callers look whether they are wanted elsewhere.
inline constexpr std::chrono::milliseconds look_every{15};

// Calls work() in another thread, and interrupted() now and then in this one. Once that says true,
// Attention is lost for the work, and what it throws is Error interrupted. Throws what it throws.
template <class Work, class Interrupted>
void attended(Work&& work, Interrupted&& interrupted) {
  std::mutex mutex;
  std::condition_variable ended;
  bool done = false;
  Attention::Flag lost{false};
  std::exception_ptr error;
  const auto run = [&] {
    try {
      const Attention attention(&lost);
      work();
    } catch (...) {
      error = std::current_exception();
    }
    const std::lock_guard<std::mutex> lock(mutex);
    done = true;
    ended.notify_all();
  };
  std::thread thread;
  try {
    thread = std::thread(run);
  } catch (const std::system_error&) {  // there are too many: here, without looking
    run();
  }
  for (std::unique_lock<std::mutex> lock(mutex); !done;) {
    if (ended.wait_for(lock, look_every, [&] { return done; })) break;
    lock.unlock();
    if (!lost.load() && interrupted()) lost.store(true);
    lock.lock();
  }
  if (thread.joinable()) thread.join();
  if (error != nullptr) std::rethrow_exception(error);
  if (lost.load()) throw Error(ErrorKind::interrupted, "interrupted");
}

// Takes a lock that others may hold for long.
template <class Lock>
void lock_attentively(Lock& lock) {
  while (!lock.try_lock()) {
    Attention::check();
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
}

}  // namespace pp::host
#endif  // PARALLEL_POOL_HOST_THREADS_ATTENTION_HPP_
