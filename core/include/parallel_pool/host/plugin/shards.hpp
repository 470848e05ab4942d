// parallel_pool/host/plugin/shards.hpp: the environments of a pool, cut into plugin objects.
//
// Environment e is lane e % lanes() of shard e / lanes(). A thread that enters a shard holds its
// lock, and the library's where that has global state (ShardLock with exclusive()).
#ifndef PARALLEL_POOL_HOST_PLUGIN_SHARDS_HPP_
#define PARALLEL_POOL_HOST_PLUGIN_SHARDS_HPP_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "parallel_pool/abi.h"
#include "parallel_pool/host/plugin/env_ids.hpp"
#include "parallel_pool/host/plugin/library.hpp"
#include "parallel_pool/host/plugin/shard.hpp"

namespace pp::host {

class Shards {
 public:
  // Without their environments. `library` and `env` outlive it. `rewards`: how many numbers a row's
  // reward is; a step finds room for them here, because it has no caller to tell that there is no
  // memory.
  Shards(Library& library, const pp_env& env, uint32_t num_envs, uint32_t lanes, size_t num_fields,
         size_t rewards)
      : exclusive_((env.flags & PP_ENV_EXCLUSIVE) == 0u ? nullptr : &library.exclusive()),
        lanes_(lanes),
        shards_((num_envs + lanes - 1) / lanes) {
    for (uint32_t s = 0; s < shards_.size(); ++s) {
      Shard& shard = shards_[s];
      shard.env = &env;
      shard.base = s * lanes;
      shard.count = std::min(lanes, num_envs - shard.base);
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
  uint32_t lanes() const { return lanes_; }
  Shard& operator[](uint32_t number) { return shards_[number]; }
  uint32_t number_of(uint32_t env) const { return env / lanes_; }
  Shard& of(uint32_t env) { return shards_[env / lanes_]; }
  // Of a library where one environment at a time may work; else NULL.
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
      const uint32_t s = ids[i] / lanes_;
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
      const MaybeLock lock(exclusive_);
      if (shard.self != nullptr) shard.env->destroy(shard.self);
      shard.self = nullptr;
    }
  }

 private:
  std::mutex* exclusive_;
  const uint32_t lanes_;
  std::vector<Shard> shards_;
};

}  // namespace pp::host
#endif  // PARALLEL_POOL_HOST_PLUGIN_SHARDS_HPP_
