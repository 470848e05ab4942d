// parallel_pool/sdk/option_set.hpp: the options of an environment as a struct with a typed member
// for each, declared once and read once. A name that is not a member is an error of the compiler.
//
//   struct Lander {
//     struct Options {
//       double gravity;
//       uint32_t legs;
//       Terrain terrain;
//       static constexpr auto declared = pp::options(
//           pp::option(&Options::gravity, "gravity", 1.62, "m/s^2", pp::Range{0.1, 30}),
//           pp::option(&Options::legs, "legs", 3, "that it lands on", pp::Range{3, 8}),
//           pp::option(&Options::terrain, "terrain", Terrain::flat, "of the landing site",
//                      {{"flat", Terrain::flat}, {"hills", Terrain::hills}}));
//     };
//     explicit Lander(const Options& options) : gravity_(options.gravity) {}
//
// A member is one of these: bool; int64_t, or a smaller integer with a Range that it holds; double
// or float; std::string, of any text or with its choices behind the doc; an enum, with a text for
// each choice; std::vector<double> of any length; std::array<double, n> and pp::Range (two numbers,
// low and high) of exactly that many. The default is in the declaration, so members need none.
//
// .local() after a declaration: the option says where something is on this machine, and a restored
// state need not agree with it.
//
// Sets compose by inheritance. A set declares its base's options as its own, at any place, and may
// give them another default:
//
//   struct Glider : Lander::Options {
//     double wingspan;
//     static constexpr auto declared = pp::options(
//         Lander::Options::declared.with_default(&Glider::gravity, 9.8),
//         pp::option(&Glider::wingspan, "wingspan", 12.0, "in m"));
//   };
#ifndef PARALLEL_POOL_SDK_OPTION_SET_HPP_
#define PARALLEL_POOL_SDK_OPTION_SET_HPP_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "parallel_pool/sdk/declared_option.hpp"

namespace pp {

namespace detail {

template <class Set, class Value, class Parts>
constexpr auto declare_member(Value Set::* member, const pp_option& told, const Parts& parts) {
  static_assert(can_be_option<Value>,
                "the member of an option is a bool, an integer, a double, a std::string, an enum "
                "with its choices, a std::vector<double>, a std::array<double, n> or a pp::Range");
  if constexpr (can_be_option<Value>) {
    return DeclaredOption<Set, Value, Parts>{member, told, parts, false};
  } else {
    (void)member;
    return DeclaredOption<Set, bool, Parts>{nullptr, told, parts, false};
  }
}

constexpr pp_value numbers_value = {PP_OPTION_ARRAY, PP_FLOAT64, 0, 0, 0.0, nullptr, nullptr};

}  // namespace detail

// A number or a bool: the type of the member decides the kind.
template <class Set, class Value, class Default,
          class = std::enable_if_t<std::is_arithmetic_v<Default>>>
constexpr auto option(Value Set::* member, const char* name, Default value, const char* doc) {
  return detail::declare_member(
      member, detail::declare(name, doc, detail::number_default<Value>(value)), detail::NoParts{});
}
template <class Set, class Value, class Default>
constexpr auto option(Value Set::* member, const char* name, Default value, const char* doc,
                      Range range) {
  static_assert(!std::is_same_v<Value, bool>, "a bool option has no range");
  return detail::declare_member(
      member,
      detail::limit(detail::declare(name, doc, detail::number_default<Value>(value)), range),
      detail::NoParts{});
}
// A text; with choices, one of them.
template <class Set>
constexpr auto option(std::string Set::* member, const char* name, const char* value,
                      const char* doc) {
  return detail::declare_member(member, detail::declare(name, doc, detail::text_value(value)),
                                detail::NoParts{});
}
template <class Set, size_t N>
constexpr auto option(std::string Set::* member, const char* name, const char* value,
                      const char* doc, const char* const (&choices)[N]) {
  detail::Texts<N> parts{};
  for (size_t i = 0; i < N; ++i) parts.text[i] = choices[i];
  return detail::declare_member(member, detail::declare(name, doc, detail::text_value(value)),
                                parts);
}
// An enum, which users write as a text: {{"flat", Terrain::flat}, {"hills", Terrain::hills}}.
template <class Set, class Value, size_t N>
constexpr auto option(Value Set::* member, const char* name,
                      typename detail::Given<Value>::type value, const char* doc,
                      const detail::Choice<Value> (&choices)[N]) {
  static_assert(std::is_enum_v<Value>, "choices with values are for members that are enums");
  detail::Choices<Value, N> parts{};
  for (size_t i = 0; i < N; ++i) {
    parts.text[i] = choices[i].text;
    parts.value[i] = choices[i].value;
  }
  return detail::declare_member(
      member, detail::declare(name, doc, detail::choice_value(parts, value)), parts);
}
// Numbers: option(&Options::rewards, "rewards", {1, 0, 0}, "of goal, hole and ice").
template <class Set, class Value, size_t N>
constexpr auto option(Value Set::* member, const char* name, const double (&value)[N],
                      const char* doc) {
  return detail::declare_member(member, detail::declare(name, doc, detail::numbers_value),
                                detail::numbers<Value>(value));
}
// Numbers, of which there are none by default.
template <class Set>
constexpr auto option(std::vector<double> Set::* member, const char* name, const char* doc) {
  return detail::declare_member(member, detail::declare(name, doc, detail::numbers_value),
                                detail::NoParts{});
}

// The declarations of a set, in the order in which users see them.
template <class... Declared>
struct OptionList {
  static constexpr size_t size = sizeof...(Declared);
  std::tuple<Declared...> each;
  bool defaults_found = true;  // every with_default() named an option of the list

