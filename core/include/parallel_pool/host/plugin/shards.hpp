// parallel_pool/host/plugin/shards.hpp: the environments of a pool, cut into plugin objects.
//
// A shard has neighbours that have one table. A thread that enters a shard holds its lock, and the
// library's where that has global state (ShardLock with exclusive()).
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "parallel_pool/abi.h"
#include "parallel_pool/host/plugin/env_ids.hpp"
#include "parallel_pool/host/plugin/env_tables.hpp"
#include "parallel_pool/host/plugin/library.hpp"
#include "parallel_pool/host/plugin/shard.hpp"

namespace pp::host {

class Shards {
 public:
  // Makes shards without environments. `library` outlives it. lanes_of(table): the most lanes of
  // one with this table. `rewards`: how many numbers a row's reward is; a step finds room for them
  // here, because it has no caller to tell that there is no memory.
  template <class LanesOf>
  Shards(Library& library, const EnvTables& tables, uint32_t num_envs, LanesOf&& lanes_of,
         size_t num_fields, size_t rewards)
      : exclusive_((tables.flags() & PP_ENV_EXCLUSIVE) == 0u ? nullptr : &library.exclusive()),
        shard_of_(numbers(tables, num_envs, lanes_of)),
        shards_(shard_of_.back() + 1) {
    for (uint32_t env = 0; env < num_envs; ++env) {
      Shard& shard = of(env);
      if (shard.count++ > 0) continue;
      shard.env = &tables[env];
      shard.base = env;
    }
    for (Shard& shard : shards_) {
      shard.step_mask.resize(shard.count);
      shard.reset_mask.resize(shard.count);
      shard.seed_mask.resize(shard.count);
      shard.seed.resize(shard.count);
      shard.fields.resize(num_fields);
      shard.reward.reserve(shard.count * rewards);
      if (rewards > 0) shard.player_flags.reserve(2 * size_t{shard.count});
    }
  }

  uint32_t size() const { return static_cast<uint32_t>(shards_.size()); }
  Shard& operator[](uint32_t number) { return shards_[number]; }
  uint32_t number_of(uint32_t env) const { return shard_of_[env]; }
  Shard& of(uint32_t env) { return shards_[shard_of_[env]]; }
  // True if a thread may be in a shard on behalf of another environment than a caller's.
  bool shared() const { return exclusive_ != nullptr || shards_.size() < shard_of_.size(); }
  // Returns the mutex of a library in which one environment at a time may work, or NULL.
  std::mutex* exclusive() const { return exclusive_; }

  // Calls part(i, shard, first, count) for stretches of `envs`, together all of them: environment i
  // of them is lane `first` of the shard, and count - 1 neighbours follow in both.
  template <class Part>
  void cut(const EnvIds& envs, Part&& part) const {
    if (envs.all()) {
      for (uint32_t s = 0; s < shards_.size(); ++s) part(shards_[s].base, s, 0, shards_[s].count);
      return;
    }
    const uint32_t* ids = envs.ids;
    for (uint32_t i = 0; i < envs.n;) {
      const uint32_t s = shard_of_[ids[i]];
      const Shard& shard = shards_[s];
      uint32_t count = 1;
      while (i + count < envs.n && ids[i + count] == ids[i] + count &&
             ids[i] + count < shard.base + shard.count) {
        ++count;
      }
      part(i, s, ids[i] - shard.base, count);
      i += count;
    }
  }

  // Destroys the environments of shards for which keep(shard) is false. No thread is inside those;
  // another pool of an exclusive library may be at work.
  template <class Keep>
  void destroy(Keep&& keep) {
    for (Shard& shard : shards_) {
      if (keep(shard)) continue;
      const auto lock = lock_if(exclusive_);
      if (shard.self != nullptr) shard.env->destroy(shard.self);
      shard.self = nullptr;
    }
  }

 private:
  // The number of each environment's shard.
  template <class LanesOf>
  static std::vector<uint32_t> numbers(const EnvTables& tables, uint32_t num_envs,
                                       LanesOf& lanes_of) {
    std::vector<uint32_t> shard_of(num_envs);
    uint32_t number = 0;
    uint32_t first = 0;
    for (uint32_t env = 1; env < num_envs; ++env) {
      const bool same = &tables[env] == &tables[first];
      if (!same || env - first == lanes_of(tables[first])) {
        first = env;
        ++number;
      }
      shard_of[env] = number;
    }
    return shard_of;
  }

  std::mutex* exclusive_;
  const std::vector<uint32_t> shard_of_;
  std::vector<Shard> shards_;
};

}  // namespace pp::host
