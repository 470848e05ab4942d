// parallel_pool/sdk/checks/declarations.hpp: what every environment has to declare, checked with a
// sentence before anything else of the SDK looks at the type: id, spaces, and members that come in
// pairs. Options are in checks/options.hpp.
//
// Each check is a function that is false where it has complained, so that its caller stops
// there: one mistake gives one message, and the line that the compiler names with it ("required
// from here") is the author's.
#ifndef PARALLEL_POOL_SDK_CHECKS_DECLARATIONS_HPP_
#define PARALLEL_POOL_SDK_CHECKS_DECLARATIONS_HPP_

#include <string_view>
#include <type_traits>

#include "parallel_pool/sdk/extensions.hpp"
#include "parallel_pool/sdk/layout.hpp"
#include "parallel_pool/sdk/members.hpp"

namespace pp::detail {

// "family/Name-v0": what Gymnasium accepts as an id, with the family in front.
constexpr bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}
// Without `find`, whose test of a pointer is not constant under -fsanitize=undefined (GCC).
constexpr std::string_view family_of(std::string_view id) {
  for (size_t i = 0; i < id.size(); ++i) {
    if (id[i] == '/') return id.substr(0, i);
  }
  return {};
}
constexpr bool is_id(std::string_view id) {
  const std::string_view family = family_of(id);
  if (family.empty()) return false;
  for (const char c : family) {
    if (!is_word(c)) return false;
  }
  const size_t version = id.rfind("-v");
  if (version == std::string_view::npos || version <= family.size() + 1) return false;
  for (const char c : id.substr(family.size() + 1, version - family.size() - 1)) {
    if (!is_word(c) && c != '-' && c != '.' && c != ':') return false;
  }
  const std::string_view number = id.substr(version + 2);
  if (number.empty()) return false;
  for (const char c : number) {
    if (c < '0' || c > '9') return false;
  }
  return true;
}

template <class E>
struct HasId : std::false_type {};
template <class E>
  requires std::is_convertible_v<decltype(E::id), const char*>
struct HasId<E> : std::bool_constant<!std::is_member_object_pointer_v<decltype(&E::id)>> {};

template <class Space>
concept IsSpace = requires {
  Space::n_field;
  typename Space::Ref;
};
template <class E>
inline constexpr bool has_obs = requires { requires IsSpace<typename E::Obs>; };
template <class E>
inline constexpr bool has_action = requires { requires IsSpace<typename E::Action>; };
template <class E>
inline constexpr bool has_info_space = requires { requires IsSpace<typename E::Info>; };

template <class E>
constexpr bool declares_id() {
  static_assert(HasId<E>::value,
                "this environment has no public id: give it `static constexpr const char* id = "
                "\"family/Name-v0\";`");
  if constexpr (HasId<E>::value) {
    static_assert(
        is_id(E::id),
        "id has the form family/Name-v0: the family that PP_PLUGIN names, a slash, a name of "
        "letters, digits, dots and hyphens, and a version");
    return is_id(E::id);
  }
  return HasId<E>::value;
}

// Members that are data: one that is there is static and of a type that will do.
#define PP_DATUM(trait, member, type)                          \
  template <class E>                                           \
  struct trait : std::true_type {};                            \
  template <class E>                                           \
    requires requires { &E::member; }                          \
  struct trait<E>                                              \
      : std::bool_constant<                                    \
            !std::is_member_pointer_v<decltype(&E::member)> && \
            std::is_convertible_v<std::remove_pointer_t<decltype(&E::member)>, type>> {}
PP_DATUM(GoodSummary, summary, const char*);
PP_DATUM(GoodMaxEpisodeSteps, max_episode_steps, int64_t);
PP_DATUM(GoodRewardThreshold, reward_threshold, double);
PP_DATUM(GoodExclusive, exclusive, bool);
#undef PP_DATUM

template <class E>
constexpr bool declares_data() {
  constexpr bool summary = GoodSummary<E>::value;
  constexpr bool steps = GoodMaxEpisodeSteps<E>::value;
  constexpr bool threshold = GoodRewardThreshold<E>::value;
  constexpr bool exclusive = GoodExclusive<E>::value;
  static_assert(summary, "summary is `static constexpr const char* summary = \"...\";`");
  static_assert(steps,
                "max_episode_steps is `static constexpr int64_t max_episode_steps = 500;`; where "
                "options decide it, describe() sets spec.max_episode_steps");
  static_assert(threshold,
                "reward_threshold is `static constexpr double reward_threshold = 200;`; where "
                "options decide it, describe() sets spec.reward_threshold");
  static_assert(exclusive, "exclusive is `static constexpr bool exclusive = true;`");
  return summary && steps && threshold && exclusive;
}

