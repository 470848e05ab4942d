// Environments that take their process along, for the tests of process isolation.
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <thread>

#include "parallel_pool/env.hpp"

namespace crashing {

// A random walk, so that every lost or doubled step shows. Its action says how it misbehaves.
struct Crash {
  static constexpr const char* id = "crashing/Crash-v0";
  static constexpr const char* const places[] = {"nowhere", "constructor", "reset"};
  struct Options {
    std::string crash_in;
    int64_t huge;
    static constexpr auto declared =
        pp::options(pp::option(&Options::crash_in, "crash_in", "nowhere",
                               "where to crash before any step", places),
                    pp::option(&Options::huge, "huge", 0, "bytes of its state"));
  };
  enum Deed { fine, segfault, aborts, killed, hang, throws, leave, n_deeds };
  using Obs = pp::Box<double, 2>;
  using Action = pp::Discrete<n_deeds>;
  using Info = pp::Dict<pp::At<"pid", int64_t>>;

  explicit Crash(const Options& options)
      : crash_in_reset_(options.crash_in == "reset"),
        filler_(static_cast<size_t>(options.huge), 'x') {
    if (options.crash_in == "constructor") crash();
  }
  void reset(pp::Rng& rng, Obs::Ref obs, Info::Ref info) {
    if (crash_in_reset_) crash();
    steps_ = 0;
    show(rng, obs);
    info.get<"pid">() = getpid();
  }
  pp::Outcome step(int32_t deed, pp::Rng& rng, Obs::Ref obs, Info::Ref info) {
    switch (deed) {
      case segfault:
        crash();
        break;
      case aborts:
        std::abort();
      case killed:
        kill(getpid(), SIGKILL);
        break;
      case hang:
        std::this_thread::sleep_for(std::chrono::hours(1));
        break;
      case throws:
        throw std::runtime_error("no fuel");
      case leave:
        _exit(7);
      default:
        break;
    }
    ++steps_;
    show(rng, obs);
    info.get<"pid">() = getpid();
    return {obs[1]};
  }
  void save(pp::StateWriter& out) const { out(steps_, filler_); }
  void load(pp::StateReader& in) { in(steps_, filler_); }

 private:
  static void crash() {
    // Not raise(): a true fault, which no handler of ours may survive.
    volatile int* nowhere = nullptr;
    *nowhere = 1;
  }
  void show(pp::Rng& rng, Obs::Ref obs) {
    obs[0] = static_cast<double>(steps_);
    obs[1] = rng.random();
  }
  bool crash_in_reset_;
  int64_t steps_ = 0;
  std::string filler_;
};

}  // namespace crashing

PP_PLUGIN("crashing", pp::scalar<crashing::Crash>());
