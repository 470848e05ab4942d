// One game, step by step as vizdoom's DoomGame has it in its mode PLAYER: the same requests to the
// engine in the same order, so that frames, variables and rewards are the same with the same seed.
//
// The engine starts with the first episode. A failure closes it; the next episode starts another,
// which goes on as if nothing had happened: what an episode is follows from its seed alone.
#ifndef PARALLEL_POOL_VIZDOOM_GAME_HPP_
#define PARALLEL_POOL_VIZDOOM_GAME_HPP_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/engine.hpp"
#include "rewards.hpp"

namespace doom {

// What a game is, from the scenario's cfg.
struct GameSettings {
  std::string name;                    // of the scenario, for messages
  std::vector<std::string> arguments;  // the engine's command line, without what we decide
  std::string folder;                  // where the engine runs
  std::string map;
  std::vector<size_t> buttons;  // that may be pressed, in the order of an action
  std::vector<double> button_limits;
  std::vector<double> rewards;
  uint32_t start_time;  // tics that pass before an episode begins
  uint32_t timeout;     // tics of an episode; 0: no limit
  double engine_timeout;
};

class Game {
 public:
  explicit Game(GameSettings settings)
      : settings_(std::move(settings)), rewards_(settings_.rewards) {}

  // DoomGame's set_seed: the seeds of episodes are drawn from it.
  void seed(uint32_t seed) { episode_seeds_.seed(seed); }

  void new_episode() {
    named([this] {
      const auto seed = static_cast<uint32_t>(episode_seeds_());
      if (engine_ == nullptr) {
        start(seed);
      } else {
        restart(seed);
      }
      last_tic_ = state().map_tic;
      rewards_.earned(state(), 0, is_over());
      rewarded_tic_ = last_tic_;
      deaths_before_ = state().deaths;
      engine_->take_output();
    });
  }

  // Presses the buttons for that many tics, or until the episode has ended. Returns the reward.
  double make_action(const double* values, int64_t tics) {
    double reward = 0;
    named([&] {
      if (engine_ == nullptr) throw std::logic_error("there is no episode under way");
      for (size_t i = 0; i < settings_.buttons.size(); ++i) {
        engine_->input().value[settings_.buttons[i]] = values[i];
      }
      for (int64_t i = 0; i < tics && !has_ended(); ++i) {
        const bool last = i == tics - 1;
        last_tic_ = state().map_tic + 1;
        if (last) {
          tic_and_update();
        } else {
          tic();
          if (has_ended()) update();
        }
      }
      reward = rewards_.earned(state(), int64_t{last_tic_} - int64_t{rewarded_tic_}, is_over());
      rewarded_tic_ = last_tic_;
    });
    return reward;
  }

  // A game variable. Deaths are counted from the beginning of the episode: what an episode shows
  // follows from its seed, and the engine goes on counting.
  double variable(int number) const {
    const double value = doom::variable(state(), number);
    return number == variable_death_count ? value - deaths_before_ : value;
  }

  // The map is over, or the player.
  bool is_over() const { return (!state().multiplayer && state().dead) || state().map_end; }
  bool timeout_reached() const {
    return (settings_.timeout > 0 && settings_.timeout + settings_.start_time <= state().map_tic) ||
           (state().map_tic_limit > 0 && state().map_tic_limit <= state().map_tic);
  }
  bool has_ended() const { return is_over() || timeout_reached(); }

  bool has_engine() const { return engine_ != nullptr; }
  const Engine& engine() const { return *engine_; }
  const SharedState& state() const { return engine_->state(); }

 private:
  void start(uint32_t seed) {
    std::vector<std::string> arguments = settings_.arguments;
    arguments.insert(arguments.end(), {"-rngseed", std::to_string(seed)});
    engine_ =
        std::make_unique<Engine>(std::move(arguments), settings_.folder, settings_.engine_timeout);
    engine_->wait();
    pass_start_time();
    update();

    SharedInput& input = engine_->input();
    for (size_t i = 0; i < button_count; ++i) {
      input.value[i] = 0;
      input.available[i] = false;
    }
    for (const size_t button : settings_.buttons) input.available[button] = true;
    for (size_t i = 0; i < delta_button_count; ++i) input.limit[i] = settings_.button_limits[i];
  }

  void restart(uint32_t seed) {
    const std::string change = "map " + settings_.map;
    engine_->command("viz_set_seed " + std::to_string(seed));
    engine_->command(change);
    for (double& value : engine_->input().value) value = 0;
    int tics = 0;
    do {
      tic();
      if (++tics > 3) {
        engine_->command(change);
        tics = 0;
      }
    } while (state().map_end || state().map_tic > last_tic_);
    pass_start_time();
    engine_->command("viz_override_player 0");
    update();
  }

  void pass_start_time() {
    while (state().map_tic < settings_.start_time) tic();
  }
  void tic() {
    engine_->ask_tic();
    engine_->wait();
  }
  void update() {
    engine_->ask_update();
    engine_->wait();
  }
  void tic_and_update() {
    engine_->ask_tic_and_update();
    engine_->wait();
  }

  // A failure names the scenario, and is the engine's last.
  template <class Work>
  void named(Work&& work) {
    try {
      work();
    } catch (const Engine::Failure& failure) {
      engine_.reset();
      throw std::runtime_error(settings_.name + ": " + failure.what());
    } catch (...) {
      engine_.reset();
      throw;
    }
  }

  const GameSettings settings_;
  std::mt19937 episode_seeds_;
  Rewards rewards_;
  std::unique_ptr<Engine> engine_;
  uint32_t last_tic_ = 1;
  uint32_t rewarded_tic_ = 0;
  int32_t deaths_before_ = 0;
};

}  // namespace doom
#endif  // PARALLEL_POOL_VIZDOOM_GAME_HPP_
