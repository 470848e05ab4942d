// parallel_pool/sdk/layout.hpp: from an author's type to the C tables of abi.h: field numbers,
// describe() and the guards that turn exceptions into errors. Shared by scalar and
// batch.
#ifndef PARALLEL_POOL_SDK_LAYOUT_HPP_
#define PARALLEL_POOL_SDK_LAYOUT_HPP_

#include <algorithm>
#include <array>
#include <cstddef>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "parallel_pool/abi.h"
#include "parallel_pool/sdk/option_table.hpp"
#include "parallel_pool/sdk/players.hpp"
#include "parallel_pool/sdk/space.hpp"
#include "parallel_pool/sdk/spec.hpp"

namespace pp::detail {

// Detects optional members of an author's type.
#define PP_DETECT(trait, expression) \
  template <class E>                 \
  inline constexpr bool trait = requires { expression; }
PP_DETECT(has_summary, E::summary);
PP_DETECT(has_describe, E::describe(std::declval<Spec&>(), std::declval<const OptionsOf<E>&>()));
PP_DETECT(describes_alone, E::describe(std::declval<Spec&>()));
PP_DETECT(has_max_episode_steps, E::max_episode_steps);
PP_DETECT(has_reward_threshold, E::reward_threshold);
PP_DETECT(has_seed, std::declval<E&>().seed(uint64_t{}));
PP_DETECT(has_max_players, E::max_players);
PP_DETECT(from_seed, E(std::declval<const OptionsOf<E>&>(), Seed{}));
#undef PP_DETECT

// Members that say yes or no; where one is missing, it is no.
#define PP_FLAG(flag, member)                                      \
  template <class E>                                               \
  inline constexpr bool flag = [] {                                \
    if constexpr (requires { E::member; }) return bool{E::member}; \
    return false;                                                  \
  }()
PP_FLAG(says_exclusive, exclusive);
PP_FLAG(says_late_rows, late_rows);
PP_FLAG(says_resets_wait, resets_wait);
PP_FLAG(says_steps_wait, steps_wait);
PP_FLAG(says_resets_itself, resets_itself);
PP_FLAG(says_outlives_episodes, outlives_episodes);
PP_FLAG(says_has_discount, has_discount);
PP_FLAG(says_has_score, has_score);
PP_FLAG(says_players_end_alone, players_end_alone);
PP_FLAG(says_players_vary, players_vary);
#undef PP_FLAG

template <class E>
struct HasInfo : std::false_type {
  using Info = Dict<>;
};
template <class E>
  requires requires { typename E::Info; }
struct HasInfo<E> : std::true_type {
  using Info = typename E::Info;
};

// Gives the fields from `first` on, which describe() added, the order of their roles and the flags
// of their places. Throws std::logic_error for one that has no place.
[[gnu::cold]] inline void place_added(Spec& spec, size_t first) {
  if (spec.fields.size() <= first) return;
  const auto begin = spec.fields.begin() + static_cast<ptrdiff_t>(first);
  for (auto end = begin; end != spec.fields.end(); ++end) {  // std::stable_sort is slow to compile
    for (auto it = end; it != begin && it->role < it[-1].role; --it) std::swap(*it, it[-1]);
  }
  for (auto field = begin; field != spec.fields.end() && field->role <= PP_ROLE_ACTION; ++field) {
    const auto takes_it = [&field](const Field& place) {
      const std::string branch = place.name.empty() ? "" : place.name + "/";
      return place.role == field->role &&
             (field->name + "/").compare(0, branch.size(), branch) == 0;
    };
    const auto place = std::find_if(spec.places.begin(), spec.places.end(), takes_it);
    if (place == spec.places.end()) {
      throw std::logic_error("describe() adds " + field->label() +
                             ", and no pp::Fields of the type takes it");
    }
    field->flags |= place->flags;
  }
}

// The parts of the layout that describe() knows.
struct DescribedRoles {
  std::vector<size_t> player_bytes;
  std::array<Described, 3> role;  // from PP_ROLE_OBS on

