// parallel_pool/host/run/threading_tuner.hpp: whether a call is worth sharing among threads, learnt
// from times.
//
// The gain from sharing depends on the environment, and the cost on everything else: whether the
// other threads spin or sleep when the call comes, in which cache the environments are, what else
// uses the CPUs. No constant says that, so calls are timed as they are, done alone and shared, and
// what was faster is gone on with. Now and then a few calls go the other way, to see whether that
// is still so: a trial. Promises:
//  - trials cost less than 1% of the time of the calls: each is paid for, out of 1/200 of the time
//    of the ordinary calls, before the next begins;
//  - a way is left for the other only if a whole trial was faster, its slowest call left out; calls
//    that are shared gain some percent by it, for the other CPUs may have better things to do;
//  - steps and resets, and calls of different sizes (by powers of two), are learnt apart;
//  - nothing is allocated after construction, and results never depend on what is chosen.
// It knows nothing of pools and threads, and asks no clock: times are given, in nanoseconds of any
// epoch.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "parallel_pool/host/threads/spin_lock.hpp"

namespace pp::host {

enum class Threading : uint8_t { alone, shared };

// Learns which way is faster for one kind of call.
class CallTuner {
 public:
  // Decides which way the next call goes. The first ones go as `guess` says.
  Threading choose(Threading guess, double now) {
    if (calls_ == 0) way_ = guess;
    if (!trying_ && calls_ >= before_first_trial && credit_ >= price_) begin_trial(now);
    return trying_ ? other() : way_;
  }

  // Takes the cost of a call that went as choose() had said; `each`: per environment.
  void learn(double cost, double each, double now) {
    trying_ ? learn_trial(cost, each, now) : learn_usual(cost, each);
  }

  // Returns the way of calls that are no trial.
  Threading usual(Threading guess) const { return calls_ == 0 ? guess : way_; }

 private:
  static constexpr double share_for_trials = 1.0 / 200;
  static constexpr double free_trial =
      500e3;                                // the cost of the first trial, which is not earned yet
  static constexpr double waking = 150e3;   // asleep before: ready by then, if it can be
  static constexpr double long_call = 1e6;  // caches and waking threads are nothing to it
  static constexpr double patient_up_to = 5e6;  // the price up to which failed trials raise it
  static constexpr uint32_t before_first_trial = 24;
  static constexpr uint32_t settling = 3;  // calls after a change that say little
  static constexpr uint32_t waking_at_most = 16;
  static constexpr uint32_t most_patience = 8;

  // Sharing begins if it saves 8%, and goes on while it saves 3%.
  static constexpr double enough_to_begin = 0.92;
  static constexpr double enough_to_go_on = 0.97;

  Threading other() const {
    return way_ == Threading::alone ? Threading::shared : Threading::alone;
  }
  bool long_calls() const { return usual_cost_ > long_call; }
  uint32_t trial_calls() const { return long_calls() ? 4 : 8; }

  void learn_usual(double cost, double each) {
    if (calls_ < before_first_trial) ++calls_;
    credit_ += cost * share_for_trials;
    if (settling_ > 0) {
      --settling_;
      // The way back is part of a trial's price.
      if (counted_ > 0) charge(cost - usual_cost_);
      if (settling_ == 0 && counted_ > 0) set_price();
      return;
    }
    if (seen_ < 16) ++seen_;
    // A thread that lost its CPU is part of the cost of sharing, but one such call is no rule.
    const double clipped = seen_ == 1 ? each : std::min(each, 4 * usual_);
    usual_ += (clipped - usual_) / seen_;
    usual_cost_ += (std::min(cost, seen_ == 1 ? cost : 4 * usual_cost_) - usual_cost_) / seen_;
    if (calls_ < before_first_trial) {
      price_ = trial_calls() * usual_cost_ - free_trial;  // nothing better is known
    } else if (tried_at_ > 0.0 && (usual_ > 1.25 * tried_at_ || usual_ < 0.8 * tried_at_)) {
      tried_at_ = usual_;  // things have changed: what failed before may be right now
      patience_ = 1;
      set_price();
    }
  }

  void begin_trial(double now) {
    trying_ = true;
    began_ = now;
    warming_ = 0;
    counted_ = 0;
    loss_ = sum_ = worst_ = 0.0;
    best_ = usual_ * 1e9;
  }

  void learn_trial(double cost, double each, double now) {
    charge(cost - usual_cost_);
    // Threads wake and caches fill: the first calls are not what going on like this would be.
    const bool warm =
        long_calls() || (warming_ >= 2 && now - began_ >= waking) || warming_ >= waking_at_most;
    if (!warm) {
      ++warming_;
      return;
    }
    ++counted_;
    sum_ += each;
    worst_ = std::max(worst_, each);
    best_ = std::min(best_, each);
    const bool hopeless = counted_ >= (long_calls() ? 2u : 3u) && best_ > 1.3 * usual_;
    if (hopeless || counted_ == trial_calls()) end_trial(cost / each);
  }

