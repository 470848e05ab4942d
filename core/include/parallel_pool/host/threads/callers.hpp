// parallel_pool/host/threads/callers.hpp: counts the callers inside, for close().
#ifndef PARALLEL_POOL_HOST_THREADS_CALLERS_HPP_
#define PARALLEL_POOL_HOST_THREADS_CALLERS_HPP_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>

namespace pp::host {

class Callers {
 public:
  // One caller, as long as it lives.
  class Entry {
   public:
    explicit Entry(Callers& callers) : callers_(callers) { callers_.inside_.fetch_add(1); }
    ~Entry() { callers_.inside_.fetch_sub(1); }
    Entry(const Entry&) = delete;
    Entry& operator=(const Entry&) = delete;

   private:
    Callers& callers_;
  };

  // The callers inside have been told to leave.
  void wait_until_none() const {
    while (inside_.load() != 0) std::this_thread::sleep_for(std::chrono::microseconds(100));
  }

 private:
  std::atomic<uint32_t> inside_{0};
};

}  // namespace pp::host
#endif  // PARALLEL_POOL_HOST_THREADS_CALLERS_HPP_
