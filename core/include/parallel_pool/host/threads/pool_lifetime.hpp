// parallel_pool/host/threads/pool_lifetime.hpp: whether a pool can be used, and the order in which
// it ends: it is closed, callers inside leave, it ends.
#pragma once

#include <atomic>
#include <chrono>
#include <thread>

#include "parallel_pool/host/base/error.hpp"
#include "parallel_pool/host/base/fork_guard.hpp"
#include "parallel_pool/host/threads/float_rules.hpp"

namespace pp::host {

class PoolLifetime {
 public:
  // A call inside, as long as it lives: wait_for_callers() waits for it.
  class Entry {
   public:
    explicit Entry(PoolLifetime& lifetime) : lifetime_(lifetime) {
      lifetime_.callers_.fetch_add(1);
    }
    ~Entry() { lifetime_.callers_.fetch_sub(1); }
    Entry(const Entry&) = delete;
    Entry& operator=(const Entry&) = delete;

   private:
    PoolLifetime& lifetime_;
  };

  // One inside a usable pool. Throws as check_usable().
  class Entered {
   public:
    explicit Entered(PoolLifetime& lifetime) : entry_(lifetime) { lifetime.check_usable(); }

   private:
    Entry entry_;
  };
  // An Entered under the usual rules of floating point.
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
  // Throws as check_process() does, and if the pool is closed.
  void check_usable() const {
    check_process();
    if (closed()) throw Error(ErrorKind::closed, "the pool is closed");
  }

  bool forked() const { return fork_guard_.forked(); }
  // In one order with the count of callers: a caller that enters sees this, or is waited for.
  bool closed() const { return closed_.load(); }
  const std::atomic<bool>& closed_flag() const { return closed_; }

  // False if it was closed before.
  bool close() { return !closed_.exchange(true); }
  void wait_for_callers() const {
    wait_until([this] { return callers_.load() == 0; });
  }
  // Nothing steps any more, and nothing will.
  void end() { ended_.store(true); }
  void wait_for_end() const {
    wait_until([this] { return ended_.load(); });
  }

 private:
  template <class Condition>
  static void wait_until(Condition&& condition) {
    while (!condition()) std::this_thread::sleep_for(std::chrono::microseconds(100));
  }

  ForkGuard fork_guard_;
  std::atomic<uint32_t> callers_{0};
  std::atomic<bool> closed_{false};
  std::atomic<bool> ended_{false};
};

}  // namespace pp::host
