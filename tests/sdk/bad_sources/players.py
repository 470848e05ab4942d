"""Mistakes in an environment of several players."""

from __future__ import annotations

PLAYERS = """#include <parallel_pool/env.hpp>

struct Duel {
  static constexpr const char* id = "walk/Duel-v0";
  static constexpr uint32_t max_players = 2;
  using Obs = pp::PerPlayer<pp::Scalar<float>>;
  using Action = pp::PerPlayer<pp::Discrete<3>>;
  void reset(pp::Rng&, Obs::Ref obs) { obs[0] = obs[1] = 0; }
  pp::Ending step(Action::Value action, Obs::Ref obs, pp::Players<Duel>) {
    obs[0] = static_cast<float>(action[0]);
    return {};
  }
};

PP_PLUGIN("walk", pp::scalar<Duel>());
"""

BAD_PLAYERS = {
    "step without the players": (", pp::Players<Duel>)", ")", "pp::Players<E> players)`"),
    "a text of each player": (
        "pp::PerPlayer<pp::Scalar<float>>",
        "pp::PerPlayer<pp::Text<8>>",
        "pp::Text is there once for all players",
    ),
    "another reset": ("pp::Rng&, Obs::Ref obs", "Obs::Ref obs", "reset of a multi-player"),
    "reset copies the generator": (
        "reset(pp::Rng&,",
        "reset(pp::Rng,",
        "take the generator by reference, `pp::Rng& rng`",
    ),
}
