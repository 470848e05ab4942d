// parallel_pool/host/plugin/env_ids.hpp: the environments that one call names.
#pragma once

#include <cstdint>
#include <string>

#include "parallel_pool/host/base/error.hpp"

namespace pp::host {

// Ids in the order of the call. The numbers are the caller's, and stay where they are meanwhile.
struct EnvIds {
  const uint32_t* ids;  // NULL: all of the pool, in order
  uint32_t n;

  bool all() const { return ids == nullptr; }
  uint32_t size() const { return n; }
  uint32_t operator[](uint32_t i) const { return ids == nullptr ? i : ids[i]; }
};

inline Error no_such_env(const std::string& env_id, uint32_t num_envs) {
  return Error(ErrorKind::index,
               "env_id " + env_id + " is not in 0 .. " + std::to_string(num_envs - 1));
}
inline Error occurs_twice(uint32_t env) {
  return Error(ErrorKind::value, "env_id " + std::to_string(env) + " occurs twice");
}

}  // namespace pp::host
