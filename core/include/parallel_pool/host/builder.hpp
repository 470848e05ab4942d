// parallel_pool/host/builder.hpp: cutting a pool into shards, and building their environments.
#ifndef PARALLEL_POOL_HOST_BUILDER_HPP_
#define PARALLEL_POOL_HOST_BUILDER_HPP_

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "parallel_pool/abi.h"
#include "parallel_pool/host/options.hpp"
#include "parallel_pool/host/pool_config.hpp"
#include "parallel_pool/host/shard.hpp"
#include "parallel_pool/host/thread_pool.hpp"

namespace pp::host {

// How many environments share a plugin object, and so are stepped by one thread at a time.
inline uint32_t lanes_per_shard(const pp_env& env, const PoolConfig& config) {
  if (config.backend != nullptr) return config.backend->lanes_per_shard();
  // The watchdog names, and gives up, one environment; the others of its shard would be lost too.
  if (config.step_timeout > 0.0 || env.preferred_lanes <= 1) return 1;
  // Small pools of cheap environments still want every thread to have a shard. Not so small a one
  // that what is done once for each shard is most of it: kernels step dozens of lanes in that time.
  // And whole vectors, for the remainder is stepped one by one.
  const uint32_t at_once = std::min(config.num_envs, config.batch_size);
  const uint32_t share = (at_once + config.num_threads - 1) / config.num_threads;
  const uint32_t least = env.preferred_lanes < 64 ? 16 : 64;
  const uint32_t lanes = std::min(env.preferred_lanes, std::max((share + 15) / 16 * 16, least));
  return std::min(lanes, config.batch_size);
}

// Shards without their environments.
inline std::vector<Shard> cut_into_shards(const pp_env& env, uint32_t num_envs, uint32_t lanes,
                                          size_t num_fields) {
  std::vector<Shard> shards((num_envs + lanes - 1) / lanes);
  for (uint32_t s = 0; s < shards.size(); ++s) {
    Shard& shard = shards[s];
    shard.env = &env;
    shard.base = s * lanes;
    shard.count = std::min(lanes, num_envs - shard.base);
    shard.step_mask.resize(shard.count);
    shard.reset_mask.resize(shard.count);
    shard.seed_mask.resize(shard.count);
    shard.seed.resize(shard.count);
    shard.fields.resize(num_fields);
  }
  return shards;
}

// Building is often the heaviest thing an environment ever does (ROMs, models): every thread that
// it is attached to helps, a shard at a time.
class Builder final : public WorkSource {
 public:
  // `options`: one per environment, or one for all. `exclusive`: held while one is built, or NULL.
  // All outlive it.
  Builder(const pp_env& env, std::vector<Shard>& shards, Backend* backend, std::mutex* exclusive,
          const std::vector<const OptionValues*>& options)
      : env_(env), shards_(shards), backend_(backend), exclusive_(exclusive), options_(options) {}

  bool work() override {
    const uint32_t s = next_.fetch_add(1);
    if (s >= shards_.size()) return false;
    if (!failed_.load()) build(s);
    done_.fetch_add(1);
    return true;
  }
  bool done() const { return done_.load() == shards_.size(); }
  // Of the first environment that failed; empty if none did. Once it is done.
  const std::string& error() const { return error_; }

 private:
  void build(uint32_t number) {
    Shard& shard = shards_[number];
    std::vector<const pp_value*> values(shard.count);
    for (uint32_t i = 0; i < shard.count; ++i) {
      values[i] = (options_.size() == 1 ? options_[0] : options_[shard.base + i])->data();
    }
    const pp_shard description{sizeof(pp_shard), shard.count, values.data()};
    const ErrorSink sink;
    const MaybeLock lock(exclusive_);
    shard.self = backend_ != nullptr ? backend_->create(number, shard.base, description)
                                     : env_.create(&host_table(), &description);
    if (shard.self != nullptr) return;
    if (!failed_.exchange(true)) {
      error_ = std::string(env_.id) + " could not be built (environment " +
               std::to_string(shard.base) + "): " + sink.text();
    }
  }

  const pp_env& env_;
  std::vector<Shard>& shards_;
  Backend* backend_;
  std::mutex* exclusive_;
  const std::vector<const OptionValues*>& options_;
  std::atomic<uint32_t> next_{0};
  std::atomic<uint32_t> done_{0};
  std::atomic<bool> failed_{false};
  std::string error_;
};

}  // namespace pp::host
#endif  // PARALLEL_POOL_HOST_BUILDER_HPP_
