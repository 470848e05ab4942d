// One match: an engine for each player, in lockstep.
//
// A match plays like N DoomGames in mode PLAYER: frames, variables and rewards of each are the same
// with the same seed and actions. A dead player's actions mean nothing until it is back; the engine
// brings it back, and the match does not wait for it.
//
// Long operations are begun and gone on with, as in game.hpp; each time all engines have answered
// the next request goes to all. A failure of one engine ends all; the next episode starts others.
#ifndef PARALLEL_POOL_VIZDOOM_MATCH_HPP_
#define PARALLEL_POOL_VIZDOOM_MATCH_HPP_

#include <cstddef>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "continuation.hpp"
#include "cut_short.hpp"
#include "engine/lockstep.hpp"
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
  std::vector<std::vector<std::string>> player_arguments;  // arguments of each player
};

// The view and the rewards of one player of a match.
class MatchPlayer {
 public:
  MatchPlayer(const Lockstep& engines, size_t number, const GameSettings& settings)
      : engines_(engines), number_(number), rewards_(settings.rewards) {}

  bool has_engine() const { return engines_.engine(number_) != nullptr; }
  const Engine& engine() const { return *engines_.engine(number_); }
  const SharedState& state() const { return engine().state(); }
  // Deaths are counted from the beginning of the episode.
  double variable(int number) const {
    const double value = doom::variable(state(), number);
    return number == variable_death_count ? value - deaths_before_ : value;
  }

  void begin(bool ended) {
    last_tic_ = state().map_tic;
    rewards_.earned(state(), 0, ended);
    rewarded_tic_ = last_tic_;
    deaths_before_ = state().deaths;
    engines_.engine(number_)->take_output();
  }
  void begin_tic() { last_tic_ = state().map_tic + 1; }
  uint32_t last_tic() const { return last_tic_; }
  void end_actions(bool ended) {
    reward_ = rewards_.earned(state(), int64_t{last_tic_} - int64_t{rewarded_tic_}, ended);
    rewarded_tic_ = last_tic_;
  }
  // Returns what the last actions have earned.
  double reward() const { return reward_; }

 private:
  const Lockstep& engines_;
  const size_t number_;
  Rewards rewards_;
  uint32_t last_tic_ = 1;
  uint32_t rewarded_tic_ = 0;
  int32_t deaths_before_ = 0;
  double reward_ = 0;
};

class Match {
 public:
  explicit Match(MatchSettings settings)
      : settings_(std::move(settings)), engines_(settings_.players) {
    for (size_t k = 0; k < engines_.size(); ++k) {
      players_.emplace_back(engines_, k, settings_.game);
    }
  }
  Match(const Match&) = delete;
  Match& operator=(const Match&) = delete;

  // DoomGame's set_seed of each player's. The match begins with new engines.
  void seed(uint32_t seed) {
    episode_seeds_.seed(seed);
    is_seeded_ = true;
  }

  void begin_episode() {
    guarded([this] {
      const auto seed = static_cast<uint32_t>(episode_seeds_());
      is_new_ = settings_.new_match == NewMatch::engines || !is_playing_ || is_seeded_;
      is_seeded_ = false;
      is_playing_ = true;
      is_new_ ? start(seed) : change_map(seed);
    });
  }

  // Presses buttons for that many tics, or until the episode has ended: values(k) is a value for
  // each button of player k, valid until it is called again.
  template <class Values>
  void begin_actions(Values&& values, int64_t tics) {
    guarded([&] {
      if (!is_playing_) throw std::logic_error("there is no episode under way");
      const std::vector<size_t>& buttons = settings_.game.buttons;
      for (size_t k = 0; k < players_.size(); ++k) {
        const double* const value = values(k);
        for (size_t i = 0; i < buttons.size(); ++i) input(k).value[buttons[i]] = value[i];
      }
      tics_ = tics;
      has_ended() ? static_cast<void>(finish_actions()) : act();
    });
  }

  // Throws Broken: all engines have ended then, and what they showed last can still be seen.
  // `wait`: for an answer, but only a little while.
  pp::Progress go_on(bool wait) {
    auto progress = pp::Progress::done;
    guarded([&] {
      progress = continuation_.go_on(*this, [&] { return engines_.take_answers(wait); });
    });
    return progress;
  }

  bool is_over() const { return state().map_end; }
  bool timeout_reached() const { return is_late(state(), end_tic(settings_.game)); }
  bool has_ended() const { return is_over() || timeout_reached(); }

  const MatchPlayer& player(size_t number) const { return players_[number]; }
  size_t size() const { return players_.size(); }

