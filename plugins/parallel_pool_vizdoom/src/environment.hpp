// A game as an environment of the host.
#ifndef PARALLEL_POOL_VIZDOOM_ENVIRONMENT_HPP_
#define PARALLEL_POOL_VIZDOOM_ENVIRONMENT_HPP_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "action.hpp"
#include "engine/sound.hpp"
#include "game.hpp"
#include "info.hpp"
#include "observation.hpp"
#include "options.hpp"
#include "parallel_pool/env.hpp"
#include "shaped_reward.hpp"

namespace doom {

// `Buttons`: what an action is (action.hpp).
template <class Buttons>
class Environment {
 public:
  static constexpr const char* id = Buttons::id;
  static constexpr const char* summary = "A scenario of ViZDoom";
  static constexpr bool resets_wait = true;  // for engines that begin
  template <class Key>
  using Number = pp::At<Key, pp::Scalar<double>>;
  using Options = DoomOptions;
  using Obs = pp::Fields;
  using Action = typename Buttons::Space;
  using Info = GameInfo<Number>;

  static void describe(pp::Spec& spec, const Options& options) {
    Buttons::describe(spec, options);
    Observation::describe(spec, options);
  }

  explicit Environment(const Options& options)
      : game_(settings(options)),
        buttons_(options),
        observation_(options),
        shaped_reward_(options),
        frame_skip_(options.frame_skip),
        timeout_terminates_(options.timeout_terminates),
        seeding_(options.seeding),
        height_(static_cast<uint32_t>(options.screen[1])),
        width_(static_cast<uint32_t>(options.screen[0])),
        channels_(static_cast<size_t>(options.screen[2])) {}

  static GameSettings settings(const Options& options) {
    GameSettings settings;
    settings.name = options.cfg_path;
    std::istringstream lines(options.engine_arguments);
    for (std::string line; std::getline(lines, line);) settings.arguments.push_back(line);
    if (settings.arguments.empty()) {
      throw std::invalid_argument("the engine's arguments are set by the plugin's Python module");
    }
    if (options.audio_buffer) check_sound(settings.arguments[0]);
    settings.folder = options.engine_folder;
    settings.library = options.engine_library;
    settings.map = options.map_id;
    for (const double button : options.buttons) {
      if (button < 0 || button >= button_count)
        throw std::invalid_argument("there is no such button");
      settings.buttons.push_back(static_cast<size_t>(button));
    }
    settings.button_limits.assign(options.button_limits.begin(), options.button_limits.end());
    settings.rewards.assign(options.rewards.begin(), options.rewards.end());
    settings.start_time = static_cast<uint32_t>(options.times[0]);
    settings.timeout = static_cast<uint32_t>(options.times[1]);
    settings.engine_timeout = options.engine_timeout;
    return settings;
  }

  void seed(uint64_t seed) {
    if (seeding_ == Seeding::game) game_.seed(static_cast<uint32_t>(seed));
  }

  void begin_reset(pp::Rng& rng) {
    if (seeding_ == Seeding::gymnasium) {
      game_.seed(rng.integers<uint32_t>(0, int64_t{1} << 32));
    }
    is_stepping_ = false;
    error_.clear();
    game_.begin_episode();
  }
  void begin_step(typename Action::Value action) {
    is_stepping_ = true;
    unless_broken([&] {
      game_.begin_action(buttons_.read(action), frame_skip_);
      return pp::Progress::moved;
    });
  }
  pp::Progress go_on(bool wait) {
    return unless_broken([&] { return game_.go_on(wait); });
  }

  void reset(pp::Rng&, Obs::Ref obs, Info::Ref info) {
    shaped_reward_.begin_episode(game_);
    observation_.write(game_, obs, true);
    write(info);
  }
  pp::Outcome step(typename Action::Value, Obs::Ref obs, Info::Ref info) {
    pp::Outcome outcome;
    outcome.reward = shaped_reward_.enabled() ? shaped_reward_.earned(game_) : game_.reward();
    outcome.truncated = game_.timeout_reached();
    outcome.terminated = game_.is_over() || (timeout_terminates_ && outcome.truncated);
    observation_.write(game_, obs, false);
    write(info);
    if (!error_.empty()) return {0, false, true, 1, error_.c_str()};  // as far as it was seen
    return outcome;
  }

  pp::FrameSize frame_size() const { return {height_, width_}; }
  void draw(uint8_t* rgb) const {
    const size_t pixels = size_t{height_} * width_;
    if (!game_.has_engine()) {
      std::memset(rgb, 0, 3 * pixels);
      return;
    }
    const uint8_t* drawn = game_.engine().picture(region_screen);
    if (channels_ == 3) {
      std::memcpy(rgb, drawn, 3 * pixels);
      return;
    }
    for (size_t i = 0; i < pixels; ++i) std::memset(rgb + 3 * i, drawn[i], 3);
  }

 private:
  // An engine that breaks in the middle of an episode cuts it short.
  template <class Work>
  pp::Progress unless_broken(Work&& work) {
    try {
      return work();
    } catch (const Game::Broken& broken) {
      if (!is_stepping_) throw;
      error_ = broken.what();
      return pp::Progress::done;
    }
  }

  void write(const Info::Ref& info) const {
    put_info(game_,
             [&info](auto key, double value) { info.template get<decltype(key)>() = value; });
  }

  Game game_;
  Buttons buttons_;
  Observation observation_;
  ShapedReward shaped_reward_;
  bool is_stepping_ = false;
  std::string error_;  // why the episode was cut short
  const int64_t frame_skip_;
  const bool timeout_terminates_;
  const Seeding seeding_;
  const uint32_t height_;
  const uint32_t width_;
  const size_t channels_;
};

}  // namespace doom
#endif  // PARALLEL_POOL_VIZDOOM_ENVIRONMENT_HPP_
