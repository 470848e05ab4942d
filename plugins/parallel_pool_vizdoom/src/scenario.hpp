// The part that a game of one player and a match share: a scenario's settings from the options, its
// rules, and how its screen is shown.
#ifndef PARALLEL_POOL_VIZDOOM_SCENARIO_HPP_
#define PARALLEL_POOL_VIZDOOM_SCENARIO_HPP_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>

#include "engine/sound.hpp"
#include "game.hpp"
#include "options.hpp"
#include "parallel_pool/env.hpp"
#include "scenario_settings.hpp"

namespace doom {

// Throws std::runtime_error where sounds are wanted and cannot be heard.
inline GameSettings game_settings(const DoomOptions& options, const ScenarioSettings& scenario) {
  if (scenario.engine_arguments.empty()) {
    throw std::invalid_argument("the engine's arguments are set by the plugin's Python module");
  }
  if (options.audio_buffer) check_sound(scenario.engine_arguments[0]);
  GameSettings settings;
  settings.name = options.cfg_path;
  settings.arguments = scenario.engine_arguments;
  settings.folder = scenario.engine_folder;
  settings.library = scenario.engine_library;
  settings.map = options.map_id;
  for (const int64_t button : scenario.buttons) {
    if (button < 0 || button >= static_cast<int64_t>(button_count))
      throw std::invalid_argument("there is no such button");
    settings.buttons.push_back(static_cast<size_t>(button));
  }
  settings.button_limits = scenario.button_limits;
  settings.rewards = scenario.rewards;
  settings.start_time = static_cast<uint32_t>(scenario.start_time);
  settings.timeout = static_cast<uint32_t>(scenario.timeout);
  settings.engine_timeout = options.engine_timeout;
  return settings;
}

// Episodes of a Game or a Match.
struct EpisodeRules {
  explicit EpisodeRules(const DoomOptions& options)
      : frame_skip(options.frame_skip),
        timeout_terminates(options.timeout_terminates),
        seeding(options.seeding) {}

  template <class Played>
  void seed(Played& played, uint64_t seed) const {
    if (seeding == Seeding::game) played.seed(static_cast<uint32_t>(seed));
  }
  // Called before each episode.
  template <class Played>
  void draw_seed(Played& played, pp::Rng& rng) const {
    if (seeding == Seeding::gymnasium) {
      played.seed(rng.integers<uint32_t>(0, int64_t{1} << 32));
    }
  }
  template <class Played>
  bool terminated(const Played& played) const {
    return played.is_over() || (timeout_terminates && played.timeout_reached());
  }

  const int64_t frame_skip;
  const bool timeout_terminates;
  const Seeding seeding;
};

// Screens beside each other, as the engines have drawn them.
class Screen {
 public:
  explicit Screen(const ScenarioSettings& scenario)
      : height_(static_cast<uint32_t>(scenario.screen_height)),
        width_(static_cast<uint32_t>(scenario.screen_width)),
        channels_(static_cast<size_t>(scenario.screen_channels)) {}

  pp::FrameSize size(size_t count = 1) const {
    return {height_, width_ * static_cast<uint32_t>(count)};
  }
  // Draws the screen of the player of that number among `count`; black before the first episode.
  template <class Shown>
  void draw(const Shown& shown, uint8_t* rgb, size_t number = 0, size_t count = 1) const {
    const uint8_t* drawn = shown.has_engine() ? shown.engine().picture(region_screen) : nullptr;
    const size_t row = 3 * size_t{width_};
    for (size_t y = 0; y < height_; ++y) {
      uint8_t* const out = rgb + (y * count + number) * row;
      if (drawn == nullptr) {
        std::memset(out, 0, row);
      } else if (channels_ == 3) {
        std::memcpy(out, drawn + y * row, row);
      } else {
        for (size_t x = 0; x < width_; ++x) std::memset(out + 3 * x, drawn[y * width_ + x], 3);
      }
    }
  }

 private:
  const uint32_t height_;
  const uint32_t width_;
  const size_t channels_;
};

}  // namespace doom
#endif  // PARALLEL_POOL_VIZDOOM_SCENARIO_HPP_
