// parallel_pool/sdk/results.hpp: what a step of one environment leads to, and where it is written.
#ifndef PARALLEL_POOL_SDK_RESULTS_HPP_
#define PARALLEL_POOL_SDK_RESULTS_HPP_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "parallel_pool/ext/notes.h"
#include "parallel_pool/sdk/layout.hpp"

namespace pp {

// The outcome of a step: `return {reward, terminated, truncated, discount, error};`. Those left out
// at the end are false (the discount 1, the error none). `discount` is used only by
// environments with has_discount. `error`: why the episode was cut short, if something broke
// elsewhere (ext/notes.h); with `truncated`. The text is copied at once.
struct Outcome {
  double reward = 0.0;
  bool terminated = false;
  bool truncated = false;
  double discount = 1.0;
  const char* error = nullptr;

  constexpr Outcome() = default;
  // Templates, because a bool would become a reward, and a reward a bool, without a word.
  template <class Reward, class = std::enable_if_t<std::is_convertible_v<Reward, double>>>
  constexpr Outcome(const Reward& reward_value)  // NOLINT(google-explicit-constructor)
      : Outcome(reward_value, false) {}
  template <class Reward, class Terminated, class Truncated = bool>
  constexpr Outcome(const Reward& reward_value, const Terminated& ends,
                    const Truncated& cut_short = false, double discount_value = 1.0,
                    const char* what_broke = nullptr)
      : reward(static_cast<double>(reward_value)),
        terminated(static_cast<bool>(ends)),
        truncated(static_cast<bool>(cut_short)),
        discount(discount_value),
        error(what_broke) {
    static_assert(!std::is_same_v<Reward, bool>,
                  "a pp::Outcome begins with the reward, and this is a bool: `return {reward, "
                  "terminated};`");
    static_assert(
        !std::is_floating_point_v<Terminated> && !std::is_floating_point_v<Truncated>,
        "the second and third of a pp::Outcome say whether the episode is over, and this is "
        "a number: `return {reward, terminated, truncated};`");
  }
};

// The score of a game, where options change rewards or end episodes within a game (`static
// constexpr bool has_score = true`). reset() returns it, and step() an Outcome with it.
struct Score {
  double points = 0.0;  // added by this call to the score of the game
  // In a step: a reset without a seed goes on with the game. In a reset: it did.
  bool continues = false;
};
// The outcome of a step of such an environment.
struct ScoredOutcome : Outcome {
  using Outcome::Outcome;
  Score score;
};

namespace detail {

inline void note(const pp_host* host, uint32_t lane, const char* message) {
  const void* found = host->get_extension(host, PP_EXT_NOTES);
  if (found != nullptr) static_cast<const pp_notes*>(found)->set_note(host, lane, message);
}

template <class E>
struct Results {
  using L = Layout<E>;

  static void write(const Row& row, const PlayerNotes& notes, const Ending& ending) {
    const auto put = [&row](size_t f, const auto& from) {
      auto* to = static_cast<std::decay_t<decltype(from[0])>*>(row.output(f));
      std::copy(from.begin(), from.end(), to);
    };
    put(L::reward, notes.reward);
    if constexpr (L::has_discount) put(L::discount, notes.discount);
    if constexpr (L::players_vary) {
      std::copy(notes.present.begin(), notes.present.end(),
                static_cast<int32_t*>(row.output(L::present)));
    }
    if constexpr (L::players_end_alone) {
      // A player that is there when the episode ends for all ends with it, and nobody plays on.
      auto* terminated = static_cast<uint8_t*>(row.output(L::terminated));
      auto* truncated = static_cast<uint8_t*>(row.output(L::truncated));
      for (size_t k = 0; k < notes.present.size(); ++k) {
        terminated[k] = ending.terminated ? 1 : notes.terminated[k];
        truncated[k] = ending.truncated ? 1 : notes.truncated[k];
      }
    } else {
      *static_cast<uint8_t*>(row.output(L::terminated)) = ending.terminated ? 1 : 0;
      *static_cast<uint8_t*>(row.output(L::truncated)) = ending.truncated ? 1 : 0;
    }
  }

  static void write(const Row& row, const Outcome& outcome) {
    *static_cast<double*>(row.output(L::reward)) = outcome.reward;
    *static_cast<uint8_t*>(row.output(L::terminated)) = outcome.terminated ? 1 : 0;
    *static_cast<uint8_t*>(row.output(L::truncated)) = outcome.truncated ? 1 : 0;
    if constexpr (L::has_discount)
      *static_cast<double*>(row.output(L::discount)) = outcome.discount;
  }
  static void write(const Row& row, const ScoredOutcome& outcome) {
    write(row, static_cast<const Outcome&>(outcome));
    *static_cast<double*>(row.output(L::score)) = outcome.score.points;
    *static_cast<uint8_t*>(row.output(L::continues)) = outcome.score.continues ? 1 : 0;
  }
};

}  // namespace detail
}  // namespace pp
#endif  // PARALLEL_POOL_SDK_RESULTS_HPP_
