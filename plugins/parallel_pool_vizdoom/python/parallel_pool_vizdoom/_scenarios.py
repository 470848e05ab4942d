"""The scenarios of the package vizdoom, as data.

Each has two ids: EnvPool's, with its sizes and stack, and that of ViZDoom's Gymnasium environments.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from parallel_pool.plugin_api import EnvSpec

from parallel_pool_vizdoom._matches import match_envs
from parallel_pool_vizdoom._package import FOLDERS, SCENARIO_PLACES

_NATIVE = "vizdoom/Game-v1"
_MIXED = "vizdoom/Mixed-v1"
"""For actions that are a dict of bits and of numbers."""
FPS = 35
"""Tics per second."""

PICTURES: dict[str, Any] = {"img_height": 84, "img_width": 84, "stack_num": 4, "frame_skip": 4}
ENVPOOL: dict[str, Any] = {**PICTURES, "reward_config": "envpool", "episode_timeout": 0}
"""EnvPool's defaults."""
ENVPOOL_STEPS = 525
"""The limit of an episode, whatever the scenario says."""

_HEARD_OR_READ: dict[str, dict[str, Any]] = {
    "basic_audio": {"audio_buffer": True},
    "basic_notifications": {"notifications_buffer": True},
}
"""In ViZDoom's Gymnasium environments, not in EnvPool."""

GYMNASIUM: dict[str, Any] = {
    "actions": "binary",
    "channels_last": True,
    "dict_observation": True,
    "seeding": "gymnasium",
    "timeout_terminates": True,
}


@dataclass(frozen=True)
class Scenario:
    """One cfg of the package."""

    cfg: str
    envpool: str
    gymnasium: str
    """Without `Vizdoom`; empty: it has none."""
    summary: str


SCENARIOS = (
    Scenario("basic", "Basic", "Basic", "Shoot the one monster in a room"),
    Scenario("deadly_corridor", "DeadlyCorridor", "DeadlyCorridor", "Reach the vest past enemies"),
    Scenario("deathmatch", "Deathmatch", "Deathmatch", "Kill as many monsters as you can"),
    Scenario("defend_the_center", "DefendTheCenter", "DefendCenter", "Shoot whoever comes near"),
    Scenario("defend_the_line", "DefendTheLine", "DefendLine", "Shoot whoever comes over a line"),
    Scenario(
        "health_gathering", "HealthGathering", "HealthGathering", "Stay alive on an acid floor"
    ),
    Scenario(
        "health_gathering_supreme",
        "HealthGatheringSupreme",
        "HealthGatheringSupreme",
        "Stay alive on an acid floor in a maze",
    ),
    Scenario("my_way_home", "MyWayHome", "MyWayHome", "Find the vest in a maze"),
    Scenario(
        "predict_position", "PredictPosition", "PredictPosition", "Hit a runner with a rocket"
    ),
    Scenario("rocket_basic", "RocketBasic", "", "Shoot the one monster in a room with a rocket"),
    Scenario("simpler_basic", "SimplerBasic", "", "Shoot the one monster in a plain room"),
    Scenario("take_cover", "TakeCover", "TakeCover", "Dodge fireballs"),
    Scenario("basic_audio", "BasicAudio", "BasicAudio", "Basic with sounds"),
    Scenario(
        "basic_notifications", "BasicNotifications", "BasicNotifications", "Basic with messages"
    ),
)

_DOOM = tuple(f"E{episode}M{level}" for episode in range(1, 5) for level in range(1, 10))
_DOOM2 = tuple(f"MAP{number:02}" for number in range(1, 33))
GAMES = {"Doom": _DOOM, "Doom2": _DOOM2, "Freedoom1": _DOOM, "Freedoom2": _DOOM2}
"""Whole games and their maps, which Gymnasium has an id for each of, at each of five skills."""

