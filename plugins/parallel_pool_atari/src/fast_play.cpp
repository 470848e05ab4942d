// SPDX-License-Identifier: GPL-2.0-only
#include "fast_play.hpp"

namespace pp::atari {
namespace {

using namespace ale_private;  // NOLINT: the tags of this file

}  // namespace

int play_frame(ale::ALEInterface& ale, FastConsole& console, ale::Action action) {
  ale::StellaEnvironment& environment = *ale.environment;
  ale::RomSettings& game = *ale.romSettings;
  ale::stella::Random& random = environment.getEnvironmentRNG();
  const float sticky = environment.*member(Sticky{});

  // Both are drawn in every frame, and even if nothing is sticky: a game may look at the numbers
  // when it is reset (Adventure does).
  if (random.nextDouble() >= sticky) {
    environment.*member(LastAction{}) = action;
    environment.*member(LastStrength{}) = 1.0F;
  }
  if (random.nextDouble() >= sticky) {
    environment.*member(OtherAction{}) = ale::PLAYER_B_NOOP;
    environment.*member(OtherStrength{}) = 0.0F;
  }
  if (environment.isTerminal()) return 0;

  // Player B only ever does nothing.
  ale::Action played = environment.*member(LastAction{});
  if (!game.isLegal(played)) played = ale::PLAYER_A_NOOP;
  ale::ALEState& state = environment.*member(PlayState{});
  ale::stella::Event* keys = ale.theOSystem->event();
  if (environment.*member(UsesPaddles{})) {
    (state.*member(ApplyPaddles{}))(keys, played, environment.*member(LastStrength{}),
                                    ale::PLAYER_B_NOOP, environment.*member(OtherStrength{}));
  } else {
    (state.*member(ApplyJoysticks{}))(keys, played, ale::PLAYER_B_NOOP);
  }
  console.update();
  game.step(console.system());
  state.incrementFrame();
  return game.getReward();
}

}  // namespace pp::atari
