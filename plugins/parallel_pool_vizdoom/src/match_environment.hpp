// A match as an environment of the host, with several players.
#ifndef PARALLEL_POOL_VIZDOOM_MATCH_ENVIRONMENT_HPP_
#define PARALLEL_POOL_VIZDOOM_MATCH_ENVIRONMENT_HPP_

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

#include "action.hpp"
#include "cut_short.hpp"
#include "info.hpp"
#include "match.hpp"
#include "match_options.hpp"
#include "observation.hpp"
#include "parallel_pool/env.hpp"
#include "scenario.hpp"
#include "scenario_settings.hpp"
#include "shaped_reward.hpp"

namespace doom {

class MatchEnvironment {
 public:
  static constexpr const char* id = "vizdoom/Match-v1";
  static constexpr const char* summary = "A scenario of ViZDoom for several players";
  static constexpr bool resets_wait = true;  // for engines that begin
  static constexpr bool steps_wait = true;   // for one that hangs
  static constexpr uint32_t max_players = doom::max_players;
  using Options = MatchOptions;
  using Obs = pp::PerPlayer<pp::Fields>;
  using Action = pp::PerPlayer<doom::Action>;
  using Info = GameInfo<pp::PerPlayer<pp::Scalar<double>>>;

  static void describe(pp::Spec& spec, const Options& options) {
    spec.max_players = static_cast<uint32_t>(options.num_players);
    const auto scenario = ScenarioSettings::read(options.scenario_settings);
    Buttons::describe(spec, options, scenario);
    Observation::describe(spec, options, scenario);
  }

  explicit MatchEnvironment(const Options& options)
      : MatchEnvironment(options, ScenarioSettings::read(options.scenario_settings)) {}

  void seed(uint64_t seed) { rules_.seed(match_, seed); }

  void begin_reset(pp::Rng& rng) {
    rules_.draw_seed(match_, rng);
    cut_short_.begin_reset();
    match_.begin_episode();
  }
  void begin_step(Action::Value action) {
    cut_short_.begin_step();
    cut_short_.unless_broken([&] {
      match_.begin_actions([&](size_t k) { return buttons_.read(action[k]); }, rules_.frame_skip);
      return pp::Progress::moved;
    });
  }
  pp::Progress go_on(bool wait) {
    return cut_short_.unless_broken([&] { return match_.go_on(wait); });
  }

  void reset(pp::Rng&, Obs::Ref obs, Info::Ref info) {
    for (size_t k = 0; k < match_.size(); ++k) shaped_reward_[k].begin_episode(match_.player(k));
    write(obs, info, true);
  }
  pp::Ending step(Action::Value, Obs::Ref obs, Info::Ref info,
                  pp::Players<MatchEnvironment> players) {
    write(obs, info, false);
    // The row has what was seen of the match before.
    if (cut_short_.reason() != nullptr) return {false, true, cut_short_.reason()};
    for (size_t k = 0; k < match_.size(); ++k) {
      const MatchPlayer& player = match_.player(k);
      players.reward(k) =
          shaped_reward_[k].enabled() ? shaped_reward_[k].earned(player) : player.reward();
    }
    return {rules_.terminated(match_), match_.timeout_reached()};
  }

  // All players' screens beside each other.
  pp::FrameSize frame_size() const { return screen_.size(match_.size()); }
  void draw(uint8_t* rgb) const {
    for (size_t k = 0; k < match_.size(); ++k) {
      screen_.draw(match_.player(k), rgb, k, match_.size());
    }
  }

 private:
  MatchEnvironment(const Options& options, const ScenarioSettings& scenario)
      : match_(match_settings(options, scenario)),
        buttons_(options, scenario),
        rules_(options),
        screen_(scenario) {
    for (size_t k = 0; k < match_.size(); ++k) {
      observation_.emplace_back(options, scenario);
      shaped_reward_.emplace_back(options, scenario);
    }
  }

  static MatchSettings match_settings(const Options& options, const ScenarioSettings& scenario) {
    MatchSettings settings{game_settings(options, scenario),
                           static_cast<size_t>(options.num_players),
                           static_cast<size_t>(options.bots),
                           options.new_match,
                           {},
                           {}};
    // The engine's own patience is longer than ours, which has the better message.
    const auto patience = static_cast<int64_t>(std::ceil(options.engine_timeout)) + 10;
    std::vector<std::string>& every = settings.game.arguments;
    every.insert(every.begin() + 1, {"+viz_connect_timeout", std::to_string(patience)});
    settings.host_arguments = {"+sv_forcerespawn", "1", "+viz_respawn_delay",
                               std::to_string(options.respawn_delay)};
    if (options.game_mode == MatchMode::deathmatch) {
      settings.host_arguments.insert(settings.host_arguments.begin(), "-deathmatch");
    }
    if (options.bots > 0) {
      settings.host_arguments.insert(settings.host_arguments.end(),
                                     {"+viz_bots_path", scenario.bots_path});
    }
    settings.player_arguments.resize(settings.players);
    std::istringstream lines(options.player_args);
    for (std::vector<std::string>& arguments : settings.player_arguments) {
      std::string line;
      std::getline(lines, line);
      std::istringstream words(line);
      for (std::string word; words >> word;) arguments.push_back(word);
    }
    return settings;
  }

  void write(const Obs::Ref& obs, const Info::Ref& info, bool first) {
    for (size_t k = 0; k < match_.size(); ++k) {
      const MatchPlayer& player = match_.player(k);
      observation_[k].write(player, obs[k], first);
      put_info(player,
               [&](auto key, double value) { info.template get<decltype(key)::key>()[k] = value; });
    }
  }

  Match match_;
  Buttons buttons_;
  std::vector<Observation> observation_;
  std::vector<ShapedReward> shaped_reward_;
  CutShort cut_short_;
  const EpisodeRules rules_;
  const Screen screen_;
};

}  // namespace doom
#endif  // PARALLEL_POOL_VIZDOOM_MATCH_ENVIRONMENT_HPP_
