// parallel_pool/host/plugin/env_ids.hpp: the environments that one call names.
#ifndef PARALLEL_POOL_HOST_PLUGIN_ENV_IDS_HPP_
#define PARALLEL_POOL_HOST_PLUGIN_ENV_IDS_HPP_

#include <cstdint>

namespace pp::host {

// In the order of the call. The numbers are the caller's, and stay where they are while it lasts.
struct EnvIds {
  const uint32_t* ids;  // NULL: all of the pool, in order
  uint32_t n;

  bool all() const { return ids == nullptr; }
  uint32_t size() const { return n; }
  uint32_t operator[](uint32_t i) const { return ids == nullptr ? i : ids[i]; }
};

}  // namespace pp::host
#endif  // PARALLEL_POOL_HOST_PLUGIN_ENV_IDS_HPP_
