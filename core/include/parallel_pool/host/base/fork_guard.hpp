// parallel_pool/host/base/fork_guard.hpp: notices that this process is a forked child.
//
// Threads do not survive a fork, so a pool made before it would hang at its first step. A counter
// that the child's atfork handler raises costs one load to look at; getpid() is a system call.
#ifndef PARALLEL_POOL_HOST_BASE_FORK_GUARD_HPP_
#define PARALLEL_POOL_HOST_BASE_FORK_GUARD_HPP_

#include <atomic>
#include <cstdint>

#if !defined(_WIN32)
#include <pthread.h>
#endif

namespace pp::host {

class ForkGuard {
 public:
  ForkGuard() : born_(generation().load()) {}
  // Whether the process forked since this object was made, and we are in the child.
  bool forked() const { return generation().load(std::memory_order_relaxed) != born_; }

 private:
  static std::atomic<uint64_t>& generation() {
    static std::atomic<uint64_t> value{0};
#if !defined(_WIN32)
    static const int registered =
        pthread_atfork(nullptr, nullptr, [] { generation().fetch_add(1); });
    (void)registered;
#endif
    return value;
  }
  uint64_t born_;
};

}  // namespace pp::host
#endif  // PARALLEL_POOL_HOST_BASE_FORK_GUARD_HPP_
