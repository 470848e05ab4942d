// A game as an environment of the host.
#ifndef PARALLEL_POOL_VIZDOOM_ENVIRONMENT_HPP_
#define PARALLEL_POOL_VIZDOOM_ENVIRONMENT_HPP_

#include <cstdint>

#include "action.hpp"
#include "cut_short.hpp"
#include "game.hpp"
#include "info.hpp"
#include "observation.hpp"
#include "options.hpp"
#include "parallel_pool/env.hpp"
#include "scenario.hpp"
#include "scenario_settings.hpp"
#include "shaped_reward.hpp"

namespace doom {

// `Buttons`: what an action is (action.hpp).
template <class Buttons>
class Environment {
 public:
  static constexpr const char* id = Buttons::id;
  static constexpr const char* summary = "A scenario of ViZDoom";
  static constexpr bool resets_wait = true;  // for engines that begin
  static constexpr bool steps_wait = true;   // for one that hangs
  using Options = DoomOptions;
  using Obs = pp::Fields;
  using Action = doom::Action;
  using Info = GameInfo<pp::Scalar<double>>;

  static void describe(pp::Spec& spec, const Options& options) {
    const auto scenario = ScenarioSettings::read(options.scenario_settings);
    Buttons::describe(spec, options, scenario);
    Observation::describe(spec, options, scenario);
  }

  explicit Environment(const Options& options)
      : Environment(options, ScenarioSettings::read(options.scenario_settings)) {}

  void unseen(bool unseen) { unseen_ = unseen && observation_.forgets(); }
  void seed(uint64_t seed) { rules_.seed(game_, seed); }

  void begin_reset(pp::Rng& rng) {
    rules_.draw_seed(game_, rng);
    cut_short_.begin_reset();
    game_.begin_episode();
  }
  void begin_step(Action::Value action) {
    cut_short_.begin_step();
    cut_short_.unless_broken([&] {
      game_.begin_action(buttons_.read(action), rules_.frame_skip, unseen_);
      return pp::Progress::moved;
    });
  }
  pp::Progress go_on(bool wait) {
    return cut_short_.unless_broken([&] { return game_.go_on(wait); });
  }

  void reset(pp::Rng&, Obs::Ref obs, Info::Ref info) {
    shaped_reward_.begin_episode(game_);
    observation_.write(game_, obs, true);
    write(info);
  }
  pp::Outcome step(Action::Value, Obs::Ref obs, Info::Ref info) {
    pp::Outcome outcome;
    outcome.reward = shaped_reward_.enabled() ? shaped_reward_.earned(game_) : game_.reward();
    outcome.truncated = game_.timeout_reached();
    outcome.terminated = rules_.terminated(game_);
    const char* const reason = cut_short_.reason();
    if (!unseen_ || game_.has_ended() || reason != nullptr) observation_.write(game_, obs, false);
    write(info);
    // The row has what was seen of the game before.
    if (reason != nullptr) return {0, false, true, 1, reason};
    return outcome;
  }

  pp::FrameSize frame_size() const { return screen_.size(); }
  void draw(uint8_t* rgb) const { screen_.draw(game_, rgb); }

 private:
  Environment(const Options& options, const ScenarioSettings& scenario)
      : game_(game_settings(options, scenario)),
        buttons_(options, scenario),
        observation_(options, scenario),
        shaped_reward_(options, scenario),
        rules_(options),
        screen_(scenario) {}

  void write(const Info::Ref& info) const {
    put_info(game_,
             [&info](auto key, double value) { info.template get<decltype(key)::key>() = value; });
  }

  Game game_;
  Buttons buttons_;
  Observation observation_;
  ShapedReward shaped_reward_;
  CutShort cut_short_;
  bool unseen_ = false;
  const EpisodeRules rules_;
  const Screen screen_;
};

}  // namespace doom
#endif  // PARALLEL_POOL_VIZDOOM_ENVIRONMENT_HPP_
