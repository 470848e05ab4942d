// One game, step by step as vizdoom's DoomGame has it in its mode PLAYER: the same requests to the
// engine in the same order, so that frames, variables and rewards are the same with the same seed.
//
// Long operations are begun, and gone on with until they are done: each time one answer of the
// engine is taken and the next request made, so that a thread can have the games of many engines
// under way.
//
// The engine starts with the first episode. A failure ends it; the next episode starts another,
// which goes on as if nothing had happened: what an episode is follows from its seed alone.
#ifndef PARALLEL_POOL_VIZDOOM_GAME_HPP_
#define PARALLEL_POOL_VIZDOOM_GAME_HPP_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "continuation.hpp"
#include "cut_short.hpp"
#include "engine/engine.hpp"
#include "engine/preload.hpp"
#include "parallel_pool/sdk/overlap.hpp"
#include "rewards.hpp"
#include "scenario_settings.hpp"

namespace doom {

// The settings of a game, from the scenario's cfg.
struct GameSettings {
  std::string name;                    // names the scenario in messages
  std::vector<std::string> arguments;  // the engine's command line, without what we decide
  std::string folder;                  // the engine runs in it
  std::string library;                 // the library that it loads
  std::string map;
  std::vector<size_t> buttons;  // the buttons that may be pressed, in the order of an action
  std::vector<ButtonLimit> button_limits;
  RewardWeights rewards;
  uint32_t start_time;  // tics that pass before an episode begins
  uint32_t timeout;     // tics of an episode; 0: no limit
  double engine_timeout;
};

// The tic of the map that ends an episode; 0: none does.
inline uint32_t end_tic(const GameSettings& settings) {
  return settings.timeout > 0 ? settings.timeout + settings.start_time : 0;
}

// Called before the first episode of an engine.
inline void set_up(SharedInput& input, const GameSettings& settings) {
  for (size_t i = 0; i < button_count; ++i) {
    input.value[i] = 0;
    input.available[i] = false;
  }
  for (const size_t button : settings.buttons) input.available[button] = true;
  std::fill(std::begin(input.limit), std::end(input.limit), 0.0);
  for (const ButtonLimit& each : settings.button_limits) {
    input.limit[static_cast<size_t>(each.button) - binary_button_count] = each.limit;
  }
}

class Game {
 public:
  explicit Game(GameSettings settings)
      : settings_(std::move(settings)), rewards_(settings_.rewards) {}

  // DoomGame's set_seed: the seeds of episodes are drawn from it.
  void seed(uint32_t seed) { episode_seeds_.seed(seed); }

  void begin_episode() {
    named([this] {
      const auto seed = static_cast<uint32_t>(episode_seeds_());
      if (engine_ == nullptr || has_failed_) {
        start(seed);
      } else {
        restart(seed);
      }
    });
  }

  // Presses the buttons for that many tics, or until the episode has ended. Nothing is drawn if
  // the action is `unseen` and the episode goes on.
  void begin_action(const double* values, int64_t tics, bool unseen = false) {
    unseen_ = unseen;
    named([&] {
      if (engine_ == nullptr || has_failed_) {
        throw std::logic_error("there is no episode under way");
      }
      for (size_t i = 0; i < settings_.buttons.size(); ++i) {
        engine_->input().value[settings_.buttons[i]] = values[i];
      }
      tics_ = tics;
      has_ended() ? static_cast<void>(finish_action()) : act();
    });
  }

  // Throws Broken: the engine has ended then, and what it showed last can still be seen. `wait`:
  // for its answer, but only a little while.
  pp::Progress go_on(bool wait) {
    auto progress = pp::Progress::done;
    named(
        [&] { progress = continuation_.go_on(*this, [&] { return engine_->take_answer(wait); }); });
    return progress;
  }

  // Returns what the last action, or its last tics, has earned.
  double reward() const { return reward_; }

  // A game variable. Deaths are counted from the beginning of the episode: what an episode shows
  // follows from its seed, and the engine goes on counting.
  double variable(int number) const {
    const double value = doom::variable(state(), number);
    return number == variable_death_count ? value - deaths_before_ : value;
  }

