"""The games of games.txt, and how others spell them."""

from pathlib import Path

_LINES = Path(__file__).with_name("games.txt").read_text(encoding="utf-8").splitlines()
_ENGINES = {name: engine for name, *engine in map(str.split, _LINES) if name != "#"}

ROMS = tuple(_ENGINES)
"""ale-py's names of the ROMs."""
FAST = frozenset(name for name, engine in _ENGINES.items() if engine != ["ale"])
"""The ROMs with which our own machine was shown to equal ALE."""


def envpool_name(rom: str) -> str:
    """`TicTacToe3d`: EnvPool's spelling, which is ours too."""
    return "".join(word.capitalize() for word in rom.split("_"))


def ale_name(rom: str) -> str:
    """`TicTacToe3D`: ale-py's spelling, which differs for this one game."""
    return rom.title().replace("_", "")
