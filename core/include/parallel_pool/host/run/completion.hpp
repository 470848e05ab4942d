// parallel_pool/host/run/completion.hpp: rows are written, batches become complete, a thread that
// waits for one is woken.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>

#include "parallel_pool/host/batch/rows.hpp"

namespace pp::host {

class Completion {
 public:
  // These rows are written; none if they have no batch. Any thread.
  void complete(const Rows& written) {
    if (written.batch == nullptr) return;
    const uint32_t rows = written.batch->rows;  // once the last row is in, the batch may be gone
    if (written.batch->done.fetch_add(written.count) + written.count != rows) return;
    completed_.fetch_add(1);
    if (waiting_.load() == 0) return;
    {
      // A thread that counts as waiting now sleeps, or sees the count.
      const std::lock_guard<std::mutex> lock(mutex_);
    }
    done_.notify_all();
  }

  // Sleeps until another batch is complete, unless `news()` says that there is something already;
  // `most` at most. `over()`: that nothing will come any more, said before wake_all().
  template <class News, class Over>
  void sleep(std::chrono::nanoseconds most, News&& news, Over&& over) {
    std::unique_lock<std::mutex> lock(mutex_);
    const uint64_t seen = completed_.load();
    waiting_.fetch_add(1);
    if (!news() && !over()) {
      done_.wait_for(lock, most, [&] { return completed_.load() != seen || over(); });
    }
    waiting_.fetch_sub(1);
  }

  void wake_all() {
    const std::lock_guard<std::mutex> lock(mutex_);
    done_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable done_;
  std::atomic<uint32_t> waiting_{0};
  std::atomic<uint64_t> completed_{0};  // batches
};

}  // namespace pp::host
