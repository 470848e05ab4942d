// The settings that the Python side has read in a scenario's cfg (_scenario.py) for the library. It
// comes as the text of one internal option: a line `field value` for each value, none for an empty
// list. The fields are described here only.
#ifndef PARALLEL_POOL_VIZDOOM_SCENARIO_SETTINGS_HPP_
#define PARALLEL_POOL_VIZDOOM_SCENARIO_SETTINGS_HPP_

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "rewards.hpp"
#include "settings_reader.hpp"

namespace doom {

// The largest absolute value of a button that takes numbers.
struct ButtonLimit {
  int64_t button;
  double limit;
  static constexpr auto members = std::make_tuple(&ButtonLimit::button, &ButtonLimit::limit);
};

// The values of a button that takes numbers, among combined actions.
struct DeltaLevels {
  int64_t button;
  int64_t count;
  double least;
  double greatest;
  static constexpr auto members = std::make_tuple(&DeltaLevels::button, &DeltaLevels::count,
                                                  &DeltaLevels::least, &DeltaLevels::greatest);
};

// EnvPool's reward for the change of a game variable.
struct VariableReward {
  int64_t variable;
  double rise;
  double fall;
  static constexpr auto members =
      std::make_tuple(&VariableReward::variable, &VariableReward::rise, &VariableReward::fall);
};

// EnvPool's reward for a step with the weapon of a slot in hand.
struct WeaponReward {
  int64_t slot;
  double reward;
  static constexpr auto members = std::make_tuple(&WeaponReward::slot, &WeaponReward::reward);
};

// Buttons and game variables are vizdoom's numbers of them, in the order of the cfg.
struct ScenarioSettings {
  std::vector<std::string> engine_arguments;  // the command line, the executable first
  std::string engine_folder;                  // engines run in it
  std::string engine_library;                 // the library that they load
  std::string bots_path;                      // file of the engine's bots; of a match only

  int64_t screen_width = 320;  // the size that the engine draws
  int64_t screen_height = 240;
  int64_t screen_channels = 3;
  bool observes_depth = false;
  bool observes_labels = false;
  bool observes_automap = false;
  int64_t sound_samples = 0;  // samples of an observation; 0: it has no sound
  int64_t message_bytes = 0;  // bytes of an observation; 0: it has no messages
  std::vector<int64_t> observed_variables;

  std::vector<int64_t> buttons;
  std::vector<ButtonLimit> button_limits;
  std::vector<DeltaLevels> delta_levels;

  int64_t start_time = 1;  // tics before an episode
  int64_t timeout = 0;     // tics of an episode; 0: no limit
  RewardWeights rewards;
  std::vector<VariableReward> variable_rewards;
  std::vector<WeaponReward> weapon_rewards;

  // Throws std::invalid_argument where the text has other fields. Of an empty text: the defaults.
  static ScenarioSettings read(const std::string& text) {
    ScenarioSettings settings;
    if (text.empty()) return settings;
    SettingsReader read(text);
    read("engine_arguments", settings.engine_arguments);
    read("engine_folder", settings.engine_folder);
    read("engine_library", settings.engine_library);
    read("bots_path", settings.bots_path);
    read("screen_width", settings.screen_width);
    read("screen_height", settings.screen_height);
    read("screen_channels", settings.screen_channels);
    read("observes_depth", settings.observes_depth);
    read("observes_labels", settings.observes_labels);
    read("observes_automap", settings.observes_automap);
    read("sound_samples", settings.sound_samples);
    read("message_bytes", settings.message_bytes);
    read("observed_variables", settings.observed_variables);
    read("buttons", settings.buttons);
    read("button_limits", settings.button_limits);
    read("delta_levels", settings.delta_levels);
    read("start_time", settings.start_time);
    read("timeout", settings.timeout);
    read("living_reward", settings.rewards.living);
    read("death_penalty", settings.rewards.death_penalty);
    read("map_exit_reward", settings.rewards.map_exit);
    read("kill_reward", settings.rewards.kill);
    read("secret_reward", settings.rewards.secret);
    read("item_reward", settings.rewards.item);
    read("frag_reward", settings.rewards.frag);
    read("hit_reward", settings.rewards.hit);
    read("hit_taken_penalty", settings.rewards.hit_taken_penalty);
    read("damage_made_reward", settings.rewards.damage_made);
    read("damage_taken_penalty", settings.rewards.damage_taken_penalty);
    read("health_reward", settings.rewards.health);
    read("armor_reward", settings.rewards.armor);
    read("variable_rewards", settings.variable_rewards);
    read("weapon_rewards", settings.weapon_rewards);
    read.expect_no_other();
    return settings;
  }
};

}  // namespace doom
#endif  // PARALLEL_POOL_VIZDOOM_SCENARIO_SETTINGS_HPP_
