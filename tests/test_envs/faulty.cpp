// Environments that misbehave by order, for tests of what the pool promises then. A plugin of its
// own, family "faulty", because much of it is not to be done to a process that others need.
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "parallel_pool/env.hpp"

namespace faulty {

// What goes wrong in a step: its actions.
enum Fault : int32_t {
  fine,
  throws,           // std::runtime_error
  ends,             // terminated
  nan_observation,  // of every element
  nan_reward,
  slow,   // takes option slow_ms
  hangs,  // until the file of option release exists
  hangs_in_reset,
  spins,  // as hangs, but never sleeps
  n_faults,
};

bool exists(const std::string& path) {
  if (path.empty()) return false;
  std::FILE* file = std::fopen(path.c_str(), "r");
  if (file != nullptr) std::fclose(file);
  return file != nullptr;
}

// Observes the number of steps; the reward is 1. Never done by itself. The action says what goes
// wrong. `Exclusive`: its library is for one environment at a time.
template <bool Exclusive>
struct Scripted {
  static constexpr const char* id =
      Exclusive ? "faulty/ScriptedExclusive-v0" : "faulty/Scripted-v0";
  static constexpr bool exclusive = Exclusive;
  struct Options {
    std::string release;
    int64_t slow_ms;
    static constexpr auto declared = pp::options(
        pp::option(&Options::release, "release", "", "a file that ends what hangs, once it exists"),
        pp::option(&Options::slow_ms, "slow_ms", 100, "what a slow step takes, ms",
                   pp::Range{0, 60000}));
  };
  using Obs = pp::Box<double, 2>;
  using Action = pp::Discrete<n_faults>;

  explicit Scripted(const Options& options)
      : release_(options.release), slow_ms_(options.slow_ms) {}

  void reset(pp::Rng&, Obs::Ref obs) {
    if (reset_hangs_) hang(false);
    reset_hangs_ = false;
    count_ = 0;
    obs[0] = obs[1] = 0;
  }

  pp::Outcome step(int32_t fault, Obs::Ref obs) {
    ++life_;
    ++count_;
    obs[0] = obs[1] = fault == nan_observation ? std::numeric_limits<double>::quiet_NaN() : count_;
    switch (fault) {
      case throws:
        throw std::runtime_error("ordered to throw at step " + std::to_string(life_));
      case ends:
        return {1.0, true};
      case nan_reward:
        return {std::numeric_limits<double>::quiet_NaN()};
      case slow:
        std::this_thread::sleep_for(std::chrono::milliseconds(slow_ms_));
        break;
      case hangs:
      case spins:
        hang(fault == spins);
        // Late writes, which may not be seen.
        obs[0] = obs[1] = -1;
        break;
      case hangs_in_reset:
        reset_hangs_ = true;
        break;
      default:
        break;
    }
    return {1.0};
  }
  void save(pp::StateWriter& out) const { out(count_); }
  void load(pp::StateReader& in) { in(count_); }

 private:
  void hang(bool spin) const {
    auto looked = std::chrono::steady_clock::now();
    for (;;) {
      if (!spin) std::this_thread::sleep_for(std::chrono::milliseconds(5));
      const auto now = std::chrono::steady_clock::now();
      if (now - looked < std::chrono::milliseconds(5)) continue;
      looked = now;
      if (exists(release_)) return;
    }
  }

  std::string release_;
  int64_t slow_ms_;
  int64_t life_ = 0;
  int32_t count_ = 0;
  bool reset_hangs_ = false;
};

// Observes its action, as a kernel of several lanes does, in a Box whose bounds leave out zero, or
// do not bound at all. Element 3 counts the steps of the environment's life. `Eager`: steps lanes
// that wait for a reset too, as a kernel may.
template <bool Eager>
struct EchoBatch {
  static constexpr const char* id = Eager ? "faulty/EchoEager-v0" : "faulty/EchoBatch-v0";
  using Obs = pp::Box<double, 4>;
  using Action = pp::Box<float, 3>;
  static void describe(pp::Spec& spec, const pp::Options&) {
    const float infinity = std::numeric_limits<float>::infinity();
    spec.action().bounds({-1, 0.5, -infinity}, {1, 2, infinity});
  }
  explicit EchoBatch(const std::vector<pp::Options>& lanes) : life_(lanes.size()) {}
  void reset(const pp::Rows<EchoBatch>& rows) {
    for (uint32_t i = 0; i < rows.size(); ++i) {
      if (!rows.selected(i)) continue;
      for (uint32_t e = 0; e < 3; ++e) rows.obs()[4 * i + e] = 0;
      rows.obs()[4 * i + 3] = life_[rows.first() + i];
    }
  }
  void step(const pp::Rows<EchoBatch>& rows) {
    for (uint32_t i = 0; i < rows.size(); ++i) {
      rows.truncated()[i] = rows.terminated()[i] = 0;
      if (!Eager && !rows.selected(i)) continue;
      for (uint32_t e = 0; e < 3; ++e) rows.obs()[4 * i + e] = rows.action()[3 * i + e];
      rows.obs()[4 * i + 3] = ++life_[rows.first() + i];
      rows.reward()[i] = 1;
    }
  }

