// parallel_pool/sdk/checks/declarations.hpp: what every environment has to declare, checked with a
// sentence before anything else of the SDK looks at the type: id, spaces, options, and members that
// come in pairs.
//
// Each check is a function that is false where it has complained, so that whoever calls it stops
// there: one mistake gives one message, and the line that the compiler names with it ("required
// from here") is the author's.
#ifndef PARALLEL_POOL_SDK_CHECKS_DECLARATIONS_HPP_
#define PARALLEL_POOL_SDK_CHECKS_DECLARATIONS_HPP_

#include <string_view>
#include <type_traits>
#include <utility>

#include "parallel_pool/sdk/extensions.hpp"
#include "parallel_pool/sdk/layout.hpp"
#include "parallel_pool/sdk/members.hpp"

namespace pp::detail {

// "family/Name-v0": what Gymnasium accepts as an id, with the family in front.
constexpr bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}
constexpr std::string_view family_of(std::string_view id) {
  return id.substr(0, id.find('/') == std::string_view::npos ? 0 : id.find('/'));
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

template <class E, class = void>
struct HasId : std::false_type {};
template <class E>
struct HasId<E, std::enable_if_t<std::is_convertible_v<decltype(E::id), const char*>>>
    : std::bool_constant<!std::is_member_object_pointer_v<decltype(&E::id)>> {};

template <class Space, class = void>
struct IsSpace : std::false_type {};
template <class Space>
struct IsSpace<Space, std::void_t<decltype(Space::n_field), typename Space::Ref>> : std::true_type {
};
#define PP_SPACE(trait, name)        \
  template <class E, class = void>   \
  struct trait : std::false_type {}; \
  template <class E>                 \
  struct trait<E, std::void_t<typename E::name>> : IsSpace<typename E::name> {}
PP_SPACE(HasObs, Obs);
PP_SPACE(HasAction, Action);
PP_SPACE(HasInfoSpace, Info);
#undef PP_SPACE

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
  template <class E, class = void>                             \
  struct trait : std::true_type {};                            \
  template <class E>                                           \
  struct trait<E, std::void_t<decltype(&E::member)>>           \
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

// What the host calls its own columns beside the environment's info (host/plugin/spec.hpp has the
// rest, which nobody takes by accident, and refuses them when the library is loaded).
template <class Space>
struct TakesHostNames : std::false_type {};
template <class... Keys, class... Spaces>
struct TakesHostNames<Dict<At<Keys, Spaces>...>>
    : std::bool_constant<(false || ... ||
                          (std::string_view(Keys::name) == "env_id" ||
                           std::string_view(Keys::name) == "elapsed_step"))> {};

template <class E>
constexpr bool declares_spaces() {
  constexpr bool info = !HasInfo<E>::value || HasInfoSpace<E>::value;
  static_assert(HasObs<E>::value,
                "say what is observed: `using Obs = pp::Box<float, 8>;`, or another of the spaces "
                "in sdk/space.hpp (public, and before it is used)");
  static_assert(HasAction<E>::value,
                "say what an action is: `using Action = pp::Discrete<4>;`, or another of the "
                "spaces in sdk/space.hpp (public, and before it is used)");
  static_assert(info,
                "Info is a dict of spaces with names: `using Info = pp::Dict<pp::At<fuel, "
                "pp::Scalar<float>>>;` after `PP_KEY(fuel);`");
  bool own_names = true;
  if constexpr (HasInfoSpace<E>::value) {
    own_names = !TakesHostNames<typename E::Info>::value;
    static_assert(!TakesHostNames<typename E::Info>::value,
                  "Info has a member env_id or elapsed_step: the host gives info of these names "
                  "itself, so call yours otherwise");
  }
  return HasObs<E>::value && HasAction<E>::value && info && own_names;
}

template <class T>
struct IsOptionArray : std::false_type {};
template <size_t N>
struct IsOptionArray<const pp_option[N]> : std::true_type {};
// In a template, clang does not count before somebody asks for the size.
template <>
struct IsOptionArray<const pp_option[]> : std::true_type {};

template <size_t N>
constexpr bool options_have_own_names(const pp_option (&options)[N]) {
  for (size_t i = 0; i < N; ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (std::string_view(options[i].name) == options[j].name) return false;
    }
  }
  return true;
}
constexpr bool lies_within(double value, const pp_option& option) {
  return ((option.flags & PP_OPTION_HAS_LOW) == 0u || value >= option.low) &&
         ((option.flags & PP_OPTION_HAS_HIGH) == 0u || value <= option.high);
}
constexpr bool takes_its_default(const pp_option& option) {
  const pp_value& value = option.value;
  if (value.kind == PP_OPTION_INT) return lies_within(static_cast<double>(value.i), option);
  if (value.kind == PP_OPTION_FLOAT) return lies_within(value.f, option);
  if (value.kind != PP_OPTION_STRING || option.n_choices == 0u) return true;
  for (uint32_t i = 0; i < option.n_choices; ++i) {
    if (std::string_view(option.choices[i]) == value.s) return true;
  }
  return false;
}
template <size_t N>
constexpr bool options_take_their_defaults(const pp_option (&options)[N]) {
  for (const pp_option& option : options) {
    if (!takes_its_default(option)) return false;
  }
  return true;
}

