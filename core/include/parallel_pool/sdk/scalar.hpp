// parallel_pool/sdk/scalar.hpp: one object per environment, written the way one writes one
// environment.
//
//   struct Lander {
//     static constexpr const char* id = "lander/Lander-v0";
//     using Obs = pp::Box<float, 8>;
//     using Action = pp::Discrete<4>;
//     struct Options { double gravity; ... };               // see sdk/option_set.hpp
//     explicit Lander(const Options&);                      // or a default constructor
//     void reset(pp::Rng& rng, Obs::Ref obs);               // with Info: (rng, obs, info)
//     pp::Outcome step(Action::Value action, Obs::Ref obs); // (action[, rng], obs[, info])
//   };
//
// Optional members: `using Info = pp::Dict<...>`, `Options`, `summary`, `max_episode_steps`,
// `reward_threshold`, `static void describe(pp::Spec&, const Options&)` (const pp::Options& where
// there are none), `exclusive` (the library keeps global state), `late_rows` (heavy: touch obs and
// info only when the simulation is done, and rows come in the order of finishing), `has_discount`,
// `void seed(uint64_t)` (called before the reset that a new seed belongs to; for a simulator with a
// generator of its own), and those of the extensions: `save` and `load` (sdk/state.hpp), `arrays`
// (sdk/arrays.hpp), `frame_size` and `draw` (sdk/render.hpp), `ResetOptions`
// (sdk/reset_options.hpp).
//
// Options may also be declared as an array, `static constexpr pp_option options[]`, with the names
// of those that are local in `local_options`; constructor and describe() are then handed a
// pp::Options that looks values up by name (sdk/options.hpp).
//
// Several players: sdk/players.hpp.
//
// The generator handed to reset and step is the lane's own, seeded as numpy's default_rng(seed); it
// goes on across episodes, as Gymnasium's does. An exception fails that lane only.
#ifndef PARALLEL_POOL_SDK_SCALAR_HPP_
#define PARALLEL_POOL_SDK_SCALAR_HPP_

#include <algorithm>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "parallel_pool/rng.hpp"
#include "parallel_pool/sdk/checks/plugin.hpp"
#include "parallel_pool/sdk/checks/scalar.hpp"
#include "parallel_pool/sdk/extensions.hpp"
#include "parallel_pool/sdk/layout.hpp"

namespace pp {

// What a step leads to: `return {reward, terminated, truncated, discount};`, from the end on with
// what is not said false (and the discount 1). `discount` is used only by environments with
// has_discount.
struct Outcome {
  double reward = 0.0;
  bool terminated = false;
  bool truncated = false;
  double discount = 1.0;

  constexpr Outcome() = default;
  // Templates, because a bool would become a reward, and a reward a bool, without a word.
  template <class Reward, class = std::enable_if_t<std::is_convertible_v<Reward, double>>>
  constexpr Outcome(const Reward& reward_value)  // NOLINT(google-explicit-constructor)
      : reward(static_cast<double>(reward_value)) {
    static_assert(!std::is_same_v<Reward, bool>,
                  "a pp::Outcome begins with the reward, and this is a bool: `return {reward, "
                  "terminated};`");
  }
  template <class Reward, class Terminated, class Truncated = bool>
  constexpr Outcome(const Reward& reward_value, const Terminated& ends,
                    const Truncated& cut_short = false, double discount_value = 1.0)
      : reward(static_cast<double>(reward_value)),
        terminated(static_cast<bool>(ends)),
        truncated(static_cast<bool>(cut_short)),
        discount(discount_value) {
    static_assert(!std::is_same_v<Reward, bool>,
                  "a pp::Outcome begins with the reward, and this is a bool: `return {reward, "
                  "terminated};`");
    static_assert(
        !std::is_floating_point_v<Terminated> && !std::is_floating_point_v<Truncated>,
        "the second and third of a pp::Outcome say whether the episode is over, and this is "
        "a number: `return {reward, terminated, truncated};`");
  }
};

namespace detail {

template <class E>
class ScalarShard {
 public:
  using L = Layout<E>;

