// Whether calls are shared is learnt from their times: simulated ones here, so that every run is
// the same. What threads cost is invented: each case says how.
#include "parallel_pool/host/run/threading_tuner.hpp"

#include <functional>
#include <random>

#include "check.hpp"

namespace pp::test {
namespace {

using host::Threading;
using host::ThreadingTuner;

constexpr double microsecond = 1e3;

// Calls of a pool, one after the other, and what each takes alone and shared.
class Caller {
 public:
  using Cost = std::function<double(Threading way, bool awake)>;

  Caller(uint32_t num_envs, Cost cost)
      : num_envs_(num_envs), tuner_(num_envs), cost_(std::move(cost)) {}

  void costs(Cost cost) { cost_ = std::move(cost); }
  // A thread sends, does other things for so long, and receives.
  void thinks(double time) { thinks_ = time; }

  // How many of so many calls were shared.
  uint32_t calls(uint32_t count, Threading guess = Threading::alone, bool reset = false,
                 uint32_t n = 0) {
    uint32_t shared = 0;
    n = n == 0 ? num_envs_ : n;
    for (uint32_t i = 0; i < count; ++i) {
      const Threading way = tuner_.begin(this, reset, n, guess, true, now_);
      // Threads without work sleep soon, and take their time to wake.
      if (now_ > asleep_from_) awake_from_ = now_ + (way == Threading::shared ? 50e3 : 1e99);
      const double cost = cost_(way, now_ >= awake_from_);
      now_ += cost / 4;
      tuner_.sent(this, now_);
      now_ += thinks_;
      const double entered = now_;
      now_ += cost * 3 / 4;
      spent_ += cost;
      tuner_.finish(this, entered, now_);
      if (way == Threading::shared) {
        ++shared;
        asleep_from_ = now_ + 100e3;
      }
    }
    return shared;
  }

  double spent() const { return spent_; }  // in calls
  ThreadingTuner& tuner() { return tuner_; }