  // `first`: the number of fields that the types have.
  [[gnu::cold]] void set(const Spec& spec, size_t first) {
    for (const Field& field : spec.fields) player_bytes.push_back(field.row_bytes(1));
    for (Described& each : role) {
      each = {spec.max_players, player_bytes.data(), first, {}};
      const auto number = static_cast<uint32_t>(&each - role.data()) + PP_ROLE_OBS;
      for (; first < spec.fields.size() && spec.fields[first].role == number; ++first) {
        each.added.push_back(spec.fields[first].dtype);
      }
    }
  }
};

template <class E>
struct Layout {
  using Obs = typename E::Obs;
  using Action = typename E::Action;
  using Info = typename HasInfo<E>::Info;

  static constexpr bool has_discount = says_has_discount<E>;
  static constexpr bool has_score = says_has_score<E>;

  static constexpr bool multi_player =
      HasPlayers<Obs>::value || HasPlayers<Info>::value || HasPlayers<Action>::value;
  static constexpr bool players_end_alone = says_players_end_alone<E>;
  static constexpr bool players_vary = says_players_vary<E>;
  static_assert(
      multi_player == has_max_players<E>,
      "pp::PerPlayer and `static constexpr uint32_t max_players` come together: the first "
      "says what each player has, the second how many players there can be");
  static_assert(multi_player || (!players_end_alone && !players_vary),
                "players_end_alone and players_vary are for environments with pp::PerPlayer");
  static_assert(!has_score || !multi_player, "has_score is for environments of one player");
  static constexpr size_t in_obs = CountFields<Obs>::value, in_info = CountFields<Info>::value,
                          in_action = CountFields<Action>::value;
  static constexpr bool has_added = in_obs + in_info + in_action != 0;
  static constexpr bool added_in_one_place = in_obs <= 1 && in_info <= 1 && in_action <= 1;
  static_assert(added_in_one_place,
                "Obs, Info and Action have one pp::Fields each, or none: it takes any number of "
                "arrays");

  // Field numbers: observations, info, the three results, the discount if any, the players present
  // if that varies, the two of a score if any, actions. What describe() adds comes last, in the
  // order of observations, info, actions.
  static constexpr size_t obs = 0;
  static constexpr size_t info = Obs::n_field;
  static constexpr size_t reward = info + Info::n_field;
  static constexpr size_t terminated = reward + 1;
  static constexpr size_t truncated = terminated + 1;
  static constexpr size_t discount = truncated + 1;
  static constexpr size_t present = discount + (has_discount ? 1 : 0);
  static constexpr size_t score = present + (players_vary ? 1 : 0);
  static constexpr size_t continues = score + 1;
  static constexpr size_t action = score + (has_score ? 2 : 0);
  static constexpr size_t n_field = action + Action::n_field;

  // A lane's parts of the environment, from its row.
  static auto obs_of(const Row& row) { return Obs::ref(of_role<Obs>(row, PP_ROLE_OBS), obs); }
  static auto info_of(const Row& row) { return Info::ref(of_role<Info>(row, PP_ROLE_INFO), info); }
  static auto action_of(const Row& row) {
    return Action::read(of_role<Action>(row, PP_ROLE_ACTION), action);
  }

  [[gnu::cold]] static Spec make_spec(const OptionsOf<E>& options) {
    Spec spec;
    Obs::describe(spec, PP_ROLE_OBS, "");
    Info::describe(spec, PP_ROLE_INFO, "");
    const uint32_t each = multi_player ? PP_FIELD_PER_PLAYER : 0u;
    const uint32_t alone = players_end_alone ? PP_FIELD_PER_PLAYER : 0u;
    spec.add(PP_ROLE_REWARD, "", PP_KIND_BOX, PP_FLOAT64).flags = each;
    spec.add(PP_ROLE_TERMINATED, "", PP_KIND_MULTI_BINARY, PP_BOOL).flags = alone;
    spec.add(PP_ROLE_TRUNCATED, "", PP_KIND_MULTI_BINARY, PP_BOOL).flags = alone;
    if (has_discount) {
      spec.add(PP_ROLE_DISCOUNT, "", PP_KIND_BOX, PP_FLOAT64).bounds(0, 1).flags = each;
    }
    if (players_vary) spec.add(PP_ROLE_PLAYERS, "", PP_KIND_BOX, PP_INT32).flags = each;
    if (has_score) {
      spec.add(PP_ROLE_SCORE, "", PP_KIND_BOX, PP_FLOAT64);
      spec.add(PP_ROLE_CONTINUES, "", PP_KIND_MULTI_BINARY, PP_BOOL);
    }
    Action::describe(spec, PP_ROLE_ACTION, "");
    if constexpr (has_max_players<E>) spec.max_players = E::max_players;
    if constexpr (has_max_episode_steps<E>) spec.max_episode_steps = E::max_episode_steps;
    if constexpr (has_reward_threshold<E>) spec.reward_threshold = E::reward_threshold;
    if constexpr (has_describe<E>) {
      E::describe(spec, options);
    } else if constexpr (describes_alone<E>) {
      E::describe(spec);
    }
    place_added(spec, n_field);
    return spec;
  }

