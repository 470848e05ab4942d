// Environments with several players; part of test_envs.cpp.
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "parallel_pool/env.hpp"

namespace test_envs {

// Always full. Each player observes its number, the steps and its last action; its reward is the
// action times its number plus one. The action `fails` of player 0 does.
struct Team {
  static constexpr const char* id = "test/Team-v0";
  static constexpr uint32_t max_players = 3;
  struct Options {
    uint32_t players;
    int64_t max_count;
    int64_t fails;
    static constexpr auto declared =
        pp::options(pp::option(&Options::players, "players", 3, "in the team", pp::Range{1, 100}),
                    pp::option(&Options::max_count, "max_count", 4, "steps until terminated",
                               pp::Range{1, 1000000}),
                    pp::option(&Options::fails, "fails", -1, "the action of player 0 that fails"));
  };
  using Obs = pp::PerPlayer<pp::Box<double, 3>>;
  using Action = pp::PerPlayer<pp::Discrete<5>>;
  static constexpr bool has_discount = true;

  static void describe(pp::Spec& spec, const Options& options) {
    spec.max_players = options.players;
    spec.obs().bounds(-1, 1e6);
  }
  explicit Team(const Options& options) : max_count_(options.max_count), fails_(options.fails) {}
  void reset(pp::Rng&, Obs::Ref obs) {
    count_ = 0;
    for (size_t k = 0; k < obs.size(); ++k) write(obs[k], k, -1);
  }
  pp::Ending step(Action::Value action, Obs::Ref obs, pp::Players<Team> players) {
    if (action[0] == fails_) throw std::runtime_error("player 0 asked for it");
    ++count_;
    for (size_t k = 0; k < players.size(); ++k) {
      write(obs[k], k, action[k]);
      players.reward(k) = static_cast<double>(action[k]) * static_cast<double>(k + 1);
      players.discount(k) = 1.0 / static_cast<double>(k + 1);
    }
    return {count_ >= max_count_};
  }
  void save(pp::StateWriter& out) const { out(count_); }
  void load(pp::StateReader& in) { in(count_); }

 private:
  void write(pp::Box<double, 3>::Ref row, size_t player, int32_t action) const {
    row[0] = static_cast<double>(player);
    row[1] = static_cast<double>(count_);
    row[2] = action;
  }
  int64_t max_count_;
  int64_t fails_;
  int64_t count_ = 0;
};

// Players do as their actions say: 1 is terminated, 2 truncated, 3 leaves, 4 brings in the first
// that is absent, 6 is terminated and plays on, 7 truncated; 0 and 5 stay. The first `begin` are
// there after a reset. Where the first two say 6 together, the episode ends for all.
struct Crowd {
  static constexpr const char* id = "test/Crowd-v0";
  static constexpr uint32_t max_players = 4;
  static constexpr bool players_end_alone = true;
  static constexpr bool players_vary = true;
  struct Options {
    uint32_t begin;
    bool strict;
    static constexpr auto declared = pp::options(
        pp::option(&Options::begin, "begin", 2, "players after a reset", pp::Range{0, 4}),
        pp::option(&Options::strict, "strict", true,
                   "whether an action of somebody absent, other than 0, is an error"));
  };
  // The member of each player has its number, its age in steps, its action and a random number.
  using Obs =
      pp::Dict<pp::At<"common", double, 1>, pp::At<"own", pp::PerPlayer<pp::Box<double, 4>>>>;
  using Action = pp::PerPlayer<pp::Discrete<8>>;
  using Info =
      pp::Dict<pp::At<"age", pp::PerPlayer<pp::Scalar<int32_t>>>, pp::At<"crowd", int32_t>>;

