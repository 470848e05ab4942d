// parallel_pool/host/state/episode_seeds.hpp: the seeds of all episodes of a pool, from a list.
//
// The seed of the k-th episode of an environment follows from the pool's seeds, the environment
// and k alone: not from threads, from what ends first, or from how it is reset.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "parallel_pool/host/config/pool_config.hpp"
#include "parallel_pool/host/state/env_table.hpp"
#include "parallel_pool/host/threads/spin_lock.hpp"

namespace pp::host {

class EpisodeSeeds {
 public:
  // `seeds`: of the pool, one per environment. Gives each environment of `envs` its first.
  EpisodeSeeds(const EpisodeSeedsConfig& config, const std::vector<std::optional<uint64_t>>& seeds,
               EnvTable& envs)
      : config_(config) {
    for (uint32_t env = 0; env < envs.size(); ++env) {
      key_.push_back(mixed(seeds[env].value_or(0) + golden * (config.first_env + env + 1)));
      give_next(envs, env);
    }
  }

  // An episode begins with the seed that is waiting: which one is next?
  void begin(EnvTable& envs, uint32_t env) const {
    envs.episode_seed[env] = envs.seed[env];
    if ((envs.seed_pending[env] & EnvTable::listed) != 0) ++envs.episode[env];
    give_next(envs, env);
  }
  void give_next(EnvTable& envs, uint32_t env) const {
    envs.set_next_seed(env, at(env, envs.episode[env]));
    envs.seed_pending[env] |= EnvTable::listed;
  }

  // Sets how often each seed is chosen beside the others, from the next choice on; not for turns.
  // There are as many weights as seeds, none is negative, and not all are 0. Any thread calls it.
  void set_weights(const std::vector<double>& weights) {
    auto sums = std::make_shared<std::vector<double>>();
    double sum = 0;
    const double largest = *std::max_element(weights.begin(), weights.end());
    for (const double weight : weights) sums->push_back(sum += weight / largest);
    for (double& each : *sums) each /= sum;
    const std::lock_guard<SpinLock> lock(lock_);
    sums_ = std::move(sums);
  }

 private:
  static constexpr uint64_t golden = 0x9e3779b97f4a7c15u;

  // The step of splitmix64: the bits of unlike words are unlike.
  static uint64_t mixed(uint64_t word) {
    word = (word ^ word >> 30) * 0xbf58476d1ce4e5b9u;
    word = (word ^ word >> 27) * 0x94d049bb133111ebu;
    return word ^ word >> 31;
  }

  uint64_t at(uint32_t env, uint64_t k) const {
    const uint64_t n = config_.size();
    if (config_.turns) return config_[(config_.first_env + env + k * config_.all_envs) % n];
    const uint64_t word = mixed(key_[env] + golden * (k + 1));
    std::shared_ptr<const std::vector<double>> sums;
    {
      const std::lock_guard<SpinLock> lock(lock_);
      sums = sums_;
    }
    if (sums == nullptr) return config_[(word >> 32) * n >> 32];
    const double drawn = static_cast<double>(word >> 11) * 0x1p-53;
    const auto last = sums->end() - 1;  // it is taken if all others are not enough
    return config_[static_cast<uint64_t>(std::upper_bound(sums->begin(), last, drawn) -
                                         sums->begin())];
  }

  const EpisodeSeedsConfig& config_;
  std::vector<uint64_t> key_;                        // by environment
  mutable SpinLock lock_;                            // held for moments, where an episode begins
  std::shared_ptr<const std::vector<double>> sums_;  // summed weights, up to 1; NULL: all alike
};

}  // namespace pp::host
