// One match: an engine for each player, which are one game in lockstep. Every request goes to all
// engines before any answer is waited for, since none of them goes on without the others.
//
// As N DoomGames in mode PLAYER that are driven so: frames, variables and rewards of each are the
// same with the same seed and actions. A dead player's actions mean nothing until it is back; the
// engine brings it back, nobody waits for it.
//
// A failure of one engine closes all; the next episode starts others.
#ifndef PARALLEL_POOL_VIZDOOM_MATCH_HPP_
#define PARALLEL_POOL_VIZDOOM_MATCH_HPP_

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "engine/engine.hpp"
#include "engine/match_network.hpp"
#include "game.hpp"
#include "match_options.hpp"
#include "rewards.hpp"

namespace doom {

struct MatchSettings {
  GameSettings game;
  size_t players;
  size_t bots;
  NewMatch new_match;
  std::vector<std::string> host_arguments;
  std::vector<std::vector<std::string>> player_arguments;
};

class Match {
 public:
  explicit Match(MatchSettings settings) : settings_(std::move(settings)) {
    for (size_t i = 0; i < settings_.players; ++i) players_.emplace_back(settings_.game);
  }

  // DoomGame's set_seed of each player's. The match begins with new engines.
  void seed(uint32_t seed) {
    episode_seeds_.seed(seed);
    is_seeded_ = true;
  }

  void new_episode() {
    named([this] {
      const auto seed = static_cast<uint32_t>(episode_seeds_());
      const bool with_these = settings_.new_match == NewMatch::map && has_engines() && !is_seeded_;
      is_seeded_ = false;
      if (with_these) {
        restart(seed);
      } else {
        start(seed);
      }
      add_bots(with_these);
      for (Player& player : players_) player.begin(is_over());
    });
  }

  // Presses buttons for that many tics, or until the episode has ended: values(k) is a value for
  // each button of player k, valid until it is called again. Calls earned(k, reward).
  template <class Values, class Earned>
  void make_actions(Values&& values, int64_t tics, Earned&& earned) {
    named([&] {
      if (!has_engines()) throw std::logic_error("there is no episode under way");
      for (size_t k = 0; k < players_.size(); ++k) {
        const double* const value = values(k);
        const std::vector<size_t>& buttons = settings_.game.buttons;
        for (size_t i = 0; i < buttons.size(); ++i) input(k).value[buttons[i]] = value[i];
      }
      for (int64_t i = 0; i < tics && !has_ended(); ++i) {
        for (Player& player : players_) player.last_tic = player.state().map_tic + 1;
        if (i == tics - 1) {
          all([](Engine& engine) { engine.ask_tic_and_update(); });
        } else {
          tic();
          if (has_ended()) update();
        }
      }
      for (size_t k = 0; k < players_.size(); ++k) earned(k, players_[k].earned(is_over()));
    });
  }

  bool is_over() const { return state().map_end; }
  bool timeout_reached() const {
    const GameSettings& game = settings_.game;
    return (game.timeout > 0 && game.timeout + game.start_time <= state().map_tic) ||
           (state().map_tic_limit > 0 && state().map_tic_limit <= state().map_tic);
  }
  bool has_ended() const { return is_over() || timeout_reached(); }

  // What one player sees of it, and has got.
  struct Player {
    explicit Player(const GameSettings& settings) : rewards(settings.rewards) {}

    bool has_engine() const { return its_engine != nullptr; }
    const Engine& engine() const { return *its_engine; }
    const SharedState& state() const { return its_engine->state(); }
    double variable(int number) const {
      const double value = doom::variable(state(), number);
      return number == variable_death_count ? value - deaths_before : value;
    }
    void begin(bool ended) {
      last_tic = state().map_tic;
      rewards.earned(state(), 0, ended);
      rewarded_tic = last_tic;
      deaths_before = state().deaths;
      its_engine->take_output();
    }
    double earned(bool ended) {
      const double reward =
          rewards.earned(state(), int64_t{last_tic} - int64_t{rewarded_tic}, ended);
      rewarded_tic = last_tic;
      return reward;
    }

    std::unique_ptr<Engine> its_engine;
    Rewards rewards;
    uint32_t last_tic = 1;
    uint32_t rewarded_tic = 0;
    int32_t deaths_before = 0;
  };
  const Player& player(size_t number) const { return players_[number]; }
  size_t size() const { return players_.size(); }

 private:
  bool has_engines() const { return players_[0].has_engine(); }
  // What is the same for all.
  const SharedState& state() const { return players_[0].state(); }
  SharedInput& input(size_t player) { return players_[player].its_engine->input(); }