 private:
  uint32_t num_envs_;
  ThreadingTuner tuner_;
  Cost cost_;
  double thinks_ = 0.0;
  double now_ = 1e15;
  double spent_ = 0.0;
  double awake_from_ = 0.0;
  double asleep_from_ = 0.0;
};

// Shared calls that find the threads asleep take as long as alone, and some time more to wake them.
Caller::Cost costs(double alone, double shared) {
  return [=](Threading way, bool awake) {
    if (way == Threading::alone) return alone;
    return awake || alone > 1e6 ? shared : alone + 5 * microsecond;
  };
}

PP_CASE(sharing_that_pays_is_found) {
  Caller caller(4000, costs(100 * microsecond, 60 * microsecond));
  caller.calls(1000);
  PP_CHECK(caller.calls(1000) > 980);
  // From the other guess as well.
  Caller other(4000, costs(100 * microsecond, 60 * microsecond));
  PP_CHECK(other.calls(2000, Threading::shared) > 1950);
}

PP_CASE(finding_17_sharing_that_does_not_pay_ends) {
  Caller caller(100, costs(10 * microsecond, 12 * microsecond));
  caller.calls(200, Threading::shared);
  PP_CHECK(caller.calls(10000, Threading::shared) < 100);
  Caller other(100, costs(10 * microsecond, 12 * microsecond));
  PP_CHECK(other.calls(10000, Threading::alone) < 100);
}

PP_CASE(little_gain_is_none) {
  Caller caller(100, costs(10 * microsecond, 9.6 * microsecond));
  caller.calls(200);
  PP_CHECK(caller.calls(10000) < 1000);
}

PP_CASE(trials_cost_less_than_one_percent) {
  for (const double each : {2.0, 10.0, 50.0, 200.0, 3000.0, 50000.0}) {
    for (const double factor : {0.55, 0.9, 1.0, 1.5, 10.0}) {
      Caller caller(1000, costs(each * microsecond, factor * each * microsecond));
      const Threading best = factor < 0.95 ? Threading::shared : Threading::alone;
      const double least = std::min(each, factor * each) * microsecond;
      caller.calls(5000, best);
      const double before = caller.spent();
      caller.calls(100000, best);
      const double spent = caller.spent() - before;
      PP_CHECK(spent < 1.01 * 100000 * least);
    }
  }
}

PP_CASE(what_changes_is_learnt_anew) {
  Caller caller(1000, costs(50 * microsecond, 30 * microsecond));
  caller.calls(20000);
  PP_CHECK(caller.calls(1000) > 900);
  // Another process takes the other CPU.
  caller.costs(costs(50 * microsecond, 120 * microsecond));
  caller.calls(20000);
  PP_CHECK(caller.calls(1000) < 100);
  // It ends.
  caller.costs(costs(50 * microsecond, 30 * microsecond));
  caller.calls(100000);
  PP_CHECK(caller.calls(1000) > 900);
  // The environments become lighter, and sharing costs what it did.
  caller.costs(costs(5 * microsecond, 8 * microsecond));
  caller.calls(20000);
  PP_CHECK(caller.calls(1000) < 100);
}

PP_CASE(noise_changes_little) {
  std::mt19937 random(1);
  // A tenth more or less, and one call of fifty loses its CPU for a while.
  const auto noisy = [&random](double alone, double shared) {
    return [&random, alone, shared](Threading way, bool awake) {
      const double part = 0.9 + 0.2 * (random() % 1000) / 1000.0;
      const double lost = random() % 50 == 0 ? 20 * alone : 0.0;
      return costs(alone, shared)(way, awake) * part + lost;
    };
  };
  Caller gains(1000, noisy(40 * microsecond, 28 * microsecond));
  gains.calls(2000);
  PP_CHECK(gains.calls(50000) > 45000);
  Caller loses(1000, noisy(10 * microsecond, 14 * microsecond));
  loses.calls(2000);
  PP_CHECK(loses.calls(50000) < 5000);
}

// A call that now and then waits for a thread that lost its CPU is not cheap because most are.
PP_CASE(what_is_seldom_slow_counts) {
  uint32_t calls = 0;
  Caller caller(1000, [&calls](Threading way, bool) {
    if (way == Threading::alone) return 50 * microsecond;
    return ++calls % 5 == 0 ? 400 * microsecond : 30 * microsecond;
  });
  caller.calls(5000);
  PP_CHECK(caller.calls(50000) < 5000);
}

PP_CASE(time_of_the_caller_is_not_counted) {
  // While he thinks, the others work: a shared call then costs what sending it costs.
  Caller caller(
      100, [](Threading way, bool) { return (way == Threading::alone ? 20 : 8) * microsecond; });
  caller.thinks(500 * microsecond);
  caller.calls(200);
  PP_CHECK(caller.calls(1000) > 950);
}

PP_CASE(kinds_of_calls_are_learnt_apart) {
  Caller caller(1024, costs(100 * microsecond, 55 * microsecond));
  caller.calls(2000);
  caller.costs(costs(3 * microsecond, 9 * microsecond));  // few of the environments
  caller.calls(2000, Threading::alone, false, 32);
  caller.costs(costs(100 * microsecond, 55 * microsecond));
  PP_CHECK(caller.calls(100) > 85);
  caller.costs(costs(3 * microsecond, 9 * microsecond));
  PP_CHECK(caller.calls(100, Threading::alone, false, 32) < 30);
  PP_CHECK(caller.calls(1, Threading::shared, true) == 1);  // a reset, as guessed
}

PP_CASE(calls_that_overlap_teach_nothing) {
  ThreadingTuner tuner(16);
  const int one = 0;
  const int two = 0;
  double now = 0.0;
  for (uint32_t i = 0; i < 1000; ++i) {
    PP_CHECK(tuner.begin(&one, false, 8, Threading::shared, true, now) == Threading::shared);
    PP_CHECK(tuner.begin(&two, false, 8, Threading::shared, false, now) == Threading::shared);
    tuner.sent(&two, now);
    tuner.finish(&one, now, now + 1e6);
    tuner.finish(&two, now, now + 2e6);
    now += 3e6;
  }
  // One that was not received, and the next.
  tuner.begin(&one, false, 8, Threading::shared, true, now);
  PP_CHECK(tuner.begin(&two, false, 8, Threading::shared, true, now) == Threading::shared);
}

}  // namespace
}  // namespace pp::test
