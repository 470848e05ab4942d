// parallel_pool/sdk/option_table.hpp: the options of an environment as the ABI wants them, and
// their values as the environment wants them, whichever way they are declared: a struct
// (option_set.hpp) or an array of pp_option with values looked up by name (options.hpp).
#ifndef PARALLEL_POOL_SDK_OPTION_TABLE_HPP_
#define PARALLEL_POOL_SDK_OPTION_TABLE_HPP_

#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "parallel_pool/abi.h"
#include "parallel_pool/sdk/option_set.hpp"
#include "parallel_pool/sdk/options.hpp"

namespace pp {

namespace detail {

template <size_t... I>
constexpr std::array<const pp_option*, sizeof...(I)> pointers_to(const pp_option* first,
                                                                 std::index_sequence<I...>) {
  return {{first + I...}};
}
template <size_t... I>
constexpr std::array<pp_value, sizeof...(I)> defaults_of(const pp_option* first,
                                                         std::index_sequence<I...>) {
  return {{first[I].value...}};
}

// Of a type that declares a set. Declarations are static data, so the table may point into them.
template <class Set>
struct SetTable {
  static constexpr uint32_t size = static_cast<uint32_t>(decltype(Set::declared)::size);
  static constexpr std::array<pp_option, size> option = std::apply(
      [](const auto&... declared) { return std::array<pp_option, size>{{declared.option()...}}; },
      Set::declared.each);
  static constexpr auto array = pointers_to(option.data(), std::make_index_sequence<size>{});
  static constexpr const pp_option* const* pointers = array.data();
  static constexpr auto defaults = defaults_of(option.data(), std::make_index_sequence<size>{});

  static Set read(const pp_value* value) {
    Set set{};
    const auto checked = [](const pp_value& given, const auto& declared) -> const pp_value& {
      if (given.kind != declared.option().value.kind) {
        throw std::logic_error(std::string("option '") + declared.option().name +
                               "' is given as another kind than declared");
      }
      return given;
    };
    std::apply(
        [&](const auto&... declared) {
          ((set.*declared.member = declared.read(checked(*value++, declared))), ...);
        },
        Set::declared.each);
    return set;
  }
};

// Of an array; its values are looked up by name.
template <const auto& Declared>
struct ArrayTable {
  static constexpr uint32_t size = sizeof(Declared) / sizeof(pp_option);
  static constexpr auto array = pointers_to(Declared, std::make_index_sequence<size>{});
  static constexpr const pp_option* const* pointers = array.data();
  static constexpr auto defaults = defaults_of(Declared, std::make_index_sequence<size>{});

  static Options read(const pp_value* value) { return Options(pointers, size, value); }
};

struct NoTable {
  static constexpr uint32_t size = 0;
  static constexpr const pp_option* const* pointers = nullptr;

  static Options read(const pp_value* value) { return Options(nullptr, 0, value); }
};

// Which of them an environment has.
template <class E, class = void>
struct HasOptionSet : std::false_type {};
template <class E>
struct HasOptionSet<E, std::void_t<decltype(E::Options::declared)>> : std::true_type {};
template <class E, class = void>
struct HasOptionArray : std::false_type {};
template <class E>
struct HasOptionArray<E, std::void_t<decltype(E::options)>> : std::true_type {};

template <class E, class = void>
struct HasResetOptionSet : std::false_type {};
template <class E>
struct HasResetOptionSet<E, std::void_t<decltype(E::ResetOptions::declared)>> : std::true_type {};
template <class E, class = void>
struct HasResetOptionArray : std::false_type {};
template <class E>
struct HasResetOptionArray<E, std::void_t<decltype(E::reset_options)>> : std::true_type {};

template <class E>
constexpr auto option_table() {
  if constexpr (HasOptionSet<E>::value) {
    return SetTable<typename E::Options>{};
  } else if constexpr (HasOptionArray<E>::value) {
    return ArrayTable<E::options>{};
  } else {
    return NoTable{};
  }
}
template <class E>
constexpr auto reset_option_table() {
  if constexpr (HasResetOptionSet<E>::value) {
    return SetTable<typename E::ResetOptions>{};
  } else if constexpr (HasResetOptionArray<E>::value) {
    return ArrayTable<E::reset_options>{};
  } else {
    return NoTable{};
  }
}
template <class E>
using OptionTable = decltype(option_table<E>());
template <class E>
using ResetOptionTable = decltype(reset_option_table<E>());

// What the environment is handed.
template <class E, bool = HasOptionSet<E>::value>
struct OptionsOfType {
  using type = Options;
};
template <class E>
struct OptionsOfType<E, true> {
  using type = typename E::Options;
};
template <class E>
using OptionsOf = typename OptionsOfType<E>::type;
template <class E, bool = HasResetOptionSet<E>::value>
struct ResetOptionsOfType {
  using type = Options;
};
template <class E>
struct ResetOptionsOfType<E, true> {
  using type = typename E::ResetOptions;
};
template <class E>
using ResetOptionsOf = typename ResetOptionsOfType<E>::type;

}  // namespace detail

// A set of options with the defaults: what set_reset_options() of `Set` begins with, say.
template <class Set>
Set default_options() {
  return detail::SetTable<Set>::read(detail::SetTable<Set>::defaults.data());
}

}  // namespace pp
#endif  // PARALLEL_POOL_SDK_OPTION_TABLE_HPP_
