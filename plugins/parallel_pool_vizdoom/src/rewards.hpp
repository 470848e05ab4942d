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
  // weights: of living, death (a penalty), the map's exit, and then of each of counted. Python's
  // _scenario.py has their names.
  explicit Rewards(const std::vector<double>& weights) : weight_(weights) {
    if (weights.size() != first_counted + number_counted) {
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
    for (size_t i = 0; i < number_counted; ++i) {
      const double now = count(state, counted[i]);
      const double weight = weight_[first_counted + i];
      if (weight != 0 && now > last_[i]) {
        const double change = (now - last_[i]) * weight;
        if (is_penalty(counted[i])) {
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
  static constexpr size_t first_counted = 3;
  static constexpr size_t number_counted = 10;
  static constexpr int counted[number_counted] = {
      variable_kill_count, variable_secret_count, variable_item_count,   variable_frag_count,
      variable_hit_count,  variable_hits_taken,   variable_damage_count, variable_damage_taken,
      variable_health,     variable_armor};
  // Of the player; the game variables of these names are those of the map, of all players.
  static double count(const SharedState& state, int number) {
    switch (number) {
      case variable_kill_count:
        return state.kills;
      case variable_item_count:
        return state.items;
      case variable_secret_count:
        return state.secrets;
      default:
        return variable(state, number);
    }
  }
  static bool is_penalty(int number) {
    return number == variable_hits_taken || number == variable_damage_taken;
  }

  const std::vector<double> weight_;
  double last_of_map_ = 0;
  double last_[number_counted] = {};
};

}  // namespace doom
#endif  // PARALLEL_POOL_VIZDOOM_REWARDS_HPP_
