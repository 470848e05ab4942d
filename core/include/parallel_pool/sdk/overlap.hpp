// parallel_pool/sdk/overlap.hpp: environments that work elsewhere (in a process, on a device),
// so that one thread can have the work of many under way before it waits for any.
//
//   void begin_reset(pp::Rng& rng);           // asks for it, and returns at once
//   void begin_step(Action::Value action);
//   pp::Progress go_on(bool wait);            // takes an answer, and asks for what comes next
//
// With these three members all environments of a call begin, also those that are to be reset beside
// others that step, and go on until they are done. Then reset(rng, obs, info) or step(action, obs,
// info) of each is called as without the members, only to write what came of it, while others are
// still under way. With `wait` go_on() waits for an answer, but ten milliseconds or so, as others
// of the same thread wait too, and the thread itself may be wanted: with `steps_wait` the one that
// calls the pool leaves a step that waits for longer to another (ext/patience.h). Without `wait` it
// never blocks. An exception in any of them fails that environment alone. Say how many one thread
// is to have under way: pp::scalar<Game, 4>().
#ifndef PARALLEL_POOL_SDK_OVERLAP_HPP_
#define PARALLEL_POOL_SDK_OVERLAP_HPP_

#include <cstddef>
#include <cstdint>
#include <exception>
#include <type_traits>
#include <utility>
#include <vector>

#include "parallel_pool/ext/early_resets.h"
#include "parallel_pool/ext/patience.h"

namespace pp {

enum class Progress {
  waiting,  // nothing was answered yet
  moved,    // something was, and the next is asked for
  done,
};

namespace detail {

template <class E>
struct Overlaps : std::false_type {};
template <class E>
  requires requires(E& e) { e.go_on(true); }
struct Overlaps<E> : std::true_type {
  static_assert(std::is_same_v<decltype(std::declval<E&>().go_on(true)), Progress>,
                "go_on is `pp::Progress go_on(bool wait)`, beside `void begin_reset(pp::Rng& rng)` "
                "and `void begin_step(Action::Value action)`");
};

// The lanes of one call, on their way to being done. Allocates when it is made.
class UnderWay {
 public:
  explicit UnderWay(uint32_t lanes) : waiting_(lanes) {}

  // Calls begin(i) for each of the `count` rows that are selected, go_on(i, wait) until it is done,
  // and then finish(i), while others are still under way. What one of them throws is its row's
  // alone: report(i) is called in the handler. Returns what a plugin's call does: 0, 1 if a lane
  // failed, or PP_STEP_LEFT: is_wanted(), asked when no lane has answered for a while, said so, and
  // the next call with the same rows goes on.
  template <class Selected, class Begin, class GoOn, class Finish, class Report, class IsWanted>
  int32_t run(uint32_t count, Selected&& selected, Begin&& begin, GoOn&& go_on, Finish&& finish,
              Report&& report, IsWanted&& is_wanted) {
    // Returns true if there is more to be done for the row.
    const auto advance = [&](uint32_t i, bool wait, bool& moved) {
      try {
        const Progress progress = go_on(i, wait);
        moved = moved || progress != Progress::waiting;
        if (progress != Progress::done) return true;
        finish(i);
      } catch (...) {
        report(i);
        status_ = 1;
        moved = true;
      }
      return false;
    };
    if (!std::exchange(is_left_, false)) {
      waiting_.clear();
      status_ = 0;
      for (uint32_t i = 0; i < count; ++i) {
        if (!selected(i)) continue;
        try {
          begin(i);
          waiting_.push_back(i);
        } catch (...) {
          report(i);
          status_ = 1;
        }
      }
    }
    size_t patient = 0;  // the lane to wait for when none has an answer
    while (!waiting_.empty()) {
      bool moved = false;
      size_t kept = 0;
      for (const uint32_t i : waiting_) {
        if (advance(i, false, moved)) waiting_[kept++] = i;
      }
      waiting_.resize(kept);
      if (moved || waiting_.empty()) continue;
      // They are asked in turn, so that one that never answers does not hold up the others.
      patient = (patient + 1) % waiting_.size();
      if (!advance(waiting_[patient], true, moved)) {
        waiting_.erase(waiting_.begin() + static_cast<ptrdiff_t>(patient));
      } else if (!moved && is_wanted()) {
        is_left_ = true;
        return PP_STEP_LEFT;
      }
    }
    return status_;
  }

 private:
  std::vector<uint32_t> waiting_;  // rows, ascending
  int32_t status_ = 0;
  bool is_left_ = false;
};

// A reset that begins before it is asked for.
class EarlyReset {
 public:
  template <class Begin>
  void begin(Begin&& begin) noexcept {
    has_begun_ = true;
    try {
      begin();
    } catch (...) {
      error_ = std::current_exception();
    }
  }
  // The reset calls it: returns true if it has begun; throws what it threw.
  bool take() {
    if (!std::exchange(has_begun_, false)) return false;
    if (error_ != nullptr) std::rethrow_exception(std::exchange(error_, nullptr));
    return true;
  }

 private:
  bool has_begun_ = false;
  std::exception_ptr error_;
};

// The extension of a shard class with `begin_resets(lanes)`.
template <class Shard>
struct EarlyResetsExtension {
  static void begin(void* self, const pp_lanes* lanes) noexcept {
    static_cast<Shard*>(self)->begin_resets(*lanes);
  }

  static constexpr pp_early_resets value = {sizeof(pp_early_resets), PP_EARLY_RESETS_TAKE_SEEDS,
                                            &begin};
};

struct NothingUnderWay {
  explicit NothingUnderWay(uint32_t) {}
};

}  // namespace detail
}  // namespace pp
#endif  // PARALLEL_POOL_SDK_OVERLAP_HPP_