 private:
  std::vector<double> life_;
};

// Takes its process along, as its action says. A random walk, so that every lost or doubled step
// shows.
struct Crash {
  static constexpr const char* id = "faulty/Crash-v0";
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

// Takes memory: so much for each environment, and so much that all of a process share.
struct Heavy {
  static constexpr const char* id = "faulty/Heavy-v0";
  struct Options {
    int64_t kilobytes;
    int64_t shared_kilobytes;
    static constexpr auto declared = pp::options(
        pp::option(&Options::kilobytes, "kilobytes", 0, "of this environment"),
        pp::option(&Options::shared_kilobytes, "shared_kilobytes", 0, "of all together"));
  };
  using Obs = pp::Box<float, 1>;
  using Action = pp::Discrete<2>;

  explicit Heavy(const Options& options) : own_(static_cast<size_t>(options.kilobytes) << 10, 1) {
    static const std::vector<char> shared(static_cast<size_t>(options.shared_kilobytes) << 10, 1);
  }
  void reset(pp::Rng&, Obs::Ref obs) { obs[0] = 0; }
  pp::Outcome step(int32_t, Obs::Ref obs) {
    obs[0] = own_.empty() ? 0.0f : static_cast<float>(own_[0]);
    return {1, false};
  }

 private:
  std::vector<char> own_;
};

// Lets C++ exceptions out through the ABI, which its rules forbid, in the function that the option
// `where` names. The SDK's functions let none out, so this table has others around them.
struct Throwing {
  static constexpr const char* id = "faulty/Throwing-v0";
  struct Options {
    std::string where;
    static constexpr auto declared =
        pp::options(pp::option(&Options::where, "where", "", "the function that throws"));
  };
  using Obs = pp::Scalar<float>;
  using Action = pp::Discrete<2>;
  explicit Throwing(const Options&) {}
  void reset(pp::Rng&, Obs::Ref obs) { obs = 1; }
  pp::Outcome step(Action::Value, Obs::Ref obs) {
    obs = 1;
    return {1};
  }
};

std::string where;  // of the pool that was made last

void at(const std::string& here) {
  if (where == here) throw std::runtime_error("thrown in C++");
  if (where == "anything") throw 7;
}

constexpr pp_env throwing = [] {
  pp_env env = *pp::scalar<Throwing>();
  env.describe = [](const pp_host* host, const pp_value* option) {
    where = option[0].s;
    at("describe");
    return pp::scalar<Throwing>()->describe(host, option);
  };
  env.create = [](const pp_host* host, const pp_shard* shard) {
    at("create");
    return pp::scalar<Throwing>()->create(host, shard);
  };
  env.reset = [](void* self, const pp_lanes* lanes) {
    at("reset");
    return pp::scalar<Throwing>()->reset(self, lanes);
  };
  env.step = [](void* self, const pp_lanes* lanes) {
    at("step");
    return pp::scalar<Throwing>()->step(self, lanes);
  };
  return env;
}();

}  // namespace faulty

PP_PLUGIN("faulty", pp::scalar<faulty::Scripted<false>>(), pp::scalar<faulty::Scripted<true>>(),
          pp::batch<faulty::EchoBatch<false>, 8>(), pp::batch<faulty::EchoBatch<true>, 8>(),
          pp::scalar<faulty::Crash>(), pp::scalar<faulty::Heavy>(), &faulty::throwing);
