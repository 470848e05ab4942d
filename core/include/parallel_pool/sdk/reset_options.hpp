// parallel_pool/sdk/reset_options.hpp: arguments of one reset, the plugin's side.
//
//   static constexpr pp_option reset_options[] = {
//       pp::option("low", -0.05, "lower bound of the first state"), ...};
//   void set_reset_options(const pp::Options& options) { low_ = options.real("low"); }
//   static void check_reset_options(const pp::Options& options);   // optional; throws
//
// With the first two members an environment offers the extension "pp.reset_options/1" (a batch
// kernel's set_reset_options takes the lane first). set_reset_options() is called before a reset
// that has options, and again after it with the defaults, so whoever just keeps what it is given is
// right. An environment starts out with the defaults: it sets them itself.
#ifndef PARALLEL_POOL_SDK_RESET_OPTIONS_HPP_
#define PARALLEL_POOL_SDK_RESET_OPTIONS_HPP_

#include <array>
#include <type_traits>
#include <utility>

#include "parallel_pool/ext/reset_options.h"
#include "parallel_pool/sdk/layout.hpp"

namespace pp::detail {

template <class E, class = void>
struct HasResetOptions : std::false_type {};
template <class E>
struct HasResetOptions<E, std::void_t<decltype(E::reset_options)>> : std::true_type {};

template <class E, class = void>
struct HasResetCheck : std::false_type {};
template <class E>
struct HasResetCheck<E,
                     std::void_t<decltype(E::check_reset_options(std::declval<const Options&>()))>>
    : std::true_type {};

// The extension of a shard class with `set_reset_options(lane, options)` and `host()`.
template <class E, class Shard>
struct ResetOptionsExtension {
  static constexpr uint32_t n = sizeof(E::reset_options) / sizeof(pp_option);
  template <size_t... I>
  static constexpr std::array<const pp_option*, n> point(std::index_sequence<I...>) {
    return {&E::reset_options[I]...};
  }
  template <size_t... I>
  static constexpr std::array<pp_value, n> defaults_of(std::index_sequence<I...>) {
    return {E::reset_options[I].value...};
  }
  static constexpr std::array<const pp_option*, n> pointers = point(std::make_index_sequence<n>{});
  static constexpr std::array<pp_value, n> defaults = defaults_of(std::make_index_sequence<n>{});

  static int32_t check(const pp_host* host, const pp_value* value) noexcept {
    (void)host;
    (void)value;
    if constexpr (HasResetCheck<E>::value) {
      try {
        E::check_reset_options(Options(pointers.data(), n, value));
      } catch (...) {
        report(host, PP_ALL_LANES);
        return 1;
      }
    }
    return 0;
  }
  static int32_t set(void* self, uint32_t lane, const pp_value* value) noexcept {
    auto& shard = *static_cast<Shard*>(self);
    try {
      shard.set_reset_options(
          lane, Options(pointers.data(), n, value == nullptr ? defaults.data() : value));
      return 0;
    } catch (...) {
      report(shard.host(), lane);
      return 1;
    }
  }

  static constexpr pp_reset_options value = {sizeof(pp_reset_options), n, pointers.data(), &check,
                                             &set};
};

}  // namespace pp::detail
#endif  // PARALLEL_POOL_SDK_RESET_OPTIONS_HPP_