template <class E>
constexpr bool options_agree() {
  constexpr bool names = options_have_own_names(E::options);
  constexpr bool defaults = options_take_their_defaults(E::options);
  static_assert(names, "two options have the same name");
  static_assert(
      defaults,
      "the default of an option lies outside of its own range, `pp::Range{low, high}`, or "
      "is none of its choices");
  return names && defaults;
}

template <class E>
constexpr bool declares_options() {
  bool good = true;
  if constexpr (HasOptions<E>::value) {
    constexpr bool array = IsOptionArray<std::remove_reference_t<decltype(E::options)>>::value &&
                           !std::is_member_object_pointer_v<decltype(&E::options)>;
    static_assert(array,
                  "options is an array of pp_option: `static constexpr pp_option options[] = "
                  "{pp::option(\"gravity\", 9.8, \"m/s^2\", pp::Range{0, 100})};`");
    good = good && array;
    if constexpr (array) good = options_agree<E>();
  } else {
    static_assert(!NamesOptions<E>::value, "options has to be public and static constexpr");
    good = good && !NamesOptions<E>::value;
  }
  constexpr bool describes =
      HasDescribe<E>::value || !(TakesDescribe<E, Spec&> || TakesDescribe<E, Spec&, AnyArgument>);
  static_assert(describes,
                "describe is `static void describe(pp::Spec& spec, const pp::Options& options)`, "
                "and public");
  return good && describes;
}

// The members of extensions. `Lane` is empty for one object per environment, uint32_t for a kernel.
// An author may have a draw() or a load() for something else: it is meant for us if it takes what
// we hand over, with or without a lane, const or not.
template <class E, class... Lane>
constexpr bool has_state() {
  constexpr bool save = TakesSave<const E, Lane..., StateWriter&>;
  constexpr bool load = TakesLoad<E, Lane..., StateReader&>;
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
  constexpr bool draw = TakesDraw<const E, Lane..., uint8_t*>;
  constexpr bool size = TakesFrameSize<const E, Lane...>;
  constexpr bool draws = draw || !HasDraw<E>::value;
  constexpr bool sizes = size || !NamesFrameSize<E>::value;
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
  constexpr bool set = TakesSetResetOptions<E, Lane..., const Options&>;
  constexpr bool sets = set || !NamesSetResetOptions<E>::value;
  constexpr bool together = set == NamesResetOptions<E>::value;
  static_assert(sets,
                "set_reset_options is `void set_reset_options(const pp::Options& options)`; in a "
                "batch kernel `void set_reset_options(uint32_t lane, const pp::Options& options)`");
  static_assert(!sets || together,
                "`static constexpr pp_option reset_options[]` and set_reset_options come together");
  constexpr bool arrays = TakesArrays<E, Lane..., ArrayList&> || !HasArrays<E>::value;
  static_assert(arrays,
                "arrays is `void arrays(pp::ArrayList& list)`; in a batch kernel `void "
                "arrays(uint32_t lane, pp::ArrayList& list)`");
  return sets && together && arrays;
}

}  // namespace pp::detail
#endif  // PARALLEL_POOL_SDK_CHECKS_DECLARATIONS_HPP_
