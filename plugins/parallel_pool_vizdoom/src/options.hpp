// The options of every scenario. The last is what the Python side has read in the scenario's cfg
// (scenario_settings.hpp); users change it in the words of a cfg, with `config`.
#ifndef PARALLEL_POOL_VIZDOOM_OPTIONS_HPP_
#define PARALLEL_POOL_VIZDOOM_OPTIONS_HPP_

#include <cstdint>
#include <string>

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

  std::string scenario_settings;

  static constexpr auto declared = pp::options(
      pp::option(&DoomOptions::cfg_path, "cfg_path", "",
                 "scenario: a cfg file, or the name of one in the vizdoom package")
          .local(),
      pp::option(&DoomOptions::wad_path, "wad_path", "",
                 "WAD file of the scenario; empty: that of the cfg")
          .local(),
      pp::option(
          &DoomOptions::iwad_path, "iwad_path", "",
          "WAD file of the game; empty: that of the cfg, or freedoom2.wad of the vizdoom package")
          .local(),
      pp::option(&DoomOptions::vzd_path, "vzd_path", "",
                 "executable of the engine; empty: that of the vizdoom package")
          .local(),
      pp::option(&DoomOptions::config, "config", "",
                 "additional lines of the cfg, or a dict such as {'living_reward': -1}"),
      pp::option(&DoomOptions::game_args, "game_args", "",
                 "additional arguments of the engine's command line"),
      pp::option(&DoomOptions::map_id, "map_id", "", "name of the map; empty: that of the cfg"),
      pp::option(&DoomOptions::doom_skill, "doom_skill", 0,
                 "difficulty, 1 to 5; 0: that of the cfg", pp::Range{0, 5}),
      pp::option(&DoomOptions::episode_timeout, "episode_timeout", -1,
                 "largest number of tics of an episode; 0: no limit; -1: that of the cfg",
                 pp::Range{-1, 1e9}),
      pp::option(
          &DoomOptions::game_variables, "game_variables", "",
          "names of the observed game variables, such as 'HEALTH AMMO2'; empty: those of the cfg"),

      pp::option(&DoomOptions::screen_format, "screen_format", ScreenFormat::scenario,
                 "gray or rgb; scenario: gray if the cfg has GRAY8, else rgb",
                 {{"scenario", ScreenFormat::scenario},
                  {"gray", ScreenFormat::gray},
                  {"rgb", ScreenFormat::rgb}}),
      pp::option(&DoomOptions::screen_resolution, "screen_resolution", "",
                 "resolution in which the engine draws, such as '160x120'; empty: that of the cfg"),
      pp::option(&DoomOptions::depth_buffer, "depth_buffer", false,
                 "observe the depth of pixels; also if the cfg enables it"),
      pp::option(&DoomOptions::labels_buffer, "labels_buffer", false,
                 "observe the labels of pixels (their object); also if the cfg enables it"),
      pp::option(&DoomOptions::automap_buffer, "automap_buffer", false,
                 "observe the automap; also if the cfg enables it"),
      pp::option(&DoomOptions::audio_buffer, "audio_buffer", false,
                 "observe sound, int16 (samples, 2); needs OpenAL"),
      pp::option(&DoomOptions::audio_buffer_size, "audio_buffer_size", 0,
                 "tics of sound in an observation; 0: the tics of a step", pp::Range{0, 10000}),
      pp::option(&DoomOptions::notifications_buffer, "notifications_buffer", false,
                 "observe messages as bytes, padded with zeros"),
      pp::option(&DoomOptions::notifications_buffer_size, "notifications_buffer_size", 0,
                 "tics of messages in an observation; 0: the tics of a step", pp::Range{0, 10000}),
      pp::option(&DoomOptions::notifications_length, "notifications_length", 1024,
                 "number of bytes of messages; longer ones lose their beginning",
                 pp::Range{1, 32768}),
      pp::option(&DoomOptions::img_height, "img_height", 0,
                 "height of observed pictures, resized by area; 0: the engine's",
                 pp::Range{0, 4096}),
      pp::option(&DoomOptions::img_width, "img_width", 0,
                 "width of observed pictures, resized by area; 0: the engine's",
                 pp::Range{0, 4096}),
      pp::option(&DoomOptions::stack_num, "stack_num", 1,
                 "number of stacked pictures in an observation", pp::Range{1, 256}),
      pp::option(&DoomOptions::channels_last, "channels_last", false,
                 "pictures have the shape (height, width, channels)"),
      pp::option(&DoomOptions::dict_observation, "dict_observation", false,
                 "observe a dict with the game variables, even if the screen is the only picture"),

      pp::option(&DoomOptions::frame_skip, "frame_skip", 1,
                 "number of tics for which an action is repeated", pp::Range{1, 10000}),
      pp::option(&DoomOptions::actions, "actions", ActionForm::box,
                 "form of actions. box: a float64 per button; binary: 0 or 1 per button",
                 {{"box", ActionForm::box}, {"binary", ActionForm::binary}}),
      pp::option(&DoomOptions::max_buttons_pressed, "max_buttons_pressed", 0,
                 "with binary actions: the action is the number of a combination of at most this "
                 "many buttons; 0: a flag per button",
                 pp::Range{0, 43}),
      pp::option(&DoomOptions::use_combined_action, "use_combined_action", false,
                 "the action is the number of one of EnvPool's combinations of buttons"),
      pp::option(&DoomOptions::force_speed, "force_speed", false,
                 "with use_combined_action: SPEED is always pressed"),
      pp::option(&DoomOptions::delta_button_config, "delta_button_config", "none",
                 "with use_combined_action: count, least and greatest value of delta buttons, such "
                 "as {'TURN_LEFT_RIGHT_DELTA': (5, -10, 10)}"),
      pp::option(
          &DoomOptions::reward_config, "reward_config", "scenario",
          "rewards. scenario (or None): the scenario's; envpool: EnvPool's for changes of game "
          "variables; or a dict of rewards for rise and fall, such as {'HEALTH': (0.005, -0.003)}"),
      pp::option(&DoomOptions::selected_weapon_reward_config, "selected_weapon_reward_config",
                 "envpool",
                 "with reward_config: reward of a step with the weapon of a slot in hand, such as "
                 "{3: 0.001}; envpool: EnvPool's"),
      pp::option(&DoomOptions::weapon_duration, "weapon_duration", 5,
                 "number of consecutive steps after which the weapon in hand is rewarded",
                 pp::Range{0, 1e9}),
      pp::option(
          &DoomOptions::episodic_life, "episodic_life", false,
          "accepted for EnvPool's scripts; the death of a single player always ends the episode"),
      pp::option(&DoomOptions::timeout_terminates, "timeout_terminates", false,
                 "the scenario's timeout terminates the episode instead of truncating it"),
      pp::option(
          &DoomOptions::seeding, "seeding", Seeding::game,
          "game: seeds as in DoomGame; gymnasium: the seed of each episode is drawn from np_random",
          {{"game", Seeding::game}, {"gymnasium", Seeding::gymnasium}}),
      pp::option(&DoomOptions::engine_timeout, "engine_timeout", 60,
                 "seconds within which an engine must answer", pp::Range{5, 86400})
          .local(),

      pp::option(&DoomOptions::scenario_settings, "scenario_settings", "",
                 "internal: text of ScenarioSettings")
          .local());
};

}  // namespace doom
#endif  // PARALLEL_POOL_VIZDOOM_OPTIONS_HPP_
