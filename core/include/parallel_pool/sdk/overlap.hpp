// parallel_pool/sdk/overlap.hpp: environments whose work is done elsewhere (a process, a device),
// so that one thread can have that of many under way before it waits for any.
//
//   void begin_reset(pp::Rng& rng);           // asks for it, and returns at once
//   void begin_step(Action::Value action);
//   pp::Progress go_on(bool wait);            // takes an answer, and asks for what comes next
//
// With these three members a call goes through three phases: everybody begins, everybody goes on
// until done, and then reset(rng, obs, info) or step(action, obs, info) is called as without them,
// which only writes what came of it. `wait`: for an answer, but a second at most, since others of
// the same thread wait too; without it go_on() never blocks. An exception in any of them fails that
// environment alone. Say how many one thread is to have under way: pp::scalar<Game, 4>().
#ifndef PARALLEL_POOL_SDK_OVERLAP_HPP_
#define PARALLEL_POOL_SDK_OVERLAP_HPP_

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace pp {

enum class Progress {
  waiting,  // nothing was answered yet
  moved,    // something was, and the next is asked for
  done,
};

namespace detail {

template <class E, class = void>
struct Overlaps : std::false_type {};
template <class E>
struct Overlaps<E, std::void_t<decltype(std::declval<E&>().go_on(true))>> : std::true_type {
  static_assert(std::is_same_v<decltype(std::declval<E&>().go_on(true)), Progress>,
                "go_on is `pp::Progress go_on(bool wait)`, beside `void begin_reset(pp::Rng& rng)` "
                "and `void begin_step(Action::Value action)`");
};

// The lanes of one call, on their way to being done. Allocates when it is made.
class UnderWay {
 public:
  explicit UnderWay(uint32_t lanes) : waiting_(lanes), failed_(lanes) { waiting_.clear(); }

  // Calls begin(i) for each of the `count` rows that are selected, then go_on(i, wait) until all
  // are done. Either may throw: report(i) is then called in the handler, and failed(i) from then
  // on.
  template <class Selected, class Begin, class GoOn, class Report>
  void run(uint32_t count, Selected&& selected, Begin&& begin, GoOn&& go_on, Report&& report) {
    waiting_.clear();
    const auto guarded = [&](uint32_t i, auto&& work) {
      try {
        return work(i);
      } catch (...) {
        report(i);
        failed_[i] = 1;
        return Progress::done;
      }
    };
    for (uint32_t i = 0; i < count; ++i) {
      failed_[i] = 0;
      if (!selected(i)) continue;
      const Progress begun = guarded(i, [&](uint32_t row) {
        begin(row);
        return Progress::moved;
      });
      if (begun != Progress::done) waiting_.push_back(i);
    }
    size_t patient = 0;  // whom to wait for when nobody has an answer
    while (!waiting_.empty()) {
      bool moved = false;
      size_t kept = 0;
      for (size_t k = 0; k < waiting_.size(); ++k) {
        const Progress progress =
            guarded(waiting_[k], [&](uint32_t row) { return go_on(row, false); });
        moved = moved || progress != Progress::waiting;
        if (progress != Progress::done) waiting_[kept++] = waiting_[k];
      }
      waiting_.resize(kept);
      if (moved || waiting_.empty()) continue;
      // In turn, so that one that never answers does not hold up the others.
      patient = (patient + 1) % waiting_.size();
      const Progress progress =
          guarded(waiting_[patient], [&](uint32_t row) { return go_on(row, true); });
      if (progress != Progress::done) continue;
      waiting_.erase(waiting_.begin() + static_cast<ptrdiff_t>(patient));
    }
  }
  bool failed(uint32_t row) const { return failed_[row] != 0; }

 private:
  std::vector<uint32_t> waiting_;  // rows, ascending
  std::vector<uint8_t> failed_;    // by row
};

struct NothingUnderWay {
  explicit NothingUnderWay(uint32_t) {}
  static bool failed(uint32_t) { return false; }
};

}  // namespace detail
}  // namespace pp
#endif  // PARALLEL_POOL_SDK_OVERLAP_HPP_
