// The rewards that a scenario's cfg asks for, added up as vizdoom's DoomGame does after each action
// and at the beginning of each episode.
#ifndef PARALLEL_POOL_VIZDOOM_REWARDS_HPP_
#define PARALLEL_POOL_VIZDOOM_REWARDS_HPP_

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "engine/shared_state.hpp"
#include "variables.hpp"

namespace doom {

class Rewards {
 public:
  // weights: of living, death (a penalty), the map's exit, and then of each of kCounted. Python's
  // _scenario.py has their names.
  explicit Rewards(const std::vector<double>& weights) : weight_(weights) {
    if (weights.size() != kFirst + kCount) {
      throw std::invalid_argument("rewards are 13 numbers, set by the plugin");
    }
  }

  // What was earned since the last call. tics: that were lived; ended: the map has, alive or not.
  double earned(const SharedState& state, int64_t tics, bool ended) {
    double reward = 0;
    const double of_map = state.map_reward / 65536.0;
    reward += of_map - last_of_map_;
    last_of_map_ = of_map;

    reward += static_cast<double>(tics > 0 ? tics : 0) * weight_[0];
    if (state.dead) {
      reward -= weight_[1];
    } else if (ended) {
      reward += weight_[2];
    }
    for (size_t i = 0; i < kCount; ++i) {
      const double now = variable(state, kCounted[i]);
      const double weight = weight_[kFirst + i];
      if (weight != 0 && now > last_[i]) {
        const double change = (now - last_[i]) * weight;
        if (is_penalty(kCounted[i])) {
          reward -= change;
        } else {
          reward += change;
        }
      }
      last_[i] = now;
    }
    return reward;
  }

 private:
  static constexpr size_t kFirst = 3;
  static constexpr size_t kCount = 10;
  static constexpr int kCounted[kCount] = {kKillCount, kSecretCount, kItemCount,   kFragCount,
                                           kHitCount,  kHitsTaken,   kDamageCount, kDamageTaken,
                                           kHealth,    kArmor};
  static bool is_penalty(int number) { return number == kHitsTaken || number == kDamageTaken; }

  const std::vector<double> weight_;
  double last_of_map_ = 0;
  double last_[kCount] = {};
};

}  // namespace doom
#endif  // PARALLEL_POOL_VIZDOOM_REWARDS_HPP_
