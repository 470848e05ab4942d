// The options of every scenario. Those at the end are what the Python side has read in the
// scenario's cfg (_scenario.py); users say them in the words of a cfg, with `config`.
#ifndef PARALLEL_POOL_VIZDOOM_OPTIONS_HPP_
#define PARALLEL_POOL_VIZDOOM_OPTIONS_HPP_

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/shared_state.hpp"
#include "parallel_pool/env.hpp"

namespace doom {

enum class ScreenFormat { scenario, gray, rgb };
enum class ActionForm { box, binary };
enum class Seeding { game, gymnasium };

struct DoomOptions {
  std::string cfg_path;
  std::string wad_path;
  std::string iwad_path;
  std::string vzd_path;
  std::string config;
  std::string game_args;
  std::string map_id;
  int64_t doom_skill;
  int64_t episode_timeout;
  std::string game_variables;

  ScreenFormat screen_format;
  std::string screen_resolution;
  bool depth_buffer;
  bool labels_buffer;
  bool automap_buffer;
  bool audio_buffer;
  int64_t audio_buffer_size;
  bool notifications_buffer;
  int64_t notifications_buffer_size;
  int64_t notifications_length;
  int64_t img_height;
  int64_t img_width;
  int64_t stack_num;
  bool channels_last;
  bool dict_observation;

  int64_t frame_skip;
  ActionForm actions;
  int64_t max_buttons_pressed;
  bool use_combined_action;
  bool force_speed;
  std::string delta_button_config;
  std::string reward_config;
  std::string selected_weapon_reward_config;
  int64_t weapon_duration;
  bool episodic_life;
  bool timeout_terminates;
  Seeding seeding;
  double engine_timeout;

  std::string engine_arguments;
  std::string engine_folder;
  std::string engine_library;
  std::vector<double> buttons;
  std::array<double, delta_button_count> button_limits;
  std::vector<double> variables;
  std::array<double, 13> rewards;
  std::vector<double> reward_weights;  // variable, reward up, reward down
  std::array<double, 10> weapon_rewards;
  std::array<double, 3 * delta_button_count> delta_levels;  // count, least, most
  std::array<double, 2> times;                              // tics before an episode, and of it
  std::array<double, 6> screen;   // width, height, channels; depth, labels, automap
  std::array<double, 2> buffers;  // samples of sound, bytes of messages; 0: not observed

