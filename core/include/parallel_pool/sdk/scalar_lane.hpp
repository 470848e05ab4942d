// parallel_pool/sdk/scalar_lane.hpp: one environment that is an object, its generator, and its step
// and reset called with the arguments that they take.
#ifndef PARALLEL_POOL_SDK_SCALAR_LANE_HPP_
#define PARALLEL_POOL_SDK_SCALAR_LANE_HPP_

#include <cstdint>
#include <optional>
#include <type_traits>

#include "parallel_pool/rng.hpp"
#include "parallel_pool/sdk/extensions.hpp"
#include "parallel_pool/sdk/layout.hpp"
#include "parallel_pool/sdk/members.hpp"
#include "parallel_pool/sdk/overlap.hpp"
#include "parallel_pool/sdk/results.hpp"

namespace pp::detail {

// Resets make the environment, of these options and a seed.
template <class E>
struct FromSeed {
  OptionsOf<E> options;
  uint64_t seed = 0;
  std::optional<E> made{};
};

template <class E>
struct ScalarLane {
  using L = Layout<E>;

  explicit ScalarLane(const OptionsOf<E>& options) : held(make(options)) {}

  std::conditional_t<from_seed<E>, FromSeed<E>, E> held;
  Rng rng{0};
  std::conditional_t<L::multi_player, PlayerNotes, Dict<>> notes{};
  std::conditional_t<Overlaps<E>::value, EarlyReset, Dict<>> early{};

  using Result = std::conditional_t<L::has_score, ScoredOutcome, Outcome>;

  E& env() {
    if constexpr (from_seed<E>) {
      return held.made.value();
    } else {
      return held;
    }
  }
  void make(uint64_t seed) {
    held.seed = seed;
    held.made.emplace(held.options, Seed{seed});
  }
  void be_of(uint64_t seed) {
    if (!held.made || held.seed != seed) make(seed);
  }

  // Returns Ending for several players, else Result.
  auto step(const Row& row) {
    const auto action = L::action_of(row);
    const auto obs = L::obs_of(row);
    if constexpr (L::multi_player) {
      notes.begin(false);
      const Players<E> players(notes);
      if constexpr (HasInfo<E>::value) {
        return step_players(action, obs, L::info_of(row), players);
      } else {
        return step_players(action, obs, players);
      }
    } else if constexpr (HasInfo<E>::value) {
      return Result(call_step(action, obs, L::info_of(row)));
    } else {
      return Result(call_step(action, obs));
    }
  }

  // Returns Score for environments that have one, else nothing.
  auto reset(const Row& row) {
    if constexpr (L::multi_player) notes.begin(true);
    const auto obs = L::obs_of(row);
    if constexpr (HasInfo<E>::value) {
      return call_reset(obs, L::info_of(row));
    } else {
      return call_reset(obs);
    }
  }

 private:
  static auto make(const OptionsOf<E>& options) {
    if constexpr (from_seed<E>) {
      return FromSeed<E>{options};
    } else if constexpr (std::is_constructible_v<E, const OptionsOf<E>&>) {
      return E(options);
    } else {
      return E();
    }
  }

  // Calls step with or without the generator, as E has it.
  template <class A, class... Rest>
  auto call_step(const A& action, const Rest&... rest) {
    if constexpr (takes_step<E, const A&, Rng&, const Rest&...>) {
      return env().step(action, rng, rest...);
    } else {
      return env().step(action, rest...);
    }
  }
  template <class... Rest>
  Ending step_players(const Rest&... rest) {
    static_assert(std::is_same_v<decltype(call_step(rest...)), Ending>,
                  "step() of a multi-player environment gives rewards through its last argument, "
                  "pp::Players<E>, and returns pp::Ending");
    return call_step(rest...);
  }
  template <class... Rest>
  auto call_reset(const Rest&... rest) {
    if constexpr (L::multi_player && takes_reset<E, Rng&, const Rest&..., const Players<E>&>) {
      env().reset(rng, rest..., Players<E>(notes));
    } else {
      return env().reset(rng, rest...);
    }
  }
};

}  // namespace pp::detail
#endif  // PARALLEL_POOL_SDK_SCALAR_LANE_HPP_
