// parallel_pool/sdk/checks/plugin.hpp: whether the environments of a plugin go together. Used by
// PP_PLUGIN, so that the compiler names the author's line.
#ifndef PARALLEL_POOL_SDK_CHECKS_PLUGIN_HPP_
#define PARALLEL_POOL_SDK_CHECKS_PLUGIN_HPP_

#include <cstddef>
#include <string_view>
#include <type_traits>

#include "parallel_pool/abi.h"
#include "parallel_pool/sdk/checks/declarations.hpp"

namespace pp::detail {

// Stands for an environment that was refused: its sentence has been said. Not NULL, because whether
// an address is NULL is no constant to a compiler that looks for undefined behaviour.
inline constexpr pp_env refused_env = {
    sizeof(pp_env), 0u,      0u,      0u,      "",      "",      nullptr,
    nullptr,        nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
};
constexpr bool is_refused(const pp_env* env) {
  return env->id[0] == '\0';
}

template <class... Env>
constexpr bool are_environments(const Env&...) {
  return sizeof...(Env) > 0 && (std::is_same_v<Env, const pp_env*> && ...);
}

template <uint32_t N>
struct EnvList {
  const pp_env* each[N];
  static constexpr uint32_t count = N;
};
template <class... Env>
constexpr auto listed(const Env&... envs) {
  if constexpr (sizeof...(Env) > 0 && (std::is_same_v<Env, const pp_env*> && ...)) {
    return EnvList<sizeof...(Env)>{{envs...}};
  } else {
    return EnvList<1>{{&refused_env}};
  }
}

template <size_t N>
constexpr bool families_agree(std::string_view family, const pp_env* const (&envs)[N]) {
  for (const pp_env* env : envs) {
    if (!is_refused(env) && family_of(env->id) != family) return false;
  }
  return true;
}

template <size_t N>
constexpr bool ids_differ(const pp_env* const (&envs)[N]) {
  for (size_t i = 0; i < N; ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (is_refused(envs[i]) || is_refused(envs[j])) continue;
      if (std::string_view(envs[i]->id) == std::string_view(envs[j]->id)) return false;
    }
  }
  return true;
}

}  // namespace pp::detail
#endif  // PARALLEL_POOL_SDK_CHECKS_PLUGIN_HPP_
