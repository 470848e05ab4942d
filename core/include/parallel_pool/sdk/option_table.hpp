// parallel_pool/sdk/option_table.hpp: the options of an environment as the ABI wants them, and
// their values as the environment wants them.
#ifndef PARALLEL_POOL_SDK_OPTION_TABLE_HPP_
#define PARALLEL_POOL_SDK_OPTION_TABLE_HPP_

#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>

#include "parallel_pool/abi.h"
#include "parallel_pool/sdk/option_set.hpp"

namespace pp {

namespace detail {

inline const pp_value& checked(const pp_value& given, const pp_option& declared) {
  if (given.kind != declared.value.kind) {
    throw std::logic_error(std::string("option '") + declared.name +
                           "' is given as another kind than declared");
  }
  return given;
}

// Declarations are static data, so the table may point into them.
template <class Set>
struct OptionTable {
  static constexpr uint32_t size = static_cast<uint32_t>(decltype(Set::declared)::size);
  static constexpr std::array<pp_option, size> option = std::apply(
      [](const auto&... declared) { return std::array<pp_option, size>{{declared.option()...}}; },
      Set::declared.each);
  static constexpr auto array = std::apply(
      [](const auto&... each) { return std::array<const pp_option*, size>{{&each...}}; }, option);
  static constexpr auto defaults = std::apply(
      [](const auto&... each) { return std::array<pp_value, size>{{each.value...}}; }, option);

  static Set read(const pp_value* value) {
    Set set{};
    std::apply([&](const auto&... declared) { read_into(set, value, declared...); },
               Set::declared.each);
    return set;
  }

 private:
  template <class... Declared>
  [[gnu::cold]] static void read_into([[maybe_unused]] Set& set,
                                      [[maybe_unused]] const pp_value* value,
                                      const Declared&... declared) {
    ((set.*declared.member = declared.read(checked(*value++, declared.told))), ...);
  }
};

template <class E>
struct HasOptions : std::false_type {
  using Set = Options;
};
template <class E>
  requires requires { E::Options::declared; }
struct HasOptions<E> : std::true_type {
  using Set = typename E::Options;
};
template <class E>
using OptionsOf = typename HasOptions<E>::Set;

template <class E>
struct HasResetOptions : std::false_type {
  using Set = Options;
};
template <class E>
  requires requires { E::ResetOptions::declared; }
struct HasResetOptions<E> : std::true_type {
  using Set = typename E::ResetOptions;
};
template <class E>
using ResetOptionsOf = typename HasResetOptions<E>::Set;

template <class E>
OptionsOf<E> read_options(const pp_value* value) {
  return OptionTable<OptionsOf<E>>::read(value);
}

}  // namespace detail

// A set of options with the defaults: what set_reset_options() of `Set` begins with, say.
template <class Set>
Set default_options() {
  return detail::OptionTable<Set>::read(detail::OptionTable<Set>::defaults.data());
}

}  // namespace pp
#endif  // PARALLEL_POOL_SDK_OPTION_TABLE_HPP_