  ScalarShard(const pp_host* host, const pp_shard& shard) : host_(host) {
    const Spec spec = L::make_spec(OptionTable<E>::read(shard.option[0]));
    row_bytes_ = L::row_bytes(spec);
    if constexpr (L::multi_player) {
      player_bytes_ = L::player_bytes(spec);
      player_rows_ = {spec.max_players, player_bytes_.data()};
    }
    lanes_.reserve(shard.count);
    for (uint32_t i = 0; i < shard.count; ++i) {
      lanes_.push_back(std::make_unique<Lane>(OptionTable<E>::read(shard.option[i])));
      if constexpr (L::multi_player) lanes_.back()->notes.resize(spec.max_players);
    }
  }

  static int32_t reset(void* self, const pp_lanes* lanes) noexcept {
    return static_cast<ScalarShard*>(self)->each(*lanes, [lanes](Lane& lane, const Row& row) {
      if (lanes->seed != nullptr) {
        lane.rng = Rng(lanes->seed[row.index]);
        if constexpr (HasSeed<E>::value) lane.env.seed(lanes->seed[row.index]);
      }
      if constexpr (L::multi_player) lane.notes.begin(true);
      const auto obs = L::Obs::ref(row, L::obs);
      if constexpr (HasInfo<E>::value) {
        call_reset(lane, obs, L::Info::ref(row, L::info));
      } else {
        call_reset(lane, obs);
      }
      if constexpr (L::multi_player) {
        write(row, lane.notes, Ending{});
      } else {
        write(row, Outcome{});
      }
    });
  }

  static const void* get_extension(const char* id) noexcept {
    return find_extension<E, ScalarShard>(id);
  }
  const pp_host* host() const { return host_; }
  Rng& rng(uint32_t lane) { return lanes_[lane]->rng; }
  void save(uint32_t lane, StateWriter& out) const {
    if constexpr (L::multi_player) lanes_[lane]->notes.save(out);
    std::as_const(lanes_[lane]->env).save(out);
  }
  void load(uint32_t lane, StateReader& in) {
    if constexpr (L::multi_player) lanes_[lane]->notes.load(in);
    lanes_[lane]->env.load(in);
  }
  void arrays(uint32_t lane, ArrayList& list) { lanes_[lane]->env.arrays(list); }
  void arrays_written(uint32_t lane) {
    if constexpr (HasArraysWritten<E>::value) lanes_[lane]->env.arrays_written();
  }
  FrameSize frame_size(uint32_t lane) const {
    return std::as_const(lanes_[lane]->env).frame_size();
  }
  void draw(uint32_t lane, uint8_t* rgb) const { std::as_const(lanes_[lane]->env).draw(rgb); }
  void set_reset_options(uint32_t lane, const ResetOptionsOf<E>& options) {
    lanes_[lane]->env.set_reset_options(options);
  }

  static int32_t step(void* self, const pp_lanes* lanes) noexcept {
    return static_cast<ScalarShard*>(self)->each(*lanes, [](Lane& lane, const Row& row) {
      const auto action = L::Action::read(row, L::action);
      const auto obs = L::Obs::ref(row, L::obs);
      if constexpr (L::multi_player) {
        lane.notes.begin(false);
        const Players<E> players(lane.notes);
        if constexpr (HasInfo<E>::value) {
          write(row, lane.notes,
                step_players(lane, action, obs, L::Info::ref(row, L::info), players));
        } else {
          write(row, lane.notes, step_players(lane, action, obs, players));
        }
      } else if constexpr (HasInfo<E>::value) {
        write(row, call_step(lane, action, obs, L::Info::ref(row, L::info)));
      } else {
        write(row, call_step(lane, action, obs));
      }
    });
  }

 private:
  struct Lane {
    explicit Lane(const OptionsOf<E>& options) : env(make(options)) {}
    static E make(const OptionsOf<E>& options) {
      if constexpr (std::is_constructible_v<E, const OptionsOf<E>&>) {
        return E(options);
      } else {
        return E();
      }
    }
    E env;
    Rng rng{0};
    std::conditional_t<L::multi_player, PlayerNotes, Dict<>> notes{};
  };

