"""Scenario files of vizdoom: lines `key = value`, keys with or without underscores, lists in braces.

Where vizdoom warns and goes on without the line, this refuses the file.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from parallel_pool_vizdoom._names import BINARY_BUTTONS, BUTTONS, VARIABLES, nearest


class CfgError(ValueError):
    """A line that means nothing."""


FLAGS = {
    **dict.fromkeys(("depth_buffer_enabled", "labels_buffer_enabled"), False),
    **dict.fromkeys(("automap_buffer_enabled", "automap_rotate"), False),
    **dict.fromkeys(("automap_render_objects_as_sprites", "render_hud"), False),
    **dict.fromkeys(("render_minimal_hud", "render_crosshair", "render_messages"), False),
    **dict.fromkeys(("automap_render_textures", "render_weapon", "render_decals"), True),
    **dict.fromkeys(("render_particles", "render_effects_sprites", "render_corpses"), True),
    **dict.fromkeys(("render_screen_flashes",), True),
    # Read, and without effect here: no windows, nothing beside the tics of a step; sounds and
    # messages are switched on by options.
    **dict.fromkeys(("objects_info_enabled", "sectors_info_enabled", "render_all_frames"), False),
    **dict.fromkeys(("window_visible", "console_enabled", "sound_enabled"), False),
    **dict.fromkeys(("audio_buffer_enabled", "notifications_buffer_enabled"), False),
}
"""With vizdoom's defaults."""

COUNTS = {
    **{"seed": 0, "episode_timeout": 0, "episode_start_time": 1, "doom_skill": 3, "ticrate": 35},
    **{"audio_buffer_size": 1, "notifications_buffer_size": 1},
}

REWARDS = (
    *("living_reward", "death_penalty", "map_exit_reward", "kill_reward", "secret_reward"),
    *("item_reward", "frag_reward", "hit_reward", "hit_taken_penalty", "damage_made_reward"),
    *("damage_taken_penalty", "health_reward", "armor_reward"),
)
_NEGATED = {
    "death_reward": "death_penalty",
    "hit_taken_reward": "hit_taken_penalty",
    "damage_taken_reward": "damage_taken_penalty",
}
TEXTS = {
    **{"doom_map": "map01", "vizdoom_path": "", "doom_game_path": "", "doom_scenario_path": ""},
    **{"doom_config_path": "", "mode": "player", "automap_mode": "normal"},
    **{"screen_resolution": "res_320x240", "screen_format": "crcgcb"},
    **{"audio_sampling_rate": "sr_44100"},
}
_LISTS = ("available_buttons", "available_game_variables")
_KEYS = {
    key.replace("_", ""): key
    for key in (*FLAGS, *COUNTS, *REWARDS, *_NEGATED, *TEXTS, *_LISTS, "game_args")
} | {"buttonmaxvalue": "button_max_value"}


@dataclass
class Cfg:
    """The settings of a file, with vizdoom's defaults for the rest."""

    flags: dict[str, bool] = field(default_factory=lambda: dict(FLAGS))
    counts: dict[str, int] = field(default_factory=lambda: dict(COUNTS))
    rewards: dict[str, float] = field(default_factory=lambda: dict.fromkeys(REWARDS, 0.0))
    texts: dict[str, str] = field(default_factory=lambda: dict(TEXTS))
    buttons: list[int] = field(default_factory=list)
    variables: list[int] = field(default_factory=list)
    limits: dict[int, float] = field(default_factory=dict)
    """The range of buttons that take any number."""
    arguments: list[str] = field(default_factory=list)

    def read(self, text: str, source: str) -> None:
        """Take over what `text` says. Raises CfgError."""
        for number, key, appends, value in _lines(text, source):
            try:
                self._set(key, appends, value)
            except (KeyError, ValueError) as error:
                raise CfgError(f"{source}, line {number}: {key} = {value}: {error}") from None

    def _set(self, name: str, appends: bool, value: str) -> None:
        key = _KEYS.get(name.lower().replace("_", ""))
        low = value.lower()
        if key is None:
            raise ValueError("vizdoom has no such key")
        if appends and key not in (*_LISTS, "game_args"):
            raise ValueError("`+=` is for lists and game_args")
        if key == "available_buttons":
            self.buttons = _taken(low, BUTTONS, self.buttons if appends else [], "button")
        elif key == "available_game_variables":
            old = self.variables if appends else []
            self.variables = _taken(low, VARIABLES, old, "game variable")
        elif key == "game_args":
            self.arguments = [*(self.arguments if appends else []), *value.split()]
        elif key == "button_max_value":
            button, _, limit = low.partition(" ")
            number = _number(button, BUTTONS, "button")
            if number >= BINARY_BUTTONS:
                self.limits[number] = float(_count(limit))
        elif key in FLAGS:
            self.flags[key] = _flag(low)
        elif key in COUNTS:
            self.counts[key] = _count(low)
        elif key in REWARDS:
            self.rewards[key] = _reward(low)
        elif key in _NEGATED:
            self.rewards[_NEGATED[key]] = -_reward(low)
        else:
            self.texts[key] = value if key.endswith("_path") else low


def as_text(config: Mapping[str, object]) -> str:
    """A dict of settings as lines of a cfg."""
    return "".join(f"{key} = {_as_value(value)}\n" for key, value in config.items())


def _as_value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return "{ " + " ".join(map(str, value)) + " }"
    return str(value)


def _lines(text: str, source: str) -> Iterator[tuple[int, str, bool, str]]:
    """Line number, key, whether it is `+=`, value; a list's lines are one."""
    lines = iter(enumerate(text.splitlines(), 1))
    for number, line in lines:
        line = " ".join(line.split())
        if not line or line.startswith("#"):
            continue
        found = re.match(r"([^=]*?)\s*(\+?=)\s*(.*)", line)
        if found is None or not found[1]:
            raise CfgError(f"{source}, line {number}: {line!r} is not `key = value`")
        key, sign, value = found.groups()
        if key.lower().replace("_", "") in {each.replace("_", "") for each in _LISTS}:
            while not value.endswith("}"):
                more = next(lines, None)
                if more is None:
                    raise CfgError(f"{source}, line {number}: the list {key} has no end")
                if not more[1].strip().startswith("#"):
                    value = f"{value} {' '.join(more[1].split())}".strip()
        yield number, key, sign == "+=", value


def _taken(value: str, names: tuple[str, ...], old: list[int], what: str) -> list[int]:
    if not value.startswith("{"):
        raise ValueError("a list is written { A B C }")
    result = list(old)
    for word in value[1:-1].split():
        number = _number(word, names, what)
        if number not in result:
            result.append(number)
    return result


def _number(word: str, names: tuple[str, ...], what: str) -> int:
    if word == "activate_selected_weapon":  # vizdoom's files call it this
        word = "activate_selected_item"
    if word.upper() not in names:
        raise ValueError(nearest(what, word, names))
    return names.index(word.upper())


def _flag(value: str) -> bool:
    if value not in ("true", "false", "1", "0"):
        raise ValueError("expected true or false")
    return value in ("true", "1")


def _reward(value: str) -> float:
    number = float(value)
    if number != number:
        raise ValueError("expected a number")
    return number


def _count(value: str) -> int:
    number = int(value)
    if number < 0:
        raise ValueError("expected 0 or more")
    return number
