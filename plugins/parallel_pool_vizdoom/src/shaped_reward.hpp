// EnvPool's reward: for what a step has changed in game variables, and for the weapon in hand. As
// there in single precision, variable by variable, so that sums are the same; but an episode's last
// step is rewarded too.
#ifndef PARALLEL_POOL_VIZDOOM_SHAPED_REWARD_HPP_
#define PARALLEL_POOL_VIZDOOM_SHAPED_REWARD_HPP_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "game.hpp"
#include "options.hpp"
#include "scenario_settings.hpp"
#include "variables.hpp"

namespace doom {

class ShapedReward {
 public:
  ShapedReward(const DoomOptions& options, const ScenarioSettings& scenario)
      : enabled_(options.reward_config != "scenario"), weapon_duration_(options.weapon_duration) {
    for (const VariableReward& each : scenario.variable_rewards) {
      changes_.push_back({static_cast<int>(each.variable), each.rise, each.fall, 0});
    }
    for (const WeaponReward& each : scenario.weapon_rewards) {
      weapon_rewards_.at(static_cast<size_t>(each.slot)) = each.reward;
    }
  }

  bool enabled() const { return enabled_; }

  template <class Shown>
  void begin_episode(const Shown& game) {
    for (Change& change : changes_) change.last = game.variable(change.variable);
    weapon_ = -1;
    steps_with_weapon_ = 0;
    count_weapon(game);
  }

  // Returns what was earned since the last call.
  template <class Shown>
  double earned(const Shown& game) {
    float reward = 0;
    for (Change& change : changes_) {
      const double difference = limited(change.variable, change.update(game));
      reward += static_cast<float>(difference >= 0 ? difference * change.up
                                                   : -(difference * change.down));
    }
    count_weapon(game);
    if (weapon_ >= 0 && weapon_ < static_cast<int>(weapon_rewards_.size()) &&
        steps_with_weapon_ >= weapon_duration_ &&
        game.variable(variable_selected_weapon_ammo) > 0) {
      reward = static_cast<float>(reward + weapon_rewards_[static_cast<size_t>(weapon_)]);
    }
    return reward;
  }

 private:
  struct Change {
    int variable;
    double up;
    double down;
    double last;

    template <class Shown>
    double update(const Shown& game) {
      double now = game.variable(variable);
      if (variable == variable_health) {  // the engine writes -999900 for the dead
        if (last < 0 && now < 0) {
          last = now = 100;
        } else if (now < 0) {
          now = last;
        } else if (last < 0) {
          last = now;
        }
      }
      const double difference = now - last;
      last = now;
      return difference;
    }
  };

  // One shot that hits many at once is worth no more than a good one.
  static double limited(int variable, double difference) {
    if (variable == variable_damage_count) return std::min(difference, 200.0);
    if (variable == variable_hit_count) return std::min(difference, 5.0);
    return difference;
  }

  template <class Shown>
  void count_weapon(const Shown& game) {
    const int now = static_cast<int>(game.variable(variable_selected_weapon));
    steps_with_weapon_ = now == weapon_ ? steps_with_weapon_ + 1 : 1;
    weapon_ = now;
  }

  const bool enabled_;
  std::array<double, 10> weapon_rewards_{};  // by slot
  const int64_t weapon_duration_;
  std::vector<Change> changes_;
  int weapon_ = -1;
  int64_t steps_with_weapon_ = 0;
};

}  // namespace doom
#endif  // PARALLEL_POOL_VIZDOOM_SHAPED_REWARD_HPP_