  static constexpr auto declared = pp::options(
      pp::option(&DoomOptions::cfg_path, "cfg_path", "",
                 "the scenario: a cfg file, or the name of one in the vizdoom package")
          .local(),
      pp::option(&DoomOptions::wad_path, "wad_path", "",
                 "the scenario's map; empty: as the cfg says")
          .local(),
      pp::option(&DoomOptions::iwad_path, "iwad_path", "",
                 "the game; empty: as the cfg says, or freedoom2.wad of the vizdoom package")
          .local(),
      pp::option(&DoomOptions::vzd_path, "vzd_path", "",
                 "the engine; empty: that of the vizdoom package")
          .local(),
      pp::option(&DoomOptions::config, "config", "",
                 "more lines of the cfg, or a dict such as {'living_reward': -1}"),
      pp::option(&DoomOptions::game_args, "game_args", "",
                 "more arguments for the engine's command line"),
      pp::option(&DoomOptions::map_id, "map_id", "", "the map; empty: as the cfg says"),
      pp::option(&DoomOptions::doom_skill, "doom_skill", 0,
                 "difficulty, 1 to 5; 0: as the cfg says", pp::Range{0, 5}),
      pp::option(&DoomOptions::episode_timeout, "episode_timeout", -1,
                 "tics of an episode, 0: no limit; -1: as the cfg says", pp::Range{-1, 1e9}),
      pp::option(&DoomOptions::game_variables, "game_variables", "",
                 "names of those observed, such as 'HEALTH AMMO2'; empty: as the cfg says"),

      pp::option(&DoomOptions::screen_format, "screen_format", ScreenFormat::scenario,
                 "gray or rgb; scenario: gray if the cfg says GRAY8",
                 {{"scenario", ScreenFormat::scenario},
                  {"gray", ScreenFormat::gray},
                  {"rgb", ScreenFormat::rgb}}),
      pp::option(&DoomOptions::screen_resolution, "screen_resolution", "",
                 "that the engine draws in, such as '160x120'; empty: as the cfg says"),
      pp::option(&DoomOptions::depth_buffer, "depth_buffer", false,
                 "observe how far away pixels are; also if the cfg says so"),
      pp::option(&DoomOptions::labels_buffer, "labels_buffer", false,
                 "observe which object pixels belong to; also if the cfg says so"),
      pp::option(&DoomOptions::automap_buffer, "automap_buffer", false,
                 "observe the map; also if the cfg says so"),
      pp::option(&DoomOptions::audio_buffer, "audio_buffer", false,
                 "observe sounds: int16 (samples, 2); needs OpenAL"),
      pp::option(&DoomOptions::audio_buffer_size, "audio_buffer_size", 0,
                 "tics of sound in an observation; 0: those of a step", pp::Range{0, 10000}),
      pp::option(&DoomOptions::notifications_buffer, "notifications_buffer", false,
                 "observe messages: their bytes, with zeros behind them"),
      pp::option(&DoomOptions::notifications_buffer_size, "notifications_buffer_size", 0,
                 "tics of messages in an observation; 0: those of a step", pp::Range{0, 10000}),
      pp::option(&DoomOptions::notifications_length, "notifications_length", 1024,
                 "bytes of messages; what is longer is cut off at its beginning",
                 pp::Range{1, 32768}),
      pp::option(&DoomOptions::img_height, "img_height", 0,
                 "of what is observed, resized by area; 0: as the engine draws it",
                 pp::Range{0, 4096}),
      pp::option(&DoomOptions::img_width, "img_width", 0,
                 "of what is observed, resized by area; 0: as the engine draws it",
                 pp::Range{0, 4096}),
      pp::option(&DoomOptions::stack_num, "stack_num", 1, "pictures in an observation",
                 pp::Range{1, 256}),
      pp::option(&DoomOptions::channels_last, "channels_last", false,
                 "pictures are (height, width, channels)"),
      pp::option(&DoomOptions::dict_observation, "dict_observation", false,
                 "observe a dict with the game variables, also where there is the screen only"),

      pp::option(&DoomOptions::frame_skip, "frame_skip", 1, "tics of an action",
                 pp::Range{1, 10000}),
      pp::option(&DoomOptions::actions, "actions", ActionForm::box,
                 "box: a float64 for each button; binary: zeros and ones",
                 {{"box", ActionForm::box}, {"binary", ActionForm::binary}}),
      pp::option(&DoomOptions::max_buttons_pressed, "max_buttons_pressed", 0,
                 "with binary actions: the action is the number of a combination of at most so "
                 "many buttons; 0: all of them are free",
                 pp::Range{0, 43}),
      pp::option(&DoomOptions::use_combined_action, "use_combined_action", false,
                 "EnvPool's: the action is the number of a combination of buttons that make sense "
                 "together"),
      pp::option(&DoomOptions::force_speed, "force_speed", false,
                 "with use_combined_action: SPEED is always pressed"),
      pp::option(&DoomOptions::delta_button_config, "delta_button_config", "none",
                 "with use_combined_action: how many numbers of buttons that take any, such as "
                 "{'TURN_LEFT_RIGHT_DELTA': (5, -10, 10)}"),
      pp::option(&DoomOptions::reward_config, "reward_config", "scenario",
                 "scenario (or None): its own rewards; envpool: EnvPool's for changes of game "
                 "variables; or a dict such as {'HEALTH': (0.005, -0.003)}, up and down"),
      pp::option(&DoomOptions::selected_weapon_reward_config, "selected_weapon_reward_config",
                 "envpool",
                 "beside a reward_config: of a step with the weapon of a slot in hand, such as "
                 "{3: 0.001}; envpool: EnvPool's"),
      pp::option(&DoomOptions::weapon_duration, "weapon_duration", 5,
                 "so many steps in a row the weapon must be in hand for that", pp::Range{0, 1e9}),
      pp::option(&DoomOptions::episodic_life, "episodic_life", false,
                 "EnvPool's; the death of a player alone ends the episode anyway"),
      pp::option(&DoomOptions::timeout_terminates, "timeout_terminates", false,
                 "an episode that the scenario's timeout ends is terminated too"),
      pp::option(&DoomOptions::seeding, "seeding", Seeding::game,
                 "game: the seed is DoomGame's; gymnasium: each episode's is drawn from np_random",
                 {{"game", Seeding::game}, {"gymnasium", Seeding::gymnasium}}),
      pp::option(&DoomOptions::engine_timeout, "engine_timeout", 60,
                 "seconds in which an engine must answer", pp::Range{5, 86400})
          .local(),

      pp::option(&DoomOptions::engine_arguments, "engine_arguments", "",
                 "set by the plugin, not for users")
          .local(),
      pp::option(&DoomOptions::engine_folder, "engine_folder", "",
                 "set by the plugin, not for users")
          .local(),
      pp::option(&DoomOptions::engine_library, "engine_library", "",
                 "set by the plugin, not for users")
          .local(),
      pp::option(&DoomOptions::buttons, "buttons", "set by the plugin, not for users"),
      pp::option(&DoomOptions::button_limits, "button_limits", {0, 0, 0, 0, 0},
                 "set by the plugin, not for users"),
      pp::option(&DoomOptions::variables, "variables", "set by the plugin, not for users"),
      pp::option(&DoomOptions::rewards, "rewards", {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
                 "set by the plugin, not for users"),
      pp::option(&DoomOptions::reward_weights, "reward_weights",
                 "set by the plugin, not for users"),
      pp::option(&DoomOptions::weapon_rewards, "weapon_rewards", {0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
                 "set by the plugin, not for users"),
      pp::option(&DoomOptions::delta_levels, "delta_levels",
                 {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, "set by the plugin, not for users"),
      pp::option(&DoomOptions::times, "times", {1, 0}, "set by the plugin, not for users"),
      pp::option(&DoomOptions::screen, "screen", {320, 240, 3, 0, 0, 0},
                 "set by the plugin, not for users"),
      pp::option(&DoomOptions::buffers, "buffers", {0, 0}, "set by the plugin, not for users"));
};

}  // namespace doom
#endif  // PARALLEL_POOL_VIZDOOM_OPTIONS_HPP_
