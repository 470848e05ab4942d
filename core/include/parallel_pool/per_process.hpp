// parallel_pool/per_process.hpp: what the threads of one process share, and a forked child has
// fresh, for plugins and the host.
//
// Only the thread that forks lives on in the child. A lock that another one held at that moment is
// held for ever there, and what it protects is half written. So a child uses neither: it makes
// objects of its own when it first asks, and leaves the parent's as they are.
#ifndef PARALLEL_POOL_PER_PROCESS_HPP_
#define PARALLEL_POOL_PER_PROCESS_HPP_

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

#if !defined(_WIN32)
#include <pthread.h>
#endif

namespace pp {

namespace detail {
inline std::atomic<uint64_t> forks{0};
#if !defined(_WIN32)
// This runs when the library is loaded: a child must not find its first use half done.
inline const int forks_are_counted =
    pthread_atfork(nullptr, nullptr, [] { forks.fetch_add(1, std::memory_order_relaxed); });
#endif
}  // namespace detail

// Another number in a forked child than in its parent. One load, where getpid() is a system call.
inline uint64_t forks() {
  return detail::forks.load(std::memory_order_relaxed);
}

// In place of a static variable with a mutex, or of one whose constructor takes long:
//
//   struct Known { std::mutex mutex; std::map<std::string, std::weak_ptr<Game>> games; };
//   static pp::PerProcess<Known> known;
//   Known& here = known.get();
//
// Never destroyed, as threads may use it until the process ends.
template <class T>
class PerProcess {
 public:
  constexpr PerProcess() = default;
  PerProcess(const PerProcess&) = delete;
  PerProcess& operator=(const PerProcess&) = delete;

  // This process's object; if there is none, made of `arguments`. Takes no lock: threads that ask
  // first at the same time make one each, and all but one are thrown away.
  template <class... Arguments>
  T& get(Arguments&&... arguments) {
    const uint64_t here = forks();
    Made* made = made_.load(std::memory_order_acquire);
    if (made == nullptr || made->in != here) {
      auto fresh = std::make_unique<Made>(here, std::forward<Arguments>(arguments)...);
      do {
        if (made_.compare_exchange_weak(made, fresh.get(), std::memory_order_acq_rel)) {
          return fresh.release()->object;
        }
      } while (made == nullptr || made->in != here);
    }
    return made->object;
  }

 private:
  struct Made {
    template <class... Arguments>
    explicit Made(uint64_t process, Arguments&&... arguments)
        : in(process), object(std::forward<Arguments>(arguments)...) {}
    const uint64_t in;
    T object;
  };
  std::atomic<Made*> made_{nullptr};
};

}  // namespace pp
#endif  // PARALLEL_POOL_PER_PROCESS_HPP_
