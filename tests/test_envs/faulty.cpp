// Environments that misbehave by order, for tests of what the pool promises then. A plugin of its
// own, family "faulty", because much of it is not to be done to a process that others need.
#include <chrono>
#include <cstdint>
#include <cstdio>
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

}  // namespace faulty

PP_PLUGIN("faulty", pp::scalar<faulty::Scripted<false>>(), pp::scalar<faulty::Scripted<true>>(),
          pp::batch<faulty::EchoBatch<false>, 8>(), pp::batch<faulty::EchoBatch<true>, 8>());
