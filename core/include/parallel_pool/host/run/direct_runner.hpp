// parallel_pool/host/run/direct_runner.hpp: environments that are stepped by the pool's threads.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "parallel_pool/abi.h"
#include "parallel_pool/host/config/pool_config.hpp"
#include "parallel_pool/host/plugin/shards.hpp"
#include "parallel_pool/host/run/runner.hpp"
#include "parallel_pool/host/step/stepper.hpp"

namespace pp::host {

class DirectRunner : public Runner {
 public:
  explicit DirectRunner(const RunnerParts& parts)
      : DirectRunner(parts, capabilities_of(parts.tables.flags())) {}

  // Returns how many environments share a plugin object, and so are stepped by one thread at a
  // time.
  //
  // A shard's own work is as much as a kernel does in dozens of lanes: small pools
  // have a shard for every thread only if each gets half of the lanes that the kernel prefers. With
  // less in it, one thread would pay for many shards, and more than one for each other. A quarter
  // is enough where steps wait for another process: beside that a shard costs nothing.
  static uint32_t lanes_per_shard(const pp_env& env, const PoolConfig& config) {
    if (env.preferred_lanes <= 1) return 1;
    const uint32_t at_once = std::min(config.num_envs, config.batch_size);
    if ((env.flags & PP_ENV_LATE_ROWS) != 0u) {
      // Long steps, and some longer than others: only where each thread has many shards anyway.
      // Where rows come in the order of finishing, environments are stepped one by one.
      if (at_once < config.num_envs) return 1;
      return std::clamp(at_once / (8 * config.num_threads), 1u, env.preferred_lanes);
    }
    const bool waits = (env.flags & PP_ENV_STEPS_WAIT) != 0u;
    const uint32_t least = std::max(env.preferred_lanes / (waits ? 4 : 2), 1u);
    const uint32_t shards = std::max(divided(at_once, env.preferred_lanes),
                                     std::min(config.num_threads, at_once / least));
    if (shards > config.num_threads) return std::min(env.preferred_lanes, config.batch_size);
    // One for each thread: of about the same size, and of a kernel whole vectors, for the remainder
    // is stepped one by one.
    const uint32_t vector = env.preferred_lanes >= 32 ? 16 : 1;
    const uint32_t share = divided(divided(at_once, shards), vector) * vector;
    return std::min({share, env.preferred_lanes, config.batch_size});
  }

  void execute(const Run* runs, uint32_t count) final {
    for (uint32_t i = 0; i < count;) {
      // Rows of one batch are of use only together. Time and rows are told for all of them at once:
      // every thread writes there.
      const bool measures = parts_.estimate.due();
      std::chrono::steady_clock::time_point start;
      if (measures) start = std::chrono::steady_clock::now();
      uint32_t stepped = 0;
      Rows done;
      do {
        const Rows rows = step_run(runs[i]);
        done.batch = rows.batch;
        done.count += rows.count;
        stepped += runs[i++].count;
      } while (i < count && runs[i].batch != nullptr && runs[i].batch == done.batch);
      if (measures) parts_.estimate.measure(start, stepped);
      // Only now: a thread that waits for these rows may want the shard at once, and our CPU.
      parts_.completion.complete(done);
    }
  }

 protected:
  DirectRunner(const RunnerParts& parts, const Capabilities& capabilities)
      : Runner(parts, capabilities) {}

 private:
  // Rounded up.
  static uint32_t divided(uint32_t a, uint32_t b) { return a / b + (a % b == 0 ? 0 : 1); }

  // The rows that are left to be completed.
  Rows step_run(const Run& run) {
    Shard& shard = parts_.shards[run.shard];
    const ShardLock lock(shard, parts_.shards.exclusive());
    return run.batch != nullptr ? step({&shard, run.first, run.count, run.batch, run.row})
                                : step_and_claim(shard, run);
  }

  // Rows are claimed when they are needed.
  Rows step_and_claim(Shard& shard, const Run& run) {
    Rows last;
    if ((shard.env->flags & PP_ENV_LATE_ROWS) != 0u) {
      for (uint32_t i = 0; i < run.count; ++i) {
        parts_.completion.complete(last);
        last = step({&shard, run.first + i, 1, nullptr, 0});
      }
      return last;
    }
    for (Rows part{&shard, run.first, run.count, nullptr, 0}; part.count > 0;) {
      parts_.completion.complete(last);
      const uint32_t left = part.count;
      part.batch = parts_.batches.claim(&part.count, &part.row);
      last = step(part);
      part.first += part.count;
      part.count = left - part.count;
    }
    return last;
  }

  static Capabilities capabilities_of(uint32_t flags) {
    Capabilities capabilities;
    // Late rows: differently long, by their own declaration; past steps say nothing of the next.
    capabilities.at_once = (flags & PP_ENV_LATE_ROWS) == 0u;
    return capabilities;
  }

  Rows step(const Rows& rows) { return parts_.stepper.step(rows, Unwatched{}); }
};

}  // namespace pp::host