  [[gnu::cold]] static std::vector<size_t> row_bytes(const Spec& spec) {
    std::vector<size_t> bytes;
    for (const Field& field : spec.fields) bytes.push_back(field.row_bytes(spec.max_players));
    return bytes;
  }

 private:
  template <class Space>
  static Row of_role(Row row, uint32_t role) {
    if constexpr (CountFields<Space>::value != 0) row.described += role - PP_ROLE_OBS;
    return row;
  }
};

// Reports the exception in flight. Called from a catch (...) block only.
[[gnu::cold]] inline void report(const pp_host* host, uint32_t lane) noexcept {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    host->set_error(host, lane, "out of memory (std::bad_alloc)");
  } catch (const std::exception& error) {
    host->set_error(host, lane, error.what());
  } catch (const char* text) {
    host->set_error(host, lane, text);
  } catch (...) {
    host->set_error(host, lane,
                    "an exception that is not a std::exception: throw std::runtime_error(\"why\")");
  }
}

// Returns what work() does, or `failed` after set_error if it throws.
template <class Failed, class Work>
Failed guarded(const pp_host* host, uint32_t lane, Failed failed, Work&& work) noexcept {
  try {
    return work();
  } catch (...) {
    report(host, lane);
    return failed;
  }
}

template <class E>
const pp_spec* describe(const pp_host* host, const pp_value* option) noexcept {
  const pp_spec* const none = nullptr;
  return guarded(host, PP_ALL_LANES, none, [option] {
    // NOLINTNEXTLINE(bugprone-unhandled-exception-at-new): guarded() catches it
    return &(new OwnedSpec(Layout<E>::make_spec(read_options<E>(option))))->view.c;
  });
}

inline void release_spec(const pp_spec* spec) noexcept {
  // `c` is the first member of View, so the pointers are interchangeable.
  delete reinterpret_cast<const OwnedSpec::View*>(spec)->owner;
}

template <class E>
constexpr uint32_t flags_of() {
  return (says_exclusive<E> ? PP_ENV_EXCLUSIVE : 0u) | (says_late_rows<E> ? PP_ENV_LATE_ROWS : 0u) |
         (says_resets_wait<E> ? PP_ENV_RESETS_WAIT : 0u) |
         (says_steps_wait<E> ? PP_ENV_STEPS_WAIT : 0u) |
         (says_resets_itself<E> ? PP_ENV_RESETS_ITSELF : 0u);
}

template <class E>
constexpr const char* summary_of() {
  if constexpr (has_summary<E>) return E::summary;
  return "";
}

template <class Shard>
void destroy(void* self) noexcept {
  delete static_cast<Shard*>(self);
}

template <class Shard>
void* create(const pp_host* host, const pp_shard* shard) noexcept {
  void* const none = nullptr;
  // NOLINTNEXTLINE(bugprone-unhandled-exception-at-new): guarded() catches it
  return guarded(host, PP_ALL_LANES, none, [=] { return new Shard(host, *shard); });
}

// The C table of one environment. Constant data: nothing runs when the library is loaded.
template <class E, class Shard, uint32_t PreferredLanes>
struct Table {
  using Options = OptionTable<OptionsOf<E>>;
  static constexpr pp_env value = {
      sizeof(pp_env),  flags_of<E>(),         PreferredLanes, Options::size,         E::id,
      summary_of<E>(), Options::array.data(), &describe<E>,   &release_spec,         &create<Shard>,
      &destroy<Shard>, &Shard::reset,         &Shard::step,   &Shard::get_extension,
  };
};

}  // namespace pp::detail
#endif  // PARALLEL_POOL_SDK_LAYOUT_HPP_