  // `n`: environments of the call that was the last.
  void end_trial(double n) {
    const double found = (sum_ - worst_) / (counted_ - 1);
    const double needed =
        way_ == Threading::alone ? enough_to_begin * usual_ : usual_ / enough_to_go_on;
    const bool better = found < needed;
    trying_ = false;
    credit_ = 0.0;
    if (better) {
      // Back costs about what was gained by this. Little gained is soon looked at again.
      loss_ = std::max(usual_ - found, 0.05 * found) * n * trial_calls();
      way_ = other();
      usual_ = found;
      usual_cost_ = found * n;
      seen_ = counted_;
      settling_ = 0;
      patience_ = 1;
    } else {
      settling_ = settling;
      patience_ = std::min(2 * patience_, most_patience);
    }
    tried_at_ = usual_;
    set_price();
  }

  void charge(double lost) { loss_ += lost; }

  // Failed trials in a row come less and less often, unless they are rare as it is.
  void set_price() {
    const double least = 0.3 * usual_cost_;
    price_ = std::max({loss_, least, std::min(std::max(loss_, least) * patience_, patient_up_to)});
  }

  Threading way_ = Threading::alone;
  bool trying_ = false;
  uint32_t calls_ = 0;  // up to the first trial
  uint32_t settling_ = waking_at_most;
  uint32_t patience_ = 1;
  double usual_ = 0.0;       // cost per environment the way it goes, a running mean
  double usual_cost_ = 0.0;  // the mean of a call
  uint32_t seen_ = 0;        // calls in the mean, up to 16
  double credit_ = 0.0;      // earned for the next trial
  double price_ = 0.0;       // the price of the next trial: the loss of the last one
  double tried_at_ = 0.0;    // `usual_` at the last trial
  // State of the trial.
  double began_ = 0.0;
  double loss_ = 0.0;  // beyond what the calls would have cost the usual way
  double sum_ = 0.0;
  double worst_ = 0.0;
  double best_ = 0.0;
  uint32_t warming_ = 0;
  uint32_t counted_ = 0;
};

// The calls of one pool. A call costs its caller the time in which it sends it and the time in
// which it waits for it, whatever it does in between. Only calls that are on their way alone are
// learnt from. One thread may send and another wait.
class ThreadingTuner {
 public:
  // Calls that take less, in ns, are never shared.
  static constexpr double too_little = 1500.0;

  // The real time, in the unit of all times here.
  static double now() { return nanoseconds(std::chrono::steady_clock::now()); }
  static double nanoseconds(std::chrono::steady_clock::time_point time) {
    return std::chrono::duration<double, std::nano>(time.time_since_epoch()).count();
  }

  explicit ThreadingTuner(uint32_t num_envs) : kinds_(2 * (size_t{size_class(num_envs)} + 1)) {}

  // A call of n environments begins; it is known by `call` until it is finished. `guess`: which way
  // it goes if nothing is known. `only`: nothing else is on its way.
  Threading begin(const void* call, bool reset, uint32_t n, Threading guess, bool only,
                  double now) {
    const std::lock_guard<SpinLock> lock(lock_);
    CallTuner& kind = kinds_[2 * size_t{size_class(n)} + (reset ? 1 : 0)];
    if (!only) {
      open_.call.store(nullptr, std::memory_order_relaxed);
      return kind.usual(guess);
    }
    open_.call.store(call, std::memory_order_relaxed);
    open_.kind = &kind;
    open_.n = n;
    open_.began = open_.sent = now;
    return kind.choose(guess, now);
  }

  // It was sent: its caller may have other things to do now.
  void sent(const void* call, double now) {
    const std::lock_guard<SpinLock> lock(lock_);
    if (open_.call.load(std::memory_order_relaxed) == call) open_.sent = now;
  }

  // Returns true if the time of this call will be looked at.
  bool learns_from(const void* call) const {
    return open_.call.load(std::memory_order_relaxed) == call;
  }

  // It was done while it was sent, or received by a caller that has waited since `entered`.
  void finish(const void* call, double entered, double now) {
    const std::lock_guard<SpinLock> lock(lock_);
    if (!learns_from(call)) return;
    conclude(open_.sent - open_.began + std::max(0.0, now - std::max(entered, open_.sent)), now);
  }

  // It was received by a caller that did not have to wait.
  void finish(const void* call) {
    if (!learns_from(call)) return;
    const std::lock_guard<SpinLock> lock(lock_);
    if (!learns_from(call)) return;
    if (open_.sent > open_.began) conclude(open_.sent - open_.began, open_.sent);
    open_.call.store(nullptr, std::memory_order_relaxed);  // or another thread is still sending it
  }

 private:
  struct Open {
    std::atomic<const void*> call{nullptr};
    CallTuner* kind = nullptr;
    uint32_t n = 0;
    double began = 0.0;
    double sent = 0.0;
  };

  void conclude(double cost, double now) {
    open_.kind->learn(cost, cost / open_.n, now);
    open_.call.store(nullptr, std::memory_order_relaxed);
  }

  static uint32_t size_class(uint32_t n) {
    uint32_t power = 0;
    while (n >>= 1u) ++power;
    return power;
  }

  SpinLock lock_;
  Open open_;
  std::vector<CallTuner> kinds_;
};

}  // namespace pp::host
