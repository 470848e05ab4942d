// Environments whose steps take a while: how long, where, and beside what; part of test_envs.cpp.
#if defined(__linux__)
#include <sched.h>
#endif

#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>

#include "parallel_pool/env.hpp"

namespace test_envs {

inline void sleep_ms(int64_t milliseconds) {
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

// The action is how many milliseconds the step takes.
template <bool Late>
struct Sleepy {
  static constexpr const char* id = Late ? "test/SleepyLate-v0" : "test/Sleepy-v0";
  static constexpr bool late_rows = Late;
  using Obs = pp::Box<int32_t>;
  using Action = pp::Discrete<60001>;

  void reset(pp::Rng&, Obs::Ref obs) {
    count_ = 0;
    obs = 0;
  }
  pp::Outcome step(int32_t action, Obs::Ref obs) {
    sleep_ms(action);
    obs = ++count_;
    return {static_cast<double>(action)};
  }
  void save(pp::StateWriter& out) const { out(count_); }
  void load(pp::StateReader& in) { in(count_); }

 private:
  int32_t count_ = 0;
};

// Its library keeps state: notices when two threads are inside. Observes how often that happened.
struct Exclusive {
  static constexpr const char* id = "test/Exclusive-v0";
  static constexpr bool exclusive = true;
  using Obs = pp::Box<int32_t>;
  using Action = pp::Discrete<2>;

  static inline std::atomic<int32_t> inside{0};
  static inline std::atomic<int32_t> violations{0};
  struct Visit {
    Visit() {
      if (inside.fetch_add(1) != 0) violations.fetch_add(1);
      sleep_ms(1);
    }
    ~Visit() { inside.fetch_sub(1); }
  };
  Exclusive() { const Visit visit; }
  ~Exclusive() { const Visit visit; }
  Exclusive(const Exclusive&) = delete;
  Exclusive& operator=(const Exclusive&) = delete;

  void reset(pp::Rng&, Obs::Ref obs) {
    const Visit visit;
    obs = violations.load();
  }
  pp::Outcome step(int32_t, Obs::Ref obs) {
    const Visit visit;
    obs = violations.load();
    return {};
  }
};

// The CPU that runs this, or -1 where the system does not say.
inline int32_t running_on() {
#if defined(__linux__)
  return sched_getcpu();
#else
  return -1;
#endif
}

// Observes the CPUs on which it was built and stepped. A step takes a while.
struct Where {
  static constexpr const char* id = "test/Where-v0";
  static constexpr bool late_rows = true;
  using Obs = pp::Box<int32_t, 2>;
  using Action = pp::Discrete<1001>;

  Where() : built_on_(running_on()) {}
  void reset(pp::Rng&, Obs::Ref obs) { write(obs); }
  pp::Outcome step(int32_t milliseconds, Obs::Ref obs) {
    sleep_ms(milliseconds);
    write(obs);
    return {};
  }

 private:
  void write(Obs::Ref obs) const {
    obs[0] = built_on_;
    obs[1] = running_on();
  }
  int32_t built_on_;
};

}  // namespace test_envs
