// parallel_pool/sdk/reset_options.hpp: arguments of one reset, the plugin's side.
//
//   struct ResetOptions {  // as Options: sdk/option_set.hpp
//     double low;
//     static constexpr auto declared = pp::options(
//         pp::option(&ResetOptions::low, "low", -0.05, "lower bound of the first state"));
//   };
//   void set_reset_options(const ResetOptions& options) { low_ = options.low; }
//   static void check_reset_options(const ResetOptions& options);   // optional; throws
//
// With the first two members an environment offers the extension "pp.reset_options/1" (a batch
// kernel's set_reset_options takes the lane first). set_reset_options() is called before a reset
// that has options, and again after it with the defaults, so an environment that just keeps what it
// is given is right. An environment starts out with the defaults: it sets them itself, with
// pp::default_options<ResetOptions>() say.
#ifndef PARALLEL_POOL_SDK_RESET_OPTIONS_HPP_
#define PARALLEL_POOL_SDK_RESET_OPTIONS_HPP_

#include "parallel_pool/ext/reset_options.h"
#include "parallel_pool/sdk/layout.hpp"

namespace pp::detail {

// The extension of a shard class with `set_reset_options(lane, options)` and `host()`.
template <class E, class Shard>
struct ResetOptionsExtension {
  using Table = OptionTable<ResetOptionsOf<E>>;

  static int32_t check(const pp_host* host, const pp_value* value) noexcept {
    return guarded(host, PP_ALL_LANES, 1, [&] {
      if constexpr (requires { E::check_reset_options(Table::read(value)); }) {
        E::check_reset_options(Table::read(value));
      }
      return 0;
    });
  }
  static int32_t set(void* self, uint32_t lane, const pp_value* value) noexcept {
    auto& shard = *static_cast<Shard*>(self);
    return guarded(shard.host(), lane, 1, [&] {
      shard.set_reset_options(lane, Table::read(value == nullptr ? Table::defaults.data() : value));
      return 0;
    });
  }

  static constexpr pp_reset_options value = {sizeof(pp_reset_options), Table::size,
                                             Table::array.data(), &check, &set};
};

}  // namespace pp::detail
#endif  // PARALLEL_POOL_SDK_RESET_OPTIONS_HPP_