  void start(uint32_t seed) {
    close();
    const MatchNetwork network(players_.size());
    for (size_t k = 0; k < players_.size(); ++k) launch(k, seed, network);
    wait();
    pass_start_time();
    update();
    for (size_t k = 0; k < players_.size(); ++k) {
      if (players_[k].state().player_number != k) {
        throw std::runtime_error("the engines have met in another order: install vizdoom==1.3.2");
      }
      set_input(input(k));
    }
  }
  void launch(size_t k, uint32_t seed, const MatchNetwork& network) {
    const GameSettings& game = settings_.game;
    std::vector<std::string> arguments = game.arguments;
    const auto more = [&arguments](const std::vector<std::string>& words) {
      arguments.insert(arguments.end(), words.begin(), words.end());
    };
    // Before what users say, so that theirs holds.
    if (k == 0) {
      arguments.insert(arguments.begin() + 1, settings_.host_arguments.begin(),
                       settings_.host_arguments.end());
    }
    more({"-rngseed", std::to_string(seed)});
    if (!settings_.player_arguments.empty()) more(settings_.player_arguments[k]);
    more(network.arguments(k));
    players_[k].its_engine = std::make_unique<Engine>(std::move(arguments), game.folder,
                                                      game.engine_timeout, network.inherited(k));
  }
  void set_input(SharedInput& input) const {
    const GameSettings& game = settings_.game;
    for (size_t i = 0; i < button_count; ++i) {
      input.value[i] = 0;
      input.available[i] = false;
    }
    for (const size_t button : game.buttons) input.available[button] = true;
    for (size_t i = 0; i < delta_button_count; ++i) input.limit[i] = game.button_limits[i];
  }

  // The players leave the map's last picture, as DoomGame has it: by USE, pressed and let go.
  void restart(uint32_t seed) {
    std::vector<bool> could_use;
    for (size_t k = 0; k < players_.size(); ++k) {
      players_[k].its_engine->command("rngseed set " + std::to_string(seed));
      if (k == 0) players_[k].its_engine->command("changemap " + settings_.game.map);
      for (double& value : input(k).value) value = 0;
      could_use.push_back(input(k).available[button_use]);
      input(k).available[button_use] = true;
    }
    command("-use");
    bool presses = true;
    do {
      command(presses ? "+use" : "-use");
      presses = !presses;
      tic();
    } while (state().map_end || state().map_tic > players_[0].last_tic);
    command("-use");
    for (size_t k = 0; k < players_.size(); ++k) input(k).available[button_use] = could_use[k];
    pass_start_time();
    command("viz_override_player 0");
    update();
  }
  // They come with the first tic.
  void add_bots(bool again) {
    Engine& host = *players_[0].its_engine;
    if (again && settings_.bots > 0) host.command("removebots");
    for (size_t i = 0; i < settings_.bots; ++i) host.command("addbot");
  }

  void pass_start_time() {
    while (state().map_tic < settings_.game.start_time) tic();
  }
  void tic() {
    all([](Engine& engine) { engine.ask_tic(); });
  }
  void update() {
    all([](Engine& engine) { engine.ask_update(); });
  }
  void command(const char* text) {
    for (Player& player : players_) player.its_engine->command(text);
  }
  template <class Ask>
  void all(Ask&& ask) {
    for (size_t k = 0; k < players_.size(); ++k) {
      of_player(k, [&] {
        ask(*players_[k].its_engine);
        return true;
      });
    }
    wait();
  }
  // For all answers, whoever is first: one that ended is found while others wait for it.
  void wait() {
    size_t missing = players_.size();
    is_waited_for_.assign(missing, true);
    const auto take = [&](size_t k, bool patiently) {
      const bool came =
          of_player(k, [&] { return players_[k].its_engine->take_answer(patiently); });
      if (came) {
        is_waited_for_[k] = false;
        --missing;
      }
      return came;
    };
    size_t patient = 0;
    while (missing > 0) {
      bool moved = false;
      for (size_t k = 0; k < players_.size(); ++k) {
        if (is_waited_for_[k]) moved = take(k, false) || moved;
      }
      if (moved || missing == 0) continue;
      do {
        patient = (patient + 1) % players_.size();
      } while (!is_waited_for_[patient]);
      take(patient, true);
    }
  }

  template <class Work>
  bool of_player(size_t number, Work&& work) const {
    try {
      return work();
    } catch (const Engine::Failure& failure) {
      throw std::runtime_error("player " + std::to_string(number) + " of " +
                               std::to_string(players_.size()) + ", who wait for each other: " +
                               failure.what());
    }
  }
  // A failure names the scenario, and is the engines' last.
  template <class Work>
  void named(Work&& work) {
    try {
      work();
    } catch (const std::exception& error) {
      close();
      throw std::runtime_error(settings_.game.name + ": " + error.what());
    }
  }
  void close() {
    for (Player& player : players_) player.its_engine.reset();
  }

  static constexpr size_t button_use = 1;

  const MatchSettings settings_;
  std::mt19937 episode_seeds_;
  bool is_seeded_ = false;
  std::vector<Player> players_;
  std::vector<bool> is_waited_for_;
};

}  // namespace doom
#endif  // PARALLEL_POOL_VIZDOOM_MATCH_HPP_
