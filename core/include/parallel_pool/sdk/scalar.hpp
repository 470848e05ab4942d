// parallel_pool/sdk/scalar.hpp: one object per environment, written the way one writes one
// environment.
//
//   struct Lander {
//     static constexpr const char* id = "lander/Lander-v0";
//     using Obs = pp::Box<float, 8>;
//     using Action = pp::Discrete<4>;
//     struct Options { double gravity; ... };               // see sdk/option_set.hpp
//     explicit Lander(const Options&);                      // or with a pp::Seed, or of nothing
//     void reset(pp::Rng& rng, Obs::Ref obs);               // with Info: (rng, obs, info)
//     pp::Outcome step(Action::Value action, Obs::Ref obs); // (action[, rng], obs[, info])
//   };
//
// Optional members: `using Info = pp::Dict<...>`, `Options`, `summary`, `max_episode_steps`,
// `reward_threshold`, `static void describe(pp::Spec&, const Options&)` (const pp::Options& where
// there are none), `exclusive` (the library keeps global state), `late_rows` (heavy: touch obs and
// info only when the simulation is done, and rows come in the order of finishing), `resets_wait`
// and `steps_wait` (seconds, for a process or a device: Ctrl-C is heard meanwhile), `has_discount`,
// `resets_itself` (the step that ends an episode gives the first observation of the next),
// `has_score` (step returns a pp::ScoredOutcome, reset a pp::Score: sdk/results.hpp),
// `void seed(uint64_t)` (called before the reset that a new seed belongs to; for a simulator with a
// generator of its own), `void unseen(bool)` (called before each step, so that it need not draw: it
// tells whether its observation is read only if the episode ends in it), and those of the
// extensions: `save` and `load` (sdk/state.hpp), `arrays`
// (sdk/arrays.hpp), `frame_size` and `draw` (sdk/render.hpp), `ResetOptions`
// (sdk/reset_options.hpp). Environments that work elsewhere: sdk/overlap.hpp.
//
// With a pp::Seed behind the options the first reset makes the object, and each other makes it
// anew, with the reset's seed or one that the lane's generator draws; with `outlives_episodes` or
// `resets_itself` only a seed does so. States hold the seed: save() has what changed since.
//
// Several players: sdk/players.hpp.
//
// The generator handed to reset and step is the lane's own, seeded as numpy's default_rng(seed); it
// goes on across episodes, as Gymnasium's does. An exception fails that lane only.
#ifndef PARALLEL_POOL_SDK_SCALAR_HPP_
#define PARALLEL_POOL_SDK_SCALAR_HPP_

#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "parallel_pool/rng.hpp"
#include "parallel_pool/sdk/checks/plugin.hpp"
#include "parallel_pool/sdk/checks/scalar.hpp"
#include "parallel_pool/sdk/extensions.hpp"
#include "parallel_pool/sdk/layout.hpp"
#include "parallel_pool/sdk/overlap.hpp"
#include "parallel_pool/sdk/results.hpp"
#include "parallel_pool/sdk/scalar_lane.hpp"

namespace pp {

namespace detail {

template <class E>
class ScalarShard {
 public:
  using L = Layout<E>;
  using Lane = ScalarLane<E>;

  ScalarShard(const pp_host* host, const pp_shard& shard)
      : host_(host),
        patience_(static_cast<const pp_patience*>(host->get_extension(host, PP_EXT_PATIENCE))),
        under_way_(shard.count) {
    const Spec spec = L::make_spec(read_options<E>(shard.option[0]));
    row_bytes_ = L::row_bytes(spec);
    if constexpr (knows_roles) roles_.set(spec, L::n_field);
    lanes_.reserve(shard.count);
    for (uint32_t i = 0; i < shard.count; ++i) {
      lanes_.push_back(std::make_unique<Lane>(read_options<E>(shard.option[i])));
      if constexpr (L::multi_player) lanes_.back()->notes.resize(spec.max_players);
    }
  }

  static int32_t reset(void* self, const pp_lanes* lanes) noexcept {
    auto& shard = *static_cast<ScalarShard*>(self);
    const auto seed = [lanes](Lane& lane, const Row& row) { reseed(*lanes, lane, row.index); };
    const auto finish = [&seed](Lane& lane, const Row& row) {
      if constexpr (!Overlaps<E>::value) seed(lane, row);
      [[maybe_unused]] typename Lane::Result result;
      if constexpr (L::has_score) {
        result.score = lane.reset(row);
      } else {
        lane.reset(row);
      }
      if constexpr (L::multi_player) {
        Results<E>::write(row, lane.notes, Ending{});
      } else {
        Results<E>::write(row, result);
      }
    };
    if constexpr (Overlaps<E>::value) {
      return shard.overlap(
          *lanes,
          [&seed](Lane& lane, const Row& row) {
            if (lane.early.take()) return;
            seed(lane, row);
            lane.env().begin_reset(lane.rng);
          },
          finish, [] { return false; });
    } else {
      return shard.each(*lanes, finish);
    }
  }

