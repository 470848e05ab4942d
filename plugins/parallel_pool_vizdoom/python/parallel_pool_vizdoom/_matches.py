"""The scenarios of the package vizdoom that several players play, as data."""

from collections.abc import Iterator
from typing import Any

from parallel_pool.plugin_api import EnvSpec

NATIVE = "vizdoom/Match-v1"

DEFAULTS: dict[str, Any] = {
    "num_players": 2,
    "bots": 0,
    "game_mode": "deathmatch",
    "player_args": "",
}
"""The options that are checked here, before the library checks them."""

MATCHES: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("Cig", "Deathmatch in a maze, with rocket launchers", {"cfg_path": "cig.cfg"}),
    (
        "MultiDuel",
        "Two face each other and shoot",
        {"cfg_path": "multi_duel.cfg", "episode_timeout": 2100},
    ),
    (
        "MultiDeathmatch",
        "Two fight in a building",
        {"cfg_path": "multi.cfg", "episode_timeout": 4200},
    ),
    (
        "Cooperative",
        "Freedoom's maps together",
        # On a new map players that cooperate keep what they have, so another match needs other engines.
        {"cfg_path": "freedoom2.cfg", "game_mode": "cooperative", "new_match": "engines"},
    ),
    (
        "MatchCustom",
        "The scenario of cfg_path and wad_path, for several",
        {"cfg_path": "multi_duel.cfg", "episode_timeout": 2100},
    ),
)
"""Name, summary, options. Where the cfg has no end of its own, one or two minutes are one."""


def match_envs(options: dict[str, Any], fps: float, no_states: str) -> Iterator[EnvSpec]:
    """All of them, with these options and as many steps per second; why they cannot be saved."""
    for name, summary, own in MATCHES:
        yield EnvSpec(
            f"vizdoom/{name}-v1",
            native=NATIVE,
            summary=summary,
            options={**DEFAULTS, **own, **options},
            tags=("vizdoom", "players"),
            render_modes=("rgb_array",),
            render_fps=fps,
            no_states=no_states,
        )