FROM_ASSETS = (
    Scenario("D1_basic", "D1Basic", "", "Gather health in a room"),
    Scenario("D2_navigation", "D2Navigation", "", "Gather health in a maze"),
    Scenario("D3_battle", "D3Battle", "", "Fight in a maze"),
    Scenario("D4_battle2", "D4Battle2", "", "Fight in a larger maze"),
)
"""EnvPool's, which are not in the package vizdoom."""
_NO_GAME = (
    "its game, {wad}, is not in the package vizdoom: copy yours into its folder, or make "
    "vizdoom/VizdoomCustom-v1 with cfg_path='{cfg}', iwad_path, map_id and doom_skill"
)
_NO_ASSETS = (
    "its map is not in the package vizdoom: run `pip install envpool-assets`, which brings it, or "
    f"name the folder of its cfg and its map in the environment variable {FOLDERS}, or make "
    "vizdoom/VizdoomCustom-v1 with the cfg_path of a cfg that you have"
)


def envs() -> Iterator[EnvSpec]:
    """Every environment."""
    for scenario in (*SCENARIOS, *FROM_ASSETS):
        cfg = f"{scenario.cfg}.cfg"
        spec = _spec(f"{scenario.envpool}-v1", scenario.summary, {"cfg_path": cfg, **ENVPOOL})
        if scenario in FROM_ASSETS:
            needs = tuple(f"{place}/{cfg}" for place in SCENARIO_PLACES)
            spec = replace(spec, needs=needs, missing=_NO_ASSETS)
        yield spec
        if not scenario.gymnasium:
            continue
        options = {"cfg_path": cfg, "screen_format": "rgb", **GYMNASIUM}
        options |= _HEARD_OR_READ.get(scenario.cfg, {})
        name = f"Vizdoom{scenario.gymnasium}"
        combined = {**options, "max_buttons_pressed": 1}
        yield _spec(f"{name}-v1", f"{scenario.summary}, as in Gymnasium", combined)
        summary = f"{scenario.summary}, as in Gymnasium, all buttons"
        yield _spec(f"{name}-MultiBinary-v1", summary, options)
    yield from match_envs(PICTURES, FPS / PICTURES["frame_skip"], _NO_STATES)
    yield from _maps()
    summary = "The scenario of cfg_path and wad_path"
    yield _spec("VizdoomCustom-v1", summary, {"cfg_path": "basic.cfg", **PICTURES})


def _maps() -> Iterator[EnvSpec]:
    """The environments of whole games; two have to be bought."""
    for game, maps in GAMES.items():
        wad = f"{game.lower()}.wad"
        missing = _NO_GAME.format(wad=wad, cfg=f"{game.lower()}.cfg")
        options = {"cfg_path": f"{game.lower()}.cfg", "screen_format": "rgb", **GYMNASIUM}
        options["audio_buffer"] = True
        for name in maps:
            for skill in range(1, 6):
                spec = _spec(
                    f"Vizdoom{game}{name}-S{skill}-v0",
                    f"{game}, {name}, skill {skill}, as in Gymnasium",
                    {**options, "map_id": name, "doom_skill": skill},
                )
                yield replace(spec, needs=(f"vizdoom/{wad}",), missing=missing)


_NO_STATES = (
    "the engine's own saved games are not exact: two tics of the game pass while it is saved, and "
    "games that read one file differ from the next tic on"
)


def _spec(name: str, summary: str, options: dict[str, Any]) -> EnvSpec:
    mixed = "seeding" in options and options["cfg_path"] == "deathmatch.cfg"
    return EnvSpec(
        f"vizdoom/{name}",
        native=_MIXED if mixed else _NATIVE,
        summary=summary,
        options=options,
        no_states=_NO_STATES,
        max_episode_steps=ENVPOOL_STEPS if "reward_config" in options else None,
        tags=("vizdoom", "gymnasium" if "seeding" in options else "envpool"),
        render_modes=("rgb_array",),
        render_fps=FPS / int(options.get("frame_skip", 1)),
    )