// True if an info has the name of a column of the host. host/plugin/spec.hpp has the other such
// names, which nobody chooses by accident, and refuses them when the library is loaded.
template <class Space>
struct TakesHostNames : std::false_type {};
template <class... Members>
struct TakesHostNames<Dict<Members...>>
    : std::bool_constant<(
          false || ... ||
          (Members::key.view() == "env_id" || Members::key.view() == "elapsed_step"))> {};

template <class E>
constexpr bool declares_spaces() {
  constexpr bool info = !HasInfo<E>::value || has_info_space<E>;
  static_assert(has_obs<E>,
                "say what is observed: `using Obs = pp::Box<float, 8>;`, or another of the spaces "
                "in sdk/space.hpp (public, and before it is used)");
  static_assert(has_action<E>,
                "say what an action is: `using Action = pp::Discrete<4>;`, or another of the "
                "spaces in sdk/space.hpp (public, and before it is used)");
  static_assert(info,
                "Info is a dict of spaces with names: `using Info = pp::Dict<pp::At<\"fuel\", "
                "float>>;`");
  if constexpr (has_action<E>) {
    static_assert(!HasText<typename E::Action>::value,
                  "pp::Text is for Obs and Info: an action of bytes is `pp::Box<uint8_t, n>`");
  }
  bool own_names = true;
  if constexpr (has_info_space<E>) {
    own_names = !TakesHostNames<typename E::Info>::value;
    static_assert(!TakesHostNames<typename E::Info>::value,
                  "Info has a member env_id or elapsed_step: the host gives info of these names "
                  "itself, so call yours otherwise");
  }
  return has_obs<E> && has_action<E> && info && own_names;
}

// The members of extensions. `Lane` is empty for one object per environment, uint32_t for a kernel.
// An author may have a draw() or a load() for something else: it is meant for us if it takes what
// we hand over, with or without a lane, const or not.
template <class E, class... Lane>
constexpr bool has_state() {
  constexpr bool save = takes_save<const E, Lane..., StateWriter&>;
  constexpr bool load = takes_load<E, Lane..., StateReader&>;
  constexpr bool saves = save || !HasSave<E>::value;
  constexpr bool loads = load || !HasLoad<E>::value;
  static_assert(saves,
                "save is `void save(pp::StateWriter& out) const`; in a batch kernel `void "
                "save(uint32_t lane, pp::StateWriter& out) const`");
  static_assert(loads,
                "load is `void load(pp::StateReader& in)`; in a batch kernel `void load(uint32_t "
                "lane, pp::StateReader& in)`");
  static_assert(!saves || !loads || save == load,
                "save and load come together: what cannot be restored need not be saved");
  return saves && loads && save == load;
}

template <class E, class... Lane>
constexpr bool has_pictures() {
  constexpr bool draw = takes_draw<const E, Lane..., uint8_t*>;
  constexpr bool size = takes_frame_size<const E, Lane...>;
  constexpr bool draws = draw || !HasDraw<E>::value;
  constexpr bool sizes = size || !names_frame_size<E>;
  static_assert(draws,
                "draw is `void draw(uint8_t* rgb) const`; in a batch kernel `void draw(uint32_t "
                "lane, uint8_t* rgb) const`");
  static_assert(sizes,
                "frame_size is `pp::FrameSize frame_size() const`; in a batch kernel "
                "`pp::FrameSize frame_size(uint32_t lane) const`");
  static_assert(!draws || !sizes || draw == size,
                "draw and frame_size come together: `pp::FrameSize frame_size() const` says how "
                "many rows and columns draw() fills (in a batch kernel the lane comes first)");
  return draws && sizes && draw == size;
}

template <class E, class... Lane>
constexpr bool has_arguments() {
  constexpr bool declared = HasResetOptions<E>::value;
  constexpr bool set = takes_set_reset_options<E, Lane..., const ResetOptionsOf<E>&>;
  constexpr bool sets = set || !names_set_reset_options<E>;
  constexpr bool together = set == declared;
  static_assert(sets,
                "set_reset_options is `void set_reset_options(const ResetOptions& options)`, after "
                "`struct ResetOptions` with its declarations; in a batch kernel `void "
                "set_reset_options(uint32_t lane, const ResetOptions& options)`");
  static_assert(!sets || together,
                "`struct ResetOptions` with its declarations and set_reset_options come together");
  constexpr bool arrays = takes_arrays<E, Lane..., ArrayList&> || !HasArrays<E>::value;
  static_assert(arrays,
                "arrays is `void arrays(pp::ArrayList& list)`; in a batch kernel `void "
                "arrays(uint32_t lane, pp::ArrayList& list)`");
  return sets && together && arrays;
}

}  // namespace pp::detail
#endif  // PARALLEL_POOL_SDK_CHECKS_DECLARATIONS_HPP_
