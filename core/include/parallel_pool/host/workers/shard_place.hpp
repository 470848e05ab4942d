// parallel_pool/host/workers/shard_place.hpp: what a shard in a worker knows of its pool and of its
// place in the worker.
#pragma once

#include <cstdint>

#include "parallel_pool/ext/reset_options.h"
#include "parallel_pool/host/plugin/spec.hpp"
#include "parallel_pool/host/workers/info_store.hpp"
#include "parallel_pool/host/workers/mailbox.hpp"
#include "parallel_pool/host/workers/worker.hpp"
#include "parallel_pool/host/workers/worker_config.hpp"

namespace pp::host::workers {

// Data that the shards of one pool have in common.
struct WorkerContext {
  const WorkerConfig* config;
  InfoStore* infos;
  const EnvSpec* spec;      // the result of isolated_spec()
  uint32_t n_worker_field;  // the first of them are the worker's, the others the host's
  uint32_t truncated_field;
  uint32_t crashed_field;
  int discount_field;                               // -1: none
  const pp_reset_options* reset_options = nullptr;  // NULL: they take none
  uint32_t num_envs;
  uint32_t chunk;  // PoolConfig::action_chunk
};

// The number and the environments by which the worker knows a shard.
struct ShardPlace {
  uint32_t number;
  uint32_t env0;
  uint32_t count;

  // Names some of its lanes in the next call.
  void address(Worker& worker, uint32_t first, uint32_t n) const {
    Call& call = worker.box.call();
    call.shard = number;
    call.env0 = env0;
    call.first = first;
    call.count = n;
    call.offset = 0;
  }
};

}  // namespace pp::host::workers
