// parallel_pool/host/run/inspector.hpp: looking into environments that are held.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "parallel_pool/host/base/error.hpp"
#include "parallel_pool/host/plugin/env_ids.hpp"
#include "parallel_pool/host/plugin/error_sink.hpp"
#include "parallel_pool/host/plugin/shards.hpp"
#include "parallel_pool/host/run/runner.hpp"
#include "parallel_pool/host/state/env_table.hpp"
#include "parallel_pool/host/threads/side_by_side.hpp"

namespace pp::host {

class Inspector {
 public:
  // All outlive it.
  Inspector(const EnvTable& envs, Shards& shards, const Runner& runner)
      : envs_(envs), shards_(shards), runner_(runner) {}

  // Calls work(self, lane) for one environment while no other thread is in its shard. Throws `verb`
  // as what could not be done, if the environment was never reset (unless `even_before_reset`) or
  // has failed, and if `work` gives anything but 0.
  template <class Work>
  void look_into(uint32_t env, const char* verb, Work&& work, bool even_before_reset) {
    if (!even_before_reset || envs_.failed[env] != 0) envs_.expect_begun(env, verb);
    Shard& shard = shards_.of(env);
    const ErrorSink sink;
    const AttentiveShardLock lock(shard, shards_.exclusive());
    if (work(shard.self, env - shard.base) == 0) return;
    throw Error(ErrorKind::access, "environment " + std::to_string(env) + " could not be " + verb +
                                       ": " + sink.text());
  }

  // Calls work(i, self, lane) for all of them; those in different workers at the same time.
  template <class Work>
  void look_into_all(const EnvIds& envs, const char* verb, Work&& work, bool even_before_reset) {
    std::vector<std::vector<uint32_t>> parts(runner_.builders());
    for (uint32_t i = 0; i < envs.size(); ++i) {
      parts[runner_.builder_of(shards_.number_of(envs[i]))].push_back(i);
    }
    const auto idle = [](const std::vector<uint32_t>& part) { return part.empty(); };
    parts.erase(std::remove_if(parts.begin(), parts.end(), idle), parts.end());
    side_by_side(static_cast<uint32_t>(parts.size()), [&](uint32_t number) {
      for (const uint32_t i : parts[number]) {
        const auto one = [&](void* self, uint32_t lane) { return work(i, self, lane); };
        look_into(envs[i], verb, one, even_before_reset);
      }
    });
  }

 private:
  const EnvTable& envs_;
  Shards& shards_;
  const Runner& runner_;
};

}  // namespace pp::host