  // The map is over, or the player.
  bool is_over() const { return doom::is_over(state()); }
  bool timeout_reached() const { return is_late(state(), end_tic(settings_)); }
  bool has_ended() const { return is_over() || timeout_reached(); }

  bool has_engine() const { return engine_ != nullptr && engine_->has_begun(); }
  const Engine& engine() const { return *engine_; }
  const SharedState& state() const { return engine_->state(); }

 private:
  void start(uint32_t seed) {
    std::vector<std::string> arguments = settings_.arguments;
    arguments.insert(arguments.end(), {"-rngseed", std::to_string(seed)});
    engine_.reset();  // first: two would need twice the memory
    has_failed_ = false;
    continuation_.then(&Game::started);
    const Preload library(settings_.library);
    Inherited inherited;
    library.add_to(inherited);
    engine_ = std::make_unique<Engine>(std::move(arguments), settings_.folder,
                                       settings_.engine_timeout, inherited);
  }
  bool started() {
    is_new_ = true;
    return pass();
  }

  void restart(uint32_t seed) {
    is_new_ = false;
    engine_->command("viz_set_seed " + std::to_string(seed));
    engine_->command("map " + settings_.map);
    for (double& value : engine_->input().value) value = 0;
    tics_ = 0;
    continuation_.then(&Game::changed_map);
    engine_->ask_tic();
  }
  bool changed_map() {
    if (++tics_ > 3) {
      engine_->command("map " + settings_.map);
      tics_ = 0;
    }
    if (!state().map_end && state().map_tic <= last_tic_) return pass();
    engine_->ask_tic();
    return true;
  }

  // The tics before an episode begins.
  bool pass() {
    if (state().map_tic < settings_.start_time) {
      continuation_.then(&Game::pass);
      const uint32_t left = settings_.start_time - state().map_tic;
      engine_->ask_tics({std::min(left, Tics::most), settings_.start_time, false, false});
      return true;
    }
    if (!is_new_) engine_->command("viz_override_player 0");
    continuation_.then(&Game::began);
    engine_->ask_update();
    return true;
  }
  bool began() {
    if (is_new_) set_up(engine_->input(), settings_);
    last_tic_ = state().map_tic;
    rewards_.earned(state(), 0, is_over());
    rewarded_tic_ = last_tic_;
    reward_ = 0;
    deaths_before_ = state().deaths;
    engine_->take_output();
    return false;
  }

  void act() {
    continuation_.then(&Game::acted);
    const auto count = static_cast<uint32_t>(std::min(tics_, int64_t{Tics::most}));
    tics_ -= count;
    engine_->ask_tics({count, end_tic(settings_), true, tics_ == 0 && !unseen_});
  }
  bool acted() {
    last_tic_ = engine_->last_tic();
    if (tics_ == 0 && !(unseen_ && has_ended())) return finish_action();
    if (!has_ended()) {
      act();
      return true;
    }
    continuation_.then(&Game::finish_action);
    engine_->ask_update();
    return true;
  }
  bool finish_action() {
    reward_ = rewards_.earned(state(), int64_t{last_tic_} - int64_t{rewarded_tic_}, is_over());
    rewarded_tic_ = last_tic_;
    return false;
  }

  // A failure names the scenario, and is the engine's last.
  template <class Work>
  void named(Work&& work) {
    try {
      work();
    } catch (const Engine::Failure& failure) {
      fail();
      throw Broken(settings_.name + ": " + failure.what());
    } catch (...) {
      fail();
      throw;
    }
  }
  void fail() {
    continuation_.stop();
    has_failed_ = true;
    reward_ = 0;
    if (engine_ != nullptr) engine_->end();
  }

  const GameSettings settings_;
  bool unseen_ = false;
  std::mt19937 episode_seeds_;
  Rewards rewards_;
  std::unique_ptr<Engine> engine_;
  Continuation<Game> continuation_;
  bool has_failed_ = false;
  bool is_new_ = false;  // the episode that begins is the engine's first
  int64_t tics_ = 0;     // left of an action; or since the map was asked for
  double reward_ = 0;
  uint32_t last_tic_ = 1;
  uint32_t rewarded_tic_ = 0;
  int32_t deaths_before_ = 0;
};

}  // namespace doom
#endif  // PARALLEL_POOL_VIZDOOM_GAME_HPP_
