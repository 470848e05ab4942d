// parallel_pool/host/threads/pool_lifetime.hpp: whether a pool can be used, and the order in which
// it ends: it is closed, callers inside leave, it ends.
#ifndef PARALLEL_POOL_HOST_THREADS_POOL_LIFETIME_HPP_
#define PARALLEL_POOL_HOST_THREADS_POOL_LIFETIME_HPP_

#include <atomic>
#include <chrono>
#include <thread>

#include "parallel_pool/host/base/error.hpp"
#include "parallel_pool/host/base/fork_guard.hpp"
#include "parallel_pool/host/threads/callers.hpp"
#include "parallel_pool/host/threads/float_rules.hpp"

namespace pp::host {

class PoolLifetime {
 public:
  // A call inside a usable pool; wait_for_callers() waits for it. Throws as check_usable().
  class Entered {
   public:
    explicit Entered(PoolLifetime& lifetime) : entry_(lifetime.callers_) {
      lifetime.check_usable();
    }

   private:
    Callers::Entry entry_;
  };
  // The same, under the usual rules of floating point.
  class Visit {
   public:
    explicit Visit(PoolLifetime& lifetime) : entered_(lifetime) {}

   private:
    Entered entered_;
    UsualFloatRules rules_;
  };

  // Throws if the pool is of another process.
  void check_process() const {
    if (forked()) {
      throw Error(
          ErrorKind::forked,
          "this pool was made before the process forked, and its threads stayed in the parent. "
          "Make the pool in the child, or use the 'spawn' start method");
    }
  }
  // The same, or if it is closed.
  void check_usable() const {
    check_process();
    if (closed()) throw Error(ErrorKind::closed, "the pool is closed");
  }

  bool forked() const { return fork_guard_.forked(); }
  // In one order with the count of callers: a caller that enters sees this, or is waited for.
  bool closed() const { return closed_.load(); }
  const std::atomic<bool>& closed_flag() const { return closed_; }
  Callers& callers() { return callers_; }

  // False if it was closed before.
  bool close() { return !closed_.exchange(true); }
  void wait_for_callers() const { callers_.wait_until_none(); }
  // Nothing steps any more, and nothing will.
  void end() { ended_.store(true); }
  void wait_for_end() const {
    while (!ended_.load()) std::this_thread::sleep_for(std::chrono::microseconds(100));
  }

 private:
  ForkGuard fork_guard_;
  Callers callers_;
  std::atomic<bool> closed_{false};
  std::atomic<bool> ended_{false};
};

}  // namespace pp::host
#endif  // PARALLEL_POOL_HOST_THREADS_POOL_LIFETIME_HPP_
