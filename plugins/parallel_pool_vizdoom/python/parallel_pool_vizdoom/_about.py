"""The meanings of the numbers of these environments. Imported when a user asks.

Buttons, variables and the rewards of a cfg are read from it. What the scripts of a map reward, and when they
end an episode, is said here. The maps of the package vizdoom have the sources of their scripts.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from parallel_pool.plugin_api import About, EnvSpec, Part

from parallel_pool_vizdoom._cfg import Cfg, CfgError
from parallel_pool_vizdoom._matches import DEFAULTS, NATIVE
from parallel_pool_vizdoom._names import BINARY_BUTTONS, BUTTONS, VARIABLES
from parallel_pool_vizdoom._package import MissingError
from parallel_pool_vizdoom._scenario import read
from parallel_pool_vizdoom._settings import Settings
from parallel_pool_vizdoom._shaping import ENVPOOL, variable_rewards

_SHOTS = "106 for the monster's death, -5 for a shot"
_KILL = "1 for each enemy that dies"
_DEATH = "the player is dead"
_NONE = "0: the scenario rewards nothing; `info` counts kills"
_MATCH = "only by the time limit; players that die come back"

_SCRIPTS: Mapping[str, tuple[str, str]] = {
    "basic": (_SHOTS, "the monster is dead"),
    "basic_audio": (_SHOTS, "the monster is dead"),
    "basic_notifications": (
        "106 for the death of the monster that the message names, -44 for that of another, -5 for a shot",
        "that monster is dead",
    ),
    "cig": (_NONE, _MATCH),
    "deadly_corridor": (
        "the way along the corridor in map units, 1000 for the vest",
        f"the player has the vest, or {_DEATH.removeprefix('the player ')}",
    ),
    "deathmatch": (_NONE, _DEATH),
    "defend_the_center": (_KILL, _DEATH),
    "defend_the_line": (_KILL, _DEATH),
    "health_gathering": ("", _DEATH),
    "health_gathering_supreme": ("", _DEATH),
    "multi": ("1 for the other's death", "a player is dead"),
    "multi_duel": (_NONE, _MATCH),
    "my_way_home": ("1 for the vest", "the player has the vest"),
    "predict_position": (
        "1 for the monster's death",
        "the monster is dead, or the one rocket was fired 45 tics ago",
    ),
    "rocket_basic": (_SHOTS, "the monster is dead"),
    "simpler_basic": (_SHOTS, "the monster is dead"),
    "take_cover": ("", _DEATH),
}
"""By cfg: what the map rewards, and when it ends."""
_OF_A_GAME = ("", "the player is dead, or has left the map")
_OF_A_CFG = {
    "living_reward": "{} for each tic",
    "death_penalty": "{} for the player's death",
    "map_exit_reward": "{} for the end of the map",
}


def about(spec: EnvSpec) -> About | None:
    """None: the scenario is not here."""
    try:
        cfg, settings = read(
            {**DEFAULTS, **spec.options} if spec.native == NATIVE else spec.options
        )
    except (CfgError, MissingError):
        return None
    name = str(spec.options["cfg_path"]).removesuffix(".cfg")
    of_map, ends = _SCRIPTS.get(name, _OF_A_GAME)
    if spec.native == NATIVE and name not in _SCRIPTS:
        ends = "the players have left the map"
    timeout = settings["timeout"]
    if spec.options.get("timeout_terminates") and timeout:
        ends = f"{ends}; or after {timeout} tics"
    shaped = spec.options.get("reward_config") == ENVPOOL
    original = str(spec.options["cfg_path"]) + (", with EnvPool's rewards" if shaped else "")
    if "gymnasium" in spec.tags:
        original = spec.id.partition("/")[2]
    return About(
        observation=tuple(_observation(spec.options, cfg, settings)),
        action=tuple(_action(spec.options, settings["buttons"])),
        reward=_envpool(cfg) if shaped else _scenario(of_map, cfg),
        ends=ends,
        original=f"vizdoom {original}",
        of_files=("observation", "action", "reward", "ends", "original"),
    )


def _observation(options: Mapping[str, Any], cfg: Cfg, settings: Settings) -> Iterator[Part]:
    """In the order of the keys, where there are several."""
    height = options.get("img_height") or settings["screen_height"]
    width = options.get("img_width") or settings["screen_width"]
    stack, last = options.get("stack_num", 1), bool(options.get("channels_last"))
    pixels = height * width * stack
    colours = "grey" if settings["screen_channels"] == 1 else "red, green, blue"
    order = f"by rows, {colours} of each pixel" if last else f"{stack} by rows, the oldest first"
    if not last and settings["screen_channels"] == 3:
        order = f"{stack} by rows, the oldest first, each in red, green, blue"
    screen = pixels * settings["screen_channels"]
    if samples := settings["sound_samples"]:
        yield Part("sound of the last tics: left and right of each sample", count=2 * samples)
    if settings["observes_automap"]:
        yield Part(f"map from above, {order}", count=screen)
    if settings["observes_depth"]:
        yield Part("distance of what a pixel shows", count=pixels)
    if options.get("dict_observation"):
        yield from (Part(f"game variable {VARIABLES[number]}") for number in cfg.variables)
    if settings["observes_labels"]:
        yield Part("number of the object that a pixel shows", count=pixels)
    if size := settings["message_bytes"]:
        yield Part("bytes of the last messages, with zeros behind", count=size)
    yield Part(f"screen, {order}", count=screen)


def _action(options: Mapping[str, Any], buttons: list[int]) -> Iterator[Part]:
    pressed = [_button(number) for number in buttons if number < BINARY_BUTTONS]
    moved = [_button(number) for number in buttons if number >= BINARY_BUTTONS]
    if options.get("actions") != "binary":
        yield from (Part(_button(number)) for number in buttons)
    elif not options.get("max_buttons_pressed"):
        yield from (Part(f"1: {text}") for text in pressed)
        yield from map(Part, moved)
    elif moved:
        yield Part(f"0: nothing; 1 to {len(pressed)}: {', '.join(reversed(pressed))}")
        yield from map(Part, moved)
    else:
        yield Part("nothing")
        yield from map(Part, reversed(pressed))  # the first button is the highest bit


def _button(number: int) -> str:
    words = BUTTONS[number].lower().replace("_", " ")
    if number < BINARY_BUTTONS:
        return words
    return f"{words.removesuffix(' delta')} by so much"


def _scenario(of_map: str, cfg: Cfg) -> str:
    own = [
        text.format(f"{-reward if name == 'death_penalty' else reward:g}")
        for name, text in _OF_A_CFG.items()
        if (reward := cfg.rewards[name])
    ]
    return ", ".join(filter(None, [of_map if of_map != _NONE or not own else "", *own])) or _NONE


def _envpool(cfg: Cfg) -> str:
    found = variable_rewards(ENVPOOL, cfg.variables)
    changes = ", ".join(f"{VARIABLES[number]} {up:g} / {down:g}" for number, up, down in found)
    weapon = "0.0002 to 0.002 for the weapon in hand"
    return f"so much for each point up / down of game variables: {changes}; and {weapon}"