  static const void* get_extension(const char* id) noexcept {
    return find_extension<E, ScalarShard>(id);
  }
  void begin_resets(const pp_lanes& lanes) {
    for (uint32_t i = 0; i < lanes.count; ++i) {
      if (!selected(lanes, i)) continue;
      Lane& lane = *lanes_[lanes.first + i];
      lane.early.begin([&] {
        reseed(lanes, lane, i);
        lane.env().begin_reset(lane.rng);
      });
    }
  }
  const pp_host* host() const { return host_; }
  Rng& rng(uint32_t lane) { return lanes_[lane]->rng; }
  void save(uint32_t lane, StateWriter& out) const {
    if constexpr (L::multi_player) lanes_[lane]->notes.save(out);
    if constexpr (from_seed<E>) out(lanes_[lane]->held.seed);
    std::as_const(lanes_[lane]->env()).save(out);
  }
  void load(uint32_t lane, StateReader& in) {
    if constexpr (L::multi_player) lanes_[lane]->notes.load(in);
    if constexpr (from_seed<E>) {
      uint64_t seed = 0;
      in(seed);
      lanes_[lane]->be_of(seed);
    }
    lanes_[lane]->env().load(in);
  }
  void copy(uint32_t lane, const ScalarShard& other, uint32_t from)
    requires takes_copy_from<E, const E&>
  {
    Lane& to = *lanes_[lane];
    Lane& source = *other.lanes_[from];
    if constexpr (from_seed<E>) to.be_of(source.held.seed);
    to.env().copy_from(source.env());
    to.rng = source.rng;
    to.notes = source.notes;
  }
  void reseed(uint32_t lane, uint64_t seed) { lanes_[lane]->env().reseed(seed); }
  void arrays(uint32_t lane, ArrayList& list) { lanes_[lane]->env().arrays(list); }
  void arrays_written(uint32_t lane) {
    if constexpr (takes_arrays_written<E>) lanes_[lane]->env().arrays_written();
  }
  FrameSize frame_size(uint32_t lane) const {
    return std::as_const(lanes_[lane]->env()).frame_size();
  }
  void draw(uint32_t lane, uint8_t* rgb) const { std::as_const(lanes_[lane]->env()).draw(rgb); }
  void set_reset_options(uint32_t lane, const ResetOptionsOf<E>& options) {
    lanes_[lane]->env().set_reset_options(options);
  }

  static int32_t step(void* self, const pp_lanes* lanes) noexcept {
    auto& shard = *static_cast<ScalarShard*>(self);
    const auto begin = [&](Lane& lane, [[maybe_unused]] const Row& row) {
      if constexpr (takes_unseen<E, bool>) {
        lane.env().unseen((lanes->flags & PP_LANES_UNSEEN) != 0u);
      }
      if constexpr (Overlaps<E>::value) lane.env().begin_step(L::action_of(row));
    };
    const auto finish = [&](Lane& lane, const Row& row) {
      if constexpr (!Overlaps<E>::value) begin(lane, row);
      const auto outcome = lane.step(row);
      if constexpr (L::multi_player) {
        Results<E>::write(row, lane.notes, outcome);
      } else {
        Results<E>::write(row, outcome);
      }
      if (outcome.error != nullptr) {
        note(shard.host_, lanes->first + static_cast<uint32_t>(row.index), outcome.error);
      }
    };
    if constexpr (Overlaps<E>::value) {
      return shard.overlap(*lanes, begin, finish, [&shard] {
        return shard.patience_ != nullptr && shard.patience_->is_wanted(shard.host_) != 0;
      });
    } else {
      return shard.each(*lanes, finish);
    }
  }

 private:
  static constexpr bool knows_roles = L::multi_player || L::has_added;

  static bool selected(const pp_lanes& lanes, uint32_t i) {
    return lanes.mask == nullptr || lanes.mask[i] != 0;
  }
  static void reseed(const pp_lanes& lanes, Lane& lane, size_t i) {
    const uint64_t* const seed = lanes.seed == nullptr ? nullptr : lanes.seed + i;
    if (seed != nullptr) lane.rng = Rng(*seed);
    if constexpr (from_seed<E>) {
      constexpr bool stays = says_outlives_episodes<E> || says_resets_itself<E>;
      if (seed != nullptr || !stays || !lane.held.made) {
        lane.make(seed != nullptr ? *seed : lane.rng.next_uint64());
      }
    } else if constexpr (has_seed<E>) {
      if (seed != nullptr) lane.env().seed(*seed);
    }
  }
  Row row(const pp_lanes& lanes, uint32_t i) const {
    constexpr bool late = (flags_of<E>() & PP_ENV_LATE_ROWS) != 0u;
    return Row{lanes.field, row_bytes_.data(), i, late ? &lanes : nullptr,
               knows_roles ? roles_.role.data() : nullptr};
  }

  // Begins with all lanes, and returns when all are done, or when this thread is wanted elsewhere.
  template <class Begin, class Finish, class IsWanted>
  int32_t overlap(const pp_lanes& lanes, Begin&& begin, Finish&& finish,
                  IsWanted&& is_wanted) noexcept {
    const auto lane = [&](uint32_t i) -> Lane& { return *lanes_[lanes.first + i]; };
    return under_way_.run(
        lanes.count, [&](uint32_t i) { return selected(lanes, i); },
        [&](uint32_t i) { begin(lane(i), row(lanes, i)); },
        [&](uint32_t i, bool wait) { return lane(i).env().go_on(wait); },
        [&](uint32_t i) { finish(lane(i), row(lanes, i)); },
        [&](uint32_t i) { report(host_, lanes.first + i); }, is_wanted);
  }

  template <class Work>
  int32_t each(const pp_lanes& lanes, Work&& work) noexcept {
    int32_t failed = 0;
    for (uint32_t i = 0; i < lanes.count; ++i) {
      if (!selected(lanes, i)) continue;
      try {
        work(*lanes_[lanes.first + i], row(lanes, i));
      } catch (...) {
        report(host_, lanes.first + i);
        failed = 1;
      }
    }
    return failed;
  }

  const pp_host* host_;
  const pp_patience* patience_;  // NULL: a host that has none
  std::vector<size_t> row_bytes_;
  DescribedRoles roles_;  // with knows_roles
  std::conditional_t<Overlaps<E>::value, UnderWay, NothingUnderWay> under_way_;
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
