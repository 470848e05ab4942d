// parallel_pool/sdk/checks/scalar.hpp: whether a type can be handed to pp::scalar, and a sentence
// about what is wrong where it cannot. declarations.hpp says how the checks work.
#ifndef PARALLEL_POOL_SDK_CHECKS_SCALAR_HPP_
#define PARALLEL_POOL_SDK_CHECKS_SCALAR_HPP_

#include <type_traits>
#include <utility>

#include "parallel_pool/rng.hpp"
#include "parallel_pool/sdk/checks/declarations.hpp"
#include "parallel_pool/sdk/checks/options.hpp"

namespace pp {
struct Outcome;
struct Score;
struct ScoredOutcome;
template <class E>
class Players;
}  // namespace pp

namespace pp::detail {

// The arguments of reset() and step(): the results of Row's readers, and the info if there is one.
template <class E>
using ActionOf = decltype(E::Action::read(std::declval<const Row&>(), 0));
template <class E>
using ObsOf = decltype(E::Obs::ref(std::declval<const Row&>(), 0));

template <class E, class... Info>
struct ScalarCalls {
  using Action = ActionOf<E>;
  using Obs = ObsOf<E>;
  static constexpr bool reset = takes_reset<E, Rng&, Obs, Info...>;
  static constexpr bool step_with_rng = takes_step<E, Action, Rng&, Obs, Info...>;
  static constexpr bool step = step_with_rng || takes_step<E, Action, Obs, Info...>;
  // Called with a generator that is about to go, which only a copy can be made of.
  static constexpr bool copies_rng =
      takes_reset<E, Rng, Obs, Info...> || takes_step<E, Action, Rng, Obs, Info...>;
  // They would fit with one argument more, the info that was not declared.
  static constexpr bool info_is_missing =
      sizeof...(Info) == 0 && ((!reset && takes_reset<E, Rng&, Obs, AnyArgument>) ||
                               (!step && (takes_step<E, Action, Obs, AnyArgument> ||
                                          takes_step<E, Action, Rng&, Obs, AnyArgument>)));

