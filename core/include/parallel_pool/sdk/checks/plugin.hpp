// parallel_pool/sdk/checks/plugin.hpp: whether the environments of a plugin go together. Used by
// PP_PLUGIN, so that the compiler names the author's line.
#ifndef PARALLEL_POOL_SDK_CHECKS_PLUGIN_HPP_
#define PARALLEL_POOL_SDK_CHECKS_PLUGIN_HPP_

#include <cstddef>
#include <string_view>

#include "parallel_pool/abi.h"
#include "parallel_pool/sdk/checks/declarations.hpp"

namespace pp::detail {

// An environment that was refused is NULL here: its sentence has been said.
template <size_t N>
constexpr bool families_agree(std::string_view family, const pp_env* const (&envs)[N]) {
  for (const pp_env* env : envs) {
    if (env != nullptr && family_of(env->id) != family) return false;
  }
  return true;
}

template <size_t N>
constexpr bool ids_differ(const pp_env* const (&envs)[N]) {
  for (size_t i = 0; i < N; ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (envs[i] == nullptr || envs[j] == nullptr) continue;
      if (std::string_view(envs[i]->id) == std::string_view(envs[j]->id)) return false;
    }
  }
  return true;
}

}  // namespace pp::detail
#endif  // PARALLEL_POOL_SDK_CHECKS_PLUGIN_HPP_