  // Calls step with or without the generator, as E has it.
  template <class A, class... Rest>
  static auto call_step(Lane& lane, const A& action, const Rest&... rest) {
    if constexpr (accepts<const A&, Rng&, const Rest&...>(0)) {
      return lane.env.step(action, lane.rng, rest...);
    } else {
      return lane.env.step(action, rest...);
    }
  }
  template <class... Rest>
  static Ending step_players(Lane& lane, const Rest&... rest) {
    static_assert(std::is_same_v<decltype(call_step(lane, rest...)), Ending>,
                  "step() of a multi-player environment gives rewards through its last argument, "
                  "pp::Players<E>, and returns pp::Ending");
    return call_step(lane, rest...);
  }
  template <class... Rest>
  static void call_reset(Lane& lane, const Rest&... rest) {
    if constexpr (L::multi_player) {
      const Players<E> players(lane.notes);
      if constexpr (accepts_reset<Rng&, const Rest&..., const Players<E>&>(0)) {
        lane.env.reset(lane.rng, rest..., players);
        return;
      }
    }
    if constexpr (!L::multi_player || !accepts_reset<Rng&, const Rest&..., const Players<E>&>(0)) {
      lane.env.reset(lane.rng, rest...);
    }
  }

  // Whether E::step and E::reset take these arguments.
  template <class... A>
  static constexpr auto accepts(int)
      -> decltype((void)std::declval<E&>().step(std::declval<A>()...), bool{}) {
    return true;
  }
  template <class... A>
  static constexpr bool accepts(...) {
    return false;
  }
  template <class... A>
  static constexpr auto accepts_reset(int)
      -> decltype((void)std::declval<E&>().reset(std::declval<A>()...), bool{}) {
    return true;
  }
  template <class... A>
  static constexpr bool accepts_reset(...) {
    return false;
  }

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
      // Whoever is there when the episode ends for all ends with it.
      auto* terminated = static_cast<uint8_t*>(row.output(L::terminated));
      auto* truncated = static_cast<uint8_t*>(row.output(L::truncated));
      for (size_t k = 0; k < notes.present.size(); ++k) {
        terminated[k] = notes.terminated[k] | static_cast<uint8_t>(ending.terminated);
        truncated[k] = notes.truncated[k] | static_cast<uint8_t>(ending.truncated);
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

  template <class Work>
  int32_t each(const pp_lanes& lanes, Work&& work) noexcept {
    constexpr bool late = (flags_of<E>() & PP_ENV_LATE_ROWS) != 0u;
    int32_t failed = 0;
    for (uint32_t i = 0; i < lanes.count; ++i) {
      if (lanes.mask != nullptr && lanes.mask[i] == 0) continue;
      try {
        work(*lanes_[lanes.first + i],
             Row{lanes.field, row_bytes_.data(), i, late ? &lanes : nullptr,
                 L::multi_player ? &player_rows_ : nullptr});
      } catch (...) {
        report(host_, lanes.first + i);
        failed = 1;
      }
    }
    return failed;
  }

  const pp_host* host_;
  std::vector<size_t> row_bytes_;
  std::vector<size_t> player_bytes_;  // multi-player environments only
  PlayerRows player_rows_{};
  std::vector<std::unique_ptr<Lane>> lanes_;
};

}  // namespace detail

// The table of an environment written as one object. PreferredLanes: how many environments one call
// steps; 1 for anything that takes microseconds or more.
template <class E, uint32_t PreferredLanes = 1>
constexpr const pp_env* scalar() {
  if constexpr (detail::is_scalar_environment<E>()) {
    return &detail::Table<E, detail::ScalarShard<E>, PreferredLanes>::value;
  } else {
    return &detail::refused_env;  // the compiler has said why
  }
}

}  // namespace pp
#endif  // PARALLEL_POOL_SDK_SCALAR_HPP_
