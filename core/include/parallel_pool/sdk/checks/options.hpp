// parallel_pool/sdk/checks/options.hpp: whether the options of an environment are declared as they
// can be read, and a sentence about what is wrong where they are not. declarations.hpp says how the
// checks work.
#ifndef PARALLEL_POOL_SDK_CHECKS_OPTIONS_HPP_
#define PARALLEL_POOL_SDK_CHECKS_OPTIONS_HPP_

#include <array>
#include <cstddef>
#include <limits>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "parallel_pool/sdk/layout.hpp"
#include "parallel_pool/sdk/members.hpp"
#include "parallel_pool/sdk/option_table.hpp"
#include "parallel_pool/sdk/state.hpp"

namespace pp::detail {

template <size_t N>
constexpr bool options_have_own_names(const std::array<pp_option, N>& options) {
  for (const pp_option& one : options) {
    for (const pp_option& other : options) {
      if (&other == &one) break;
      if (std::string_view(one.name) == other.name) return false;
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
constexpr bool options_take_their_defaults(const std::array<pp_option, N>& options) {
  for (const pp_option& option : options) {
    if (!takes_its_default(option)) return false;
  }
  return true;
}

template <class T>
struct IsOptionList : std::false_type {};
template <class... Declared>
struct IsOptionList<const OptionList<Declared...>> : std::true_type {};

template <class One, class Other>
constexpr bool same_member(const One& one, const Other& other) {
  if constexpr (std::is_same_v<decltype(one.member), decltype(other.member)>) {
    return one.member == other.member;
  } else {
    return false;
  }
}
// Each is its own member, and no other option's.
template <class... Declared>
constexpr bool have_own_members(const OptionList<Declared...>& list) {
  const auto count = [&list](const auto& one) {
    return std::apply(
        [&one](const auto&... other) { return (0 + ... + (same_member(one, other) ? 1 : 0)); },
        list.each);
  };
  return std::apply([&count](const auto&... one) { return (true && ... && (count(one) == 1)); },
                    list.each);
}

// True if every value that the host lets through fits into the member.
template <class Declared>
constexpr bool member_holds_range(const Declared& declared) {
  using Value = typename Declared::Type;
  if constexpr (std::is_integral_v<Value> && !std::is_same_v<Value, bool> &&
                !std::is_same_v<Value, int64_t>) {
    return (declared.told.flags & PP_OPTION_HAS_LOW) != 0u &&
           declared.told.low >= static_cast<double>(std::numeric_limits<Value>::min()) &&
           declared.told.high <= static_cast<double>(std::numeric_limits<Value>::max());
  }
  return true;
}
template <class... Declared>
constexpr bool members_hold_ranges(const OptionList<Declared...>& list) {
  return std::apply([](const auto&... one) { return (true && ... && member_holds_range(one)); },
                    list.each);
}

// The declarations of a set tell how many initializers it takes, if none is missing: one for each
// member of its own and one for each direct base.
template <class Base, class Set, class... Holder>
constexpr bool is_direct_base =
    !std::is_same_v<Base, Set> && std::is_base_of_v<Base, Set> &&
    !(false || ... ||
      (!std::is_same_v<Holder, Base> && !std::is_same_v<Holder, Set> &&
       std::is_base_of_v<Base, Holder> && std::is_base_of_v<Holder, Set>));
template <class T, class... Each>
constexpr size_t first_place_of() {
  const bool same[] = {std::is_same_v<T, Each>...};
  size_t place = 0;
  while (!same[place]) ++place;
  return place;
}
template <class Set, class... Declared>
constexpr size_t declared_initializers() {
  size_t count = (size_t{0} + ... + (std::is_same_v<typename Declared::Holder, Set> ? 1u : 0u));
  const std::array<size_t, sizeof...(Declared)> first_place = {
      {first_place_of<typename Declared::Holder, typename Declared::Holder...>()...}};
  const std::array<bool, sizeof...(Declared)> direct = {
      {is_direct_base<typename Declared::Holder, Set, typename Declared::Holder...>...}};
  for (size_t i = 0; i < sizeof...(Declared); ++i) {
    if (direct[i] && first_place[i] == i) ++count;
  }
  return count;
}
template <class Set, size_t... I>
constexpr bool takes_initializers(std::index_sequence<I...>) {
  return requires { Set{(static_cast<void>(I), AnyArgument{})...}; };
}

// True if `Set` has no member beyond those declared.
template <class Set, class... Declared>
constexpr bool is_declared_whole() {
  if constexpr (std::is_aggregate_v<Set>) {
    constexpr size_t one_more = declared_initializers<Set, Declared...>() + 1;
    return !takes_initializers<Set>(std::make_index_sequence<one_more>());
  }
  return true;
}
template <class Set, class... Declared>
constexpr bool are_declared_whole(const OptionList<Declared...>&) {
  return is_declared_whole<Set, Declared...>() &&
         (true && ... && is_declared_whole<typename Declared::Holder, Declared...>());
}

template <class Set>
constexpr bool set_agrees() {
  constexpr bool list = IsOptionList<decltype(Set::declared)>::value;
  static_assert(list,
                "`declared` is a list: `static constexpr auto declared = "
                "pp::options(pp::option(&Options::gravity, \"gravity\", 9.8, \"m/s^2\"));`");
  if constexpr (list) {
    constexpr bool own_members = have_own_members(Set::declared);
    constexpr bool ranges = members_hold_ranges(Set::declared);
    constexpr bool whole = are_declared_whole<Set>(Set::declared);
    constexpr bool found = Set::declared.defaults_found;
    static_assert(found, "with_default: none of these options is read into this member");
    static_assert(own_members, "two options are read into the same member");
    static_assert(ranges,
                  "an option whose member is a smaller integer than int64_t needs a "
                  "`pp::Range{low, high}` that fits into it");
    static_assert(!own_members || whole,
                  "a member of these options is not declared: `declared` names each of them, "
                  "those of a base too");
    constexpr bool names = options_have_own_names(OptionTable<Set>::option);
    constexpr bool defaults = options_take_their_defaults(OptionTable<Set>::option);
    static_assert(names, "two options have the same name");
    static_assert(defaults,
                  "the default of an option lies outside of its own range, `pp::Range{low, "
                  "high}`, or is none of its choices");
    return found && own_members && ranges && whole && names && defaults;
  }
  return false;
}

// A struct Options that the environment is built with, and that says nothing of what is in it.
template <class E>
constexpr bool takes_bare_options() {
  if constexpr (requires { typename E::Options; }) {
    using Set = typename E::Options;
    return !HasOptions<E>::value && !std::is_same_v<Set, E> &&  // an environment of that name
           (std::is_constructible_v<E, const Set&> ||
            std::is_constructible_v<E, const std::vector<Set>&>);
  }
  return false;
}

template <class E>
constexpr bool declares_options() {
  constexpr bool bare = takes_bare_options<E>();
  static_assert(!bare,
                "the struct Options does not say which options it holds: give it `static constexpr "
                "auto declared = pp::options(pp::option(&Options::gravity, \"gravity\", 9.8, "
                "\"m/s^2\"));`");
  if constexpr (bare) {
    return false;
  } else {
    bool good = set_agrees<OptionsOf<E>>();
    if constexpr (HasResetOptions<E>::value) {
      good = good && set_agrees<typename E::ResetOptions>();
    }
    constexpr bool describes = has_describe<E> || describes_alone<E> ||
                               !(takes_describe<E, Spec&> || takes_describe<E, Spec&, AnyArgument>);
    static_assert(describes || HasOptions<E>::value,
                  "describe is `static void describe(pp::Spec& spec, const pp::Options& options)`, "
                  "and public");
    static_assert(describes || !HasOptions<E>::value,
                  "describe is `static void describe(pp::Spec& spec, const Options& options)` with "
                  "the struct Options of this environment, and public");
    return good && describes;
  }
}

}  // namespace pp::detail
#endif  // PARALLEL_POOL_SDK_CHECKS_OPTIONS_HPP_
