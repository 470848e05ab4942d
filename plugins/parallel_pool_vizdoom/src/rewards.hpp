// The rewards that a scenario's cfg asks for, added up as vizdoom's DoomGame does after each action
// and at the beginning of each episode.
#ifndef PARALLEL_POOL_VIZDOOM_REWARDS_HPP_
#define PARALLEL_POOL_VIZDOOM_REWARDS_HPP_

#include <array>
#include <cstdint>

#include "engine/shared_state.hpp"
#include "variables.hpp"

namespace doom {

// By the names of a cfg; of those that end in penalty, the reward is the negative.
struct RewardWeights {
  double living = 0;
  double death_penalty = 0;
  double map_exit = 0;
  double kill = 0;
  double secret = 0;
  double item = 0;
  double frag = 0;
  double hit = 0;
  double hit_taken_penalty = 0;
  double damage_made = 0;
  double damage_taken_penalty = 0;
  double health = 0;
  double armor = 0;
};

class Rewards {
 public:
  explicit Rewards(const RewardWeights& weights)
      : weight_(weights),
        counted_{{{variable_kill_count, weights.kill},
                  {variable_secret_count, weights.secret},
                  {variable_item_count, weights.item},
                  {variable_frag_count, weights.frag},
                  {variable_hit_count, weights.hit},
                  {variable_hits_taken, weights.hit_taken_penalty},
                  {variable_damage_count, weights.damage_made},
                  {variable_damage_taken, weights.damage_taken_penalty},
                  {variable_health, weights.health},
                  {variable_armor, weights.armor}}} {}

  // Returns what was earned since the last call. tics: those that were lived; ended: the map has
  // ended, alive or not.
  double earned(const SharedState& state, int64_t tics, bool ended) {
    double reward = 0;
    const double of_map = state.map_reward / 65536.0;
    reward += of_map - last_of_map_;
    last_of_map_ = of_map;

    reward += static_cast<double>(tics > 0 ? tics : 0) * weight_.living;
    if (state.dead) {
      reward -= weight_.death_penalty;
    } else if (ended) {
      reward += weight_.map_exit;
    }
    for (Counted& each : counted_) {
      const double now = count(state, each.variable);
      if (each.weight != 0 && now > each.last) {
        const double change = (now - each.last) * each.weight;
        if (is_penalty(each.variable)) {
          reward -= change;
        } else {
          reward += change;
        }
      }
      each.last = now;
    }
    return reward;
  }

 private:
  struct Counted {
    int variable;
    double weight;
    double last = 0;
  };

  // Returns a count of the player; the game variables of these names are those of the map, of all
  // players.
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

  const RewardWeights weight_;
  std::array<Counted, 10> counted_;
  double last_of_map_ = 0;
};

}  // namespace doom
#endif  // PARALLEL_POOL_VIZDOOM_REWARDS_HPP_
