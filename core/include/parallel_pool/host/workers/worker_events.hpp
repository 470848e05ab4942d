// parallel_pool/host/workers/worker_events.hpp: what happened to the workers of a pool.
#ifndef PARALLEL_POOL_HOST_WORKERS_WORKER_EVENTS_HPP_
#define PARALLEL_POOL_HOST_WORKERS_WORKER_EVENTS_HPP_

#include <atomic>
#include <chrono>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace pp::host::remote {

using Clock = std::chrono::steady_clock;

// To be warned of.
struct Incident {
  enum Kind { died, advice } kind;
  std::string text;
};

// What happened to workers, for the pool's owner to warn of; and whether the end has begun.
class Incidents {
 public:
  void died(std::string text) {
    const std::lock_guard<std::mutex> lock(mutex_);
    add({Incident::died, std::move(text)});
  }
  // The first worker to say so has said enough.
  void advise(std::string text) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!std::exchange(advised_, true)) add({Incident::advice, std::move(text)});
  }
  bool any() const { return any_.load(std::memory_order_acquire); }
  std::vector<Incident> take() {
    const std::lock_guard<std::mutex> lock(mutex_);
    any_.store(false);
    return std::exchange(incidents_, {});
  }

  void begin_close() { closing_since_.store(Clock::now().time_since_epoch().count()); }
  bool closing() const { return closing_since_.load() != 0; }
  // Whether a call that is still going on holds up the end for too long.
  bool impatient() const {
    const Clock::rep since = closing_since_.load();
    return since != 0 && Clock::now() - Clock::time_point(Clock::duration(since)) > patience;
  }

 private:
  static constexpr std::chrono::seconds patience{2};

  void add(Incident incident) {
    incidents_.push_back(std::move(incident));
    any_.store(true, std::memory_order_release);
  }

  std::mutex mutex_;
  std::vector<Incident> incidents_;
  bool advised_ = false;
  std::atomic<bool> any_{false};
  std::atomic<Clock::rep> closing_since_{0};
};

}  // namespace pp::host::remote
#endif  // PARALLEL_POOL_HOST_WORKERS_WORKER_EVENTS_HPP_
