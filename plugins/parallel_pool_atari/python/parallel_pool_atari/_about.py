"""The meanings of the numbers of a game. Imported when a user asks."""

import re
from pathlib import Path

from parallel_pool.plugin_api import About, EnvSpec, Part

_STICK = re.compile("UP|DOWN|LEFT|RIGHT|FIRE")


def about(spec: EnvSpec, roms: Path | None) -> About:
    """roms: their folder. Actions and the screen of a game are said by ale-py; without it they are left out."""
    rows, actions = _game(None if roms is None else roms / f"{spec.options['game']}.bin")
    name = spec.id.partition("/")[2]
    if "raw" in spec.tags:
        screen = [Part("the screen by rows; red, green and blue of a pixel", count=rows * 160 * 3)]
        original = f"ale-py {spec.aliases[0]}"
    else:
        screen = [Part("four grey pictures by rows, the oldest first", count=4 * 84 * 84)]
        original = f"EnvPool {name}"
    return About(
        observation=tuple(part for part in screen if part.count),
        action=tuple(map(Part, actions)),
        reward="the points that the step's frames gave",
        ends="the game is over",
        original=original,
        of_files=("observation", "action"),
    )


def _game(rom: Path | None) -> tuple[int, list[str]]:
    """Rows of the screen, and the actions that the game uses in words; nothing without ale-py or the ROM."""
    try:
        import ale_py
    except ImportError:
        return 0, []
    if rom is None or not rom.is_file():
        return 0, []
    ale_py.ALEInterface.setLoggerMode(ale_py.LoggerMode.Error)
    game = ale_py.ALEInterface()
    game.loadROM(str(rom))
    names = [str(each.name) for each in game.getMinimalActionSet()]
    words = [", ".join(_STICK.findall(name)).lower() or "nothing" for name in names]
    return int(game.getScreenDims()[0]), words
