// Environments whose work is done elsewhere: here by a number of looks at it.
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <utility>

#include "parallel_pool/env.hpp"

namespace {

int under_way = 0;  // of all lanes; tests use one thread

// An action is the number of answers that a step takes, 0 for an episode that is cut short, or one
// of these. Observes how many were under way when it was first looked at, what is left, and a
// number drawn by the reset.
enum Fault : int32_t { fails_to_begin = 7, fails_to_go_on, never_answers };

struct Relay {
  static constexpr const char* id = "overlap/Relay-v0";
  using Obs = pp::Box<int64_t, 3>;
  using Action = pp::Discrete<10>;

  void begin_reset(pp::Rng& rng) {
    drawn_ = rng.integers(0, 1000);
    begin(2);
  }
  void begin_step(int32_t action) {
    if (action == fails_to_begin) throw std::runtime_error("cannot begin");
    begin(action);
  }
  pp::Progress go_on(bool wait) {
    if (!counted_) at_once_ = under_way;
    counted_ = true;
    if (left_ == never_answers) {
      if (!wait || ++waits_ < 3) return pp::Progress::waiting;
      --under_way;
      throw std::runtime_error("never answered");
    }
    if (left_ == fails_to_go_on) {
      --under_way;
      throw std::runtime_error("cannot go on");
    }
    if (left_ > 0 && !wait && (wanted_wait_ = !wanted_wait_)) return pp::Progress::waiting;
    if (--left_ > 0) return pp::Progress::moved;
    --under_way;
    return pp::Progress::done;
  }
  void reset(pp::Rng&, Obs::Ref obs) { write(obs); }
  pp::Outcome step(int32_t action, Obs::Ref obs) {
    write(obs);
    if (action == 0) return {0.0, false, true, 1.0, "the relay has ended"};
    return {static_cast<double>(action)};
  }

 private:
  void begin(int64_t answers) {
    left_ = answers;
    counted_ = false;
    wanted_wait_ = false;
    waits_ = 0;
    ++under_way;
  }
  void write(Obs::Ref obs) const {
    obs[0] = at_once_;
    obs[1] = left_;
    obs[2] = drawn_;
  }

  int64_t drawn_ = 0;
  int64_t left_ = 0;
  int64_t at_once_ = 0;
  int waits_ = 0;
  bool counted_ = false;
  bool wanted_wait_ = false;
};

// An action is how often no answer comes for five milliseconds in a step, or one of these. Observes
// how many steps have begun, the thread that ended this one, and of a reset how many steps of
// others had ended before it began.
enum Answer : int32_t { breaks_next = 997, refuses, breaks };

struct Patient {
  static constexpr const char* id = "overlap/Patient-v0";
  static constexpr bool steps_wait = true;
  using Obs = pp::Box<int64_t, 3>;
  using Action = pp::Discrete<1000>;

  void begin_reset(pp::Rng&) {
    left_ = begun_ = 0;
    before_ = steps;
    if (std::exchange(breaks_, false)) throw std::runtime_error("broken for good");
  }
  void begin_step(int32_t action) {
    ++begun_;
    left_ = action;
  }
  pp::Progress go_on(bool wait) {
    if (left_ == refuses) throw std::runtime_error("refused");
    if (left_ == 0 || left_ == breaks || left_ == breaks_next) return pp::Progress::done;
    if (wait) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      --left_;
    }
    return pp::Progress::waiting;
  }
  void reset(pp::Rng&, Obs::Ref obs) { write(obs); }
  pp::Outcome step(int32_t action, Obs::Ref obs) {
    ++steps;
    write(obs);
    if (action == breaks) return {0.0, false, true, 1.0, "it broke"};
    breaks_ = action == breaks_next;
    if (breaks_) return {0.0, true};
    return {static_cast<double>(action), action == 1};
  }

 private:
  void write(Obs::Ref obs) const {
    obs[0] = begun_;
    obs[1] = syscall(SYS_gettid);
    obs[2] = before_;
  }
  static inline std::atomic<int64_t> steps{0};
  int64_t begun_ = 0;
  int64_t left_ = 0;
  int64_t before_ = 0;
  bool breaks_ = false;
};

}  // namespace

PP_PLUGIN("overlap", (pp::scalar<Relay, 4>()), (pp::scalar<Patient, 4>()));