  // Returns the same options with another default for one of them, which is named by its member.
  template <class Set, class Value, class Default>
  constexpr OptionList with_default(Value Set::* member, const Default& value) const {
    OptionList copy = *this;
    bool found = false;
    std::apply([&](auto&... declared) { (set(declared, member, value, found), ...); }, copy.each);
    copy.defaults_found = defaults_found && found;
    return copy;
  }
  template <class Set, class Value, size_t N>
  constexpr OptionList with_default(Value Set::* member, const double (&value)[N]) const {
    return with_default(member, detail::numbers<Value>(value));
  }

 private:
  template <class Declaration, class Set, class Value, class Default>
  static constexpr void set(Declaration& declared, Value Set::* member, const Default& value,
                            bool& found) {
    if constexpr (std::is_same_v<decltype(declared.member), decltype(member)>) {
      if (declared.member != member) return;
      found = true;
      declared = declared.with_default(value);
    }
  }
};

namespace detail {
template <class Set, class Value, class Parts>
constexpr auto as_tuple(const DeclaredOption<Set, Value, Parts>& declared) {
  return std::tuple<DeclaredOption<Set, Value, Parts>>(declared);
}
template <class... Declared>
constexpr auto as_tuple(const OptionList<Declared...>& list) {
  return list.each;
}
template <class... Declared>
constexpr OptionList<Declared...> as_list(const std::tuple<Declared...>& each, bool found) {
  return {each, found};
}
template <class Set, class Value, class Parts>
constexpr bool defaults_found(const DeclaredOption<Set, Value, Parts>&) {
  return true;
}
template <class... Declared>
constexpr bool defaults_found(const OptionList<Declared...>& list) {
  return list.defaults_found;
}
}  // namespace detail

// Declares a set: what pp::option gives, and other sets' lists, in any order.
template <class... Part>
constexpr auto options(const Part&... parts) {
  return detail::as_list(std::tuple_cat(detail::as_tuple(parts)...),
                         (true && ... && detail::defaults_found(parts)));
}

// The options of an environment that has none.
struct Options {
  static constexpr auto declared = pp::options();
};

// A constructor that draws takes it behind the options: sdk/scalar.hpp.
struct Seed {
  uint64_t value;
};

}  // namespace pp
#endif  // PARALLEL_POOL_SDK_OPTION_SET_HPP_
