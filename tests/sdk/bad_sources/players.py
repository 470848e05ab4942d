"""Mistakes in an environment of several players."""

from sdk.bad_sources.scalar import BY_REFERENCE

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
    "reset copies the generator": ("reset(pp::Rng&,", "reset(pp::Rng,", BY_REFERENCE),
    "no number of players": (
        "static constexpr uint32_t max_players = 2;",
        "",
        "pp::PerPlayer and `static constexpr uint32_t max_players` come together",
    ),
    "players of a player": (
        "pp::PerPlayer<pp::Scalar<float>>",
        "pp::PerPlayer<pp::PerPlayer<pp::Scalar<float>>>",
        "a player has no players of its own",
    ),
    "an outcome": ("pp::Ending step(", "pp::Outcome step(", "and returns pp::Ending"),
    "a kernel": ("scalar<Duel>", "batch<Duel, 8>", "written one at a time, with pp::scalar"),
    **{
        f"players.{call}": (
            "pp::Players<Duel>) {",
            f"pp::Players<Duel> players) {{ players.{call};",
            sentence,
        )
        for call, sentence in (
            ("terminate(0)", "`static constexpr bool players_end_alone = true`; to end the"),
            ("truncate(0)", "players.truncate() needs"),
            ("join(0)", "needs `static constexpr bool players_vary = true`"),
            ("leave(0)", "needs `static constexpr bool players_vary = true`"),
            ("discount(0) = 1", "declare `static constexpr bool has_discount = true`"),
        )
    },
}
