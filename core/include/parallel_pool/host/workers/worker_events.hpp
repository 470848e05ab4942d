// parallel_pool/host/workers/worker_events.hpp: what happened to the workers of a pool.
#pragma once

#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pp::host::workers {

using Clock = std::chrono::steady_clock;

// An event that the user is warned of.
struct WorkerEvent {
  enum Kind { died, advice, dropped } kind;
  std::string text;
};

// Collects what happened to workers, for the pool's owner to warn of, and knows whether the end has
// begun.
class WorkerEvents {
 public:
  void died(std::string text) {
    const std::lock_guard<std::mutex> lock(mutex_);
    add({WorkerEvent::died, std::move(text)});
  }
  // The first worker to say so has said enough.
  void advise(std::string text) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!std::exchange(advised_, true)) add({WorkerEvent::advice, std::move(text)});
  }
  // Something that an environment gave could not be sent. Each text once, of the first environment.
  void dropped(std::string whose, std::string_view text) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!said_.emplace(text).second) return;
    add({WorkerEvent::dropped, whose.append(text)});
  }
  bool any() const { return any_.load(std::memory_order_acquire); }
  std::vector<WorkerEvent> take() {
    const std::lock_guard<std::mutex> lock(mutex_);
    any_.store(false);
    return std::exchange(events_, {});
  }

  void begin_close() { closing_since_.store(Clock::now().time_since_epoch().count()); }
  // Begins the end; no call may go on any longer.
  void end_now() { closing_since_.store(1); }
  bool closing() const { return closing_since_.load() != 0; }
  // Returns true if a call that goes on holds up the end for too long.
  bool impatient() const {
    const Clock::rep since = closing_since_.load();
    return since != 0 && Clock::now() - Clock::time_point(Clock::duration(since)) > patience;
  }

 private:
  static constexpr std::chrono::seconds patience{2};

  void add(WorkerEvent event) {
    events_.push_back(std::move(event));
    any_.store(true, std::memory_order_release);
  }

  std::mutex mutex_;
  std::vector<WorkerEvent> events_;
  std::set<std::string> said_;
  bool advised_ = false;
  std::atomic<bool> any_{false};
  std::atomic<Clock::rep> closing_since_{0};
};

}  // namespace pp::host::workers