 private:
  static constexpr size_t use = 1;  // the button

  // Returns the state that is the same for all.
  const SharedState& state() const { return players_[0].state(); }
  SharedInput& input(size_t player) { return engines_.engine(player)->input(); }

  void start(uint32_t seed) {
    const GameSettings& game = settings_.game;
    std::vector<std::vector<std::string>> lines;
    for (size_t k = 0; k < players_.size(); ++k) {
      std::vector<std::string>& line = lines.emplace_back(game.arguments);
      // Before what users say, so that theirs holds.
      const std::vector<std::string>& hosts = settings_.host_arguments;
      if (k == 0) line.insert(line.begin() + 1, hosts.begin(), hosts.end());
      line.insert(line.end(), {"-rngseed", std::to_string(seed)});
      const std::vector<std::string>& own = settings_.player_arguments[k];
      line.insert(line.end(), own.begin(), own.end());
    }
    continuation_.then(&Match::started);
    engines_.start(std::move(lines), game.folder, game.engine_timeout, game.library);
  }
  bool started() {
    continuation_.then(&Match::met);
    engines_.ask_update();
    return true;
  }
  bool met() {
    engines_.check_order();
    return pass();
  }

  // The players leave the map's last picture, as DoomGame has it: by USE, pressed and let go.
  void change_map(uint32_t seed) {
    engines_.command("rngseed set " + std::to_string(seed));
    engines_.command(0, "changemap " + settings_.game.map);
    could_use_.clear();
    for (size_t k = 0; k < players_.size(); ++k) {
      for (double& value : input(k).value) value = 0;
      could_use_.push_back(input(k).available[use]);
      input(k).available[use] = true;
    }
    engines_.command("-use");
    presses_ = true;
    continuation_.then(&Match::changed_map);
    press();
  }
  void press() {
    engines_.command(presses_ ? "+use" : "-use");
    presses_ = !presses_;
    engines_.ask_tic();
  }
  bool changed_map() {
    if (state().map_end || state().map_tic > players_[0].last_tic()) {
      press();
      return true;
    }
    engines_.command("-use");
    for (size_t k = 0; k < players_.size(); ++k) input(k).available[use] = could_use_[k];
    return pass();
  }

  // The tics before an episode begins.
  bool pass() {
    if (state().map_tic < settings_.game.start_time) {
      continuation_.then(&Match::pass);
      engines_.ask_tic();
      return true;
    }
    if (!is_new_) engines_.command("viz_override_player 0");
    continuation_.then(&Match::began);
    engines_.ask_update();
    return true;
  }
  bool began() {
    if (is_new_) {
      for (size_t k = 0; k < players_.size(); ++k) set_up(input(k), settings_.game);
    } else if (settings_.bots > 0) {
      engines_.command(0, "removebots");
    }
    // They come with the first tic.
    for (size_t i = 0; i < settings_.bots; ++i) engines_.command(0, "addbot");
    for (MatchPlayer& player : players_) player.begin(is_over());
    return false;
  }

  void act() {
    for (MatchPlayer& player : players_) player.begin_tic();
    continuation_.then(&Match::acted);
    --tics_ == 0 ? engines_.ask_tic_and_update() : engines_.ask_tic();
  }
  bool acted() {
    if (tics_ == 0) return finish_actions();
    if (!has_ended()) {
      act();
      return true;
    }
    continuation_.then(&Match::finish_actions);
    engines_.ask_update();
    return true;
  }
  bool finish_actions() {
    for (MatchPlayer& player : players_) player.end_actions(is_over());
    return false;
  }

  // A failure names the scenario, and is the engines' last.
  template <class Work>
  void guarded(Work&& work) {
    try {
      work();
    } catch (const Lockstep::Failure& failure) {
      fail();
      throw Broken(settings_.game.name + ": " + failure.what());
    } catch (...) {
      fail();
      throw;
    }
  }
  void fail() {
    continuation_.stop();
    is_playing_ = false;
    engines_.end();
  }

  const MatchSettings settings_;
  std::mt19937 episode_seeds_;
  bool is_seeded_ = false;
  bool is_playing_ = false;
  bool is_new_ = false;  // the episode that begins is the engines' first
  int64_t tics_ = 0;     // left of an action
  bool presses_ = false;
  std::vector<bool> could_use_;  // each player, before the map was asked for
  Continuation<Match> continuation_;
  Lockstep engines_;
  std::vector<MatchPlayer> players_;
};

}  // namespace doom
#endif  // PARALLEL_POOL_VIZDOOM_MATCH_HPP_
