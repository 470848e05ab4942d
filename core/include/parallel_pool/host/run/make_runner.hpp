// parallel_pool/host/run/make_runner.hpp: which way of running a pool has. Decided here and nowhere
// else.
#pragma once

#include <cstdint>
#include <memory>

#include "parallel_pool/abi.h"
#include "parallel_pool/host/config/pool_config.hpp"
#include "parallel_pool/host/run/backend.hpp"
#include "parallel_pool/host/run/direct_runner.hpp"
#include "parallel_pool/host/run/runner.hpp"
#include "parallel_pool/host/run/watched_runner.hpp"

namespace pp::host {

// Returns how many environments a shard has at most. `backend`: where environments live, or NULL:
// here.
inline uint32_t lanes_per_shard(const pp_env& env, const PoolConfig& config,
                                const Backend* backend) {
  if (backend != nullptr) return backend->lanes_per_shard();
  return config.step_timeout > 0.0 ? 1 : DirectRunner::lanes_per_shard(env, config);
}

// `source`: the pool's work. Workers watch over their own steps.
inline std::unique_ptr<Runner> make_runner(const RunnerParts& parts, const EnvTable& envs,
                                           WorkSource& source, Backend* backend) {
  if (backend != nullptr) return backend->make_runner(parts, envs);
  if (parts.config.step_timeout > 0.0) return std::make_unique<WatchedRunner>(parts, source);
  return std::make_unique<DirectRunner>(parts);
}

}  // namespace pp::host