  explicit Crowd(const Options& options) : begin_(options.begin), strict_(options.strict) {}
  void reset(pp::Rng& rng, Obs::Ref obs, Info::Ref info, pp::Players<Crowd> players) {
    for (size_t k = 0; k < players.size(); ++k) {
      age_[k] = 0;
      if (k >= begin_) players.leave(k);
    }
    for (size_t k = 0; k < players.size(); ++k) write(k, -1, rng, obs, info, players);
  }
  pp::Ending step(Action::Value action, pp::Rng& rng, Obs::Ref obs, Info::Ref info,
                  pp::Players<Crowd> players) {
    bool acted[max_players];
    for (size_t k = 0; k < players.size(); ++k) acted[k] = players.present(k);
    for (size_t k = 0; k < players.size(); ++k) {
      if (!acted[k]) {
        if (strict_ && action[k] != 0) throw std::runtime_error("somebody absent acted");
        continue;
      }
      ++age_[k];
      players.reward(k) = 10.0 * static_cast<double>(k) + action[k];
      if (action[k] == 1) players.terminate(k);
      if (action[k] == 2) players.truncate(k);
      if (action[k] == 6) players.terminate(k, pp::plays_on);
      if (action[k] == 7) players.truncate(k, pp::plays_on);
      if (action[k] >= 6) age_[k] = 0;
      if (action[k] == 3) players.leave(k);
      if (action[k] == 4) bring(players);
    }
    for (size_t k = 0; k < players.size(); ++k) {
      write(k, acted[k] ? action[k] : -1, rng, obs, info, players);
    }
    return {action[0] == 6 && action[1] == 6};
  }
  void save(pp::StateWriter& out) const { out(age_); }
  void load(pp::StateReader& in) { in(age_); }

 private:
  void bring(const pp::Players<Crowd>& players) {
    for (size_t k = 0; k < players.size(); ++k) {
      if (players.present(k)) continue;
      players.join(k);
      age_[k] = 0;
      return;
    }
  }
  void write(size_t k, int32_t action, pp::Rng& rng, Obs::Ref obs, Info::Ref info,
             const pp::Players<Crowd>& players) const {
    int32_t number = 0;
    for (size_t i = 0; i < players.size(); ++i) number += players.present(i) ? 1 : 0;
    obs.get<"common">()[0] = number;
    info.get<"crowd">() = number;
    // For the absent too: it may not be seen.
    const auto row = obs.get<"own">()[k];
    row[0] = static_cast<double>(k);
    row[1] = age_[k];
    row[2] = action;
    row[3] = rng.random();
    info.get<"age">()[k] = age_[k];
  }
  size_t begin_;
  bool strict_;
  int32_t age_[max_players] = {};
};

// Two players with an action of their own and one that they share, echoed; ends when both are done,
// which each says by pushing 1 or more.
struct Shared {
  static constexpr const char* id = "test/Shared-v0";
  static constexpr uint32_t max_players = 2;
  static constexpr bool players_end_alone = true;
  using Action =
      pp::Dict<pp::At<"push", pp::PerPlayer<pp::Box<float, 2>>>, pp::At<"turn", pp::Discrete<3>>>;
  using Obs =
      pp::Dict<pp::At<"push", pp::PerPlayer<pp::Box<float, 2>>>, pp::At<"turn", pp::Discrete<3>>>;

  void reset(pp::Rng&, Obs::Ref obs) {
    obs.get<"turn">() = 0;
    for (size_t k = 0; k < max_players; ++k) obs.get<"push">()[k][0] = obs.get<"push">()[k][1] = 0;
  }
  pp::Ending step(Action::Value action, Obs::Ref obs, pp::Players<Shared> players) {
    obs.get<"turn">() = action.get<"turn">();
    for (size_t k = 0; k < max_players; ++k) {
      const auto force = action.get<"push">()[k];
      for (size_t i = 0; i < 2; ++i) obs.get<"push">()[k][i] = force[i];
      players.reward(k) = force[0];
      if (force[0] >= 1) players.terminate(k);
    }
    return {};
  }
};

}  // namespace test_envs