  // Instantiated where none fits, for the compiler to list the author's candidates with their
  // lines.
  template <class T>
  using Reset = decltype(std::declval<T&>().reset(std::declval<Rng&>(), std::declval<Obs>(),
                                                  std::declval<Info>()...));
  template <class T>
  using Step = decltype(std::declval<T&>().step(std::declval<Action>(), std::declval<Obs>(),
                                                std::declval<Info>()...));
  template <class T>
  using StepWithRng = decltype(std::declval<T&>().step(
      std::declval<Action>(), std::declval<Rng&>(), std::declval<Obs>(), std::declval<Info>()...));
  // A number alone would do as the reward; that an episode never ends is said, not left out.
  template <class Returned>
  static constexpr bool is_outcome =
      std::is_convertible_v<Returned, Outcome> && !std::is_convertible_v<Returned, double>;
  template <class T>
  static constexpr bool returns_outcome() {
    if constexpr (step_with_rng) {
      return is_outcome<StepWithRng<T>>;
    } else {
      return is_outcome<Step<T>>;
    }
  }
  template <class T>
  static constexpr bool returns_score() {
    constexpr bool begins = std::is_same_v<Reset<T>, Score>;
    if constexpr (step_with_rng) {
      return begins && std::is_same_v<StepWithRng<T>, ScoredOutcome>;
    } else {
      return begins && std::is_same_v<Step<T>, ScoredOutcome>;
    }
  }
};
template <class E, bool = HasInfo<E>::value>
struct ScalarCallsOf : ScalarCalls<E> {};
template <class E>
struct ScalarCallsOf<E, true>
    : ScalarCalls<E, decltype(E::Info::ref(std::declval<const Row&>(), 0))> {};

template <class E>
constexpr bool can_be_built() {
  constexpr bool set = HasOptions<E>::value;
  constexpr bool described = has_describe<E> && !std::is_constructible_v<E, const Options&>;
  constexpr bool good = from_seed<E> || std::is_constructible_v<E, const OptionsOf<E>&> ||
                        (std::is_default_constructible_v<E> && (described || !set));
  static_assert(good || set,
                "an environment is built by a public constructor that takes `const pp::Options&`, "
                "with a pp::Seed behind them if it draws, or nothing");
  static_assert(good || !set,
                "an environment is built by a public constructor that takes its own options, "
                "`const Options&`, and a pp::Seed behind them if it draws");
  constexpr bool anew = !from_seed<E> || !(has_seed<E> || HasResetOptions<E>::value);
  static_assert(anew,
                "a reset makes an environment anew whose constructor takes a pp::Seed, so leave "
                "seed(uint64_t) and ResetOptions out");
  return good && anew;
}

#define PP_BY_REFERENCE                                                           \
  "reset and step take the generator by reference, `pp::Rng& rng`: a copy would " \
  "draw the same numbers in every episode"

template <class E>
constexpr bool resets_and_steps() {
  using Calls = ScalarCallsOf<E>;
  constexpr bool info = HasInfo<E>::value;
  constexpr bool has_reset = names_reset<E>;
  constexpr bool has_step = names_step<E>;
  static_assert(has_reset,
                "reset is missing: `void reset(pp::Rng& rng, Obs::Ref obs)` begins an episode and "
                "writes its first observation");
  static_assert(has_step,
                "step is missing: `pp::Outcome step(Action::Value action, Obs::Ref obs)` goes one "
                "step on and writes what is observed");
  static_assert(!Calls::info_is_missing,
                "reset or step takes an argument more than the action and the observation: declare "
                "`using Info = pp::Dict<pp::At<\"fuel\", float>>;`, or leave it out");
  if constexpr (!has_reset || !has_step || Calls::info_is_missing) {
    return false;
  } else {
    static_assert(Calls::reset || info,
                  "reset is public and takes the generator and the observation: `void "
                  "reset(pp::Rng& rng, Obs::Ref obs)`");
    static_assert(Calls::reset || !info,
                  "with Info, reset is public and takes the generator, the observation and the "
                  "info: `void reset(pp::Rng& rng, Obs::Ref obs, Info::Ref info)`");
    static_assert(Calls::step || info,
                  "step is public and takes the action and the observation: `pp::Outcome "
                  "step(Action::Value action, Obs::Ref obs)`, with `pp::Rng& rng` between them if "
                  "it draws");
    static_assert(Calls::step || !info,
                  "with Info, step is public and takes the action, the observation and the info: "
                  "`pp::Outcome step(Action::Value action, Obs::Ref obs, Info::Ref info)`, with "
                  "`pp::Rng& rng` after the action if it draws");
    if constexpr (!Calls::reset) {
      using Shown [[maybe_unused]] = typename Calls::template Reset<E>;
    } else if constexpr (!Calls::step) {
      using Shown [[maybe_unused]] = typename Calls::template Step<E>;
    } else {
      constexpr bool returns = Calls::template returns_outcome<E>();
      constexpr bool scores = !Layout<E>::has_score || Calls::template returns_score<E>();
      static_assert(scores,
                    "with has_score, step returns a pp::ScoredOutcome and reset a pp::Score");
      static_assert(!Calls::copies_rng, PP_BY_REFERENCE);
      static_assert(returns,
                    "step returns a pp::Outcome: `return {reward, terminated};`, and `truncated` "
                    "as a third where an episode is cut short (the time limit is the host's)");
      return returns && scores && !Calls::copies_rng;
    }
    return false;
  }
}

// Several players: the same with pp::Players as the last argument, which reset() may leave out.
// What step() returns is checked in sdk/scalar.hpp.
template <class E, class... Info>
constexpr bool resets_and_steps_players() {
  using Some = ScalarCalls<E, Info..., const Players<E>&>;
  constexpr bool reset = Some::reset || ScalarCalls<E, Info...>::reset;
  static_assert(reset,
                "reset of a multi-player environment is public and `void reset(pp::Rng& rng, "
                "Obs::Ref obs, pp::Players<E> players)`, with the info before the players if there "
                "is Info; the players may be left out");
  static_assert(Some::step,
                "step of a multi-player environment is public and `pp::Ending step(Action::Value "
                "action, Obs::Ref obs, pp::Players<E> players)`, with the info before the players "
                "if there is Info, and `pp::Rng& rng` after the action if it draws");
  constexpr bool copies_rng = Some::copies_rng || ScalarCalls<E, Info...>::copies_rng;
  static_assert(!copies_rng, PP_BY_REFERENCE);
  return reset && Some::step && !copies_rng;
}

#undef PP_BY_REFERENCE

template <class E>
constexpr bool seeds() {
  constexpr bool good = takes_seed<E, uint64_t> || !takes_seed<E, AnyArgument>;
  static_assert(good,
                "seed is `void seed(uint64_t seed)`, and public: call other things otherwise");
  constexpr bool hides = takes_unseen<E, bool> || !takes_unseen<E, AnyArgument>;
  static_assert(hides, "unseen is `void unseen(bool unseen)`: call other things otherwise");
  return good && hides;
}

template <class E>
constexpr bool plays() {
  if constexpr (!Layout<E>::added_in_one_place) {
    return false;  // Layout has said why
  } else if constexpr (!Layout<E>::multi_player) {
    return resets_and_steps<E>();
  } else if constexpr (HasInfo<E>::value) {
    return resets_and_steps_players<E, decltype(E::Info::ref(std::declval<const Row&>(), 0))>();
  } else {
    return resets_and_steps_players<E>();
  }
}

template <class E>
constexpr bool is_scalar_environment() {
  if constexpr (!declares_id<E>() || !declares_data<E>() || !declares_spaces<E>()) {
    return false;
  } else if constexpr (!declares_options<E>() || !can_be_built<E>()) {
    return false;
  } else if constexpr (!plays<E>()) {
    return false;
  } else {
    return has_state<E>() && has_pictures<E>() && has_arguments<E>() && seeds<E>();
  }
}

}  // namespace pp::detail
#endif  // PARALLEL_POOL_SDK_CHECKS_SCALAR_HPP_
