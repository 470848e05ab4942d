// parallel_pool/env.hpp: the SDK for authors of environments. C++20, header-only; compiled into the
// plugin and never shared, so nothing of it is ABI. docs/writing-a-plugin.md shows the whole way.
#ifndef PARALLEL_POOL_ENV_HPP_
#define PARALLEL_POOL_ENV_HPP_

#include "parallel_pool/abi.h"
#include "parallel_pool/rng.hpp"
#include "parallel_pool/sdk/batch.hpp"
#include "parallel_pool/sdk/checks/plugin.hpp"
#include "parallel_pool/sdk/players.hpp"
#include "parallel_pool/sdk/scalar.hpp"

#ifndef PP_PLUGIN_VERSION
#define PP_PLUGIN_VERSION "0.0.0" /* parallel_pool_add_plugin() passes the project's version */
#endif

// PP_PLUGIN("lander", pp::scalar<Lander>(), pp::batch<Feather, 64>()): once per library, at
// namespace scope. The first argument is the family; the id of each environment begins with it.
#define PP_PLUGIN(family, ...)                                                                  \
  static_assert(pp::detail::are_environments(__VA_ARGS__),                                      \
                "PP_PLUGIN takes the family and then environments, one or more: "               \
                "PP_PLUGIN(\"lander\", pp::scalar<Lander>(), pp::batch<Feather, 64>());");      \
  static constexpr auto pp_plugin_envs = pp::detail::listed(__VA_ARGS__);                       \
  static_assert(                                                                                \
      pp::detail::families_agree(family, pp_plugin_envs.each),                                  \
      "each id begins with the plugin's family, the first argument of PP_PLUGIN, and a slash"); \
  static_assert(pp::detail::ids_differ(pp_plugin_envs.each),                                    \
                "two environments of this plugin have the same id");                            \
  extern "C" PP_EXPORT const pp_plugin parallel_pool_plugin = {                                 \
      PP_ABI_MAGIC,      PP_ABI_MAJOR,      PP_ABI_MINOR,         PP_ABI_MIN_HOST,    family,   \
      PP_PLUGIN_VERSION, sizeof(pp_plugin), pp_plugin_envs.count, pp_plugin_envs.each}

#endif  // PARALLEL_POOL_ENV_HPP_
