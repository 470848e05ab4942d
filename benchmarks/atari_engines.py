"""Every Atari game on ALE and on our own machine, in turn, on one thread: the emulators alone.

Needs the library that the Atari plugin's tests use: build the plugin, or set
PARALLEL_POOL_ATARI_TEST_DRIVER.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median

from figures import Row, table, times, whole
from study import Study, run

sys.path.insert(0, str(Path(__file__).parents[1] / "plugins/parallel_pool_atari/tests"))

from atari_engine import games, library, roms

# How many of four frames are drawn. ALE draws all.
DRAWN = {"all": 4, "two of four": 2, "none": 0}
STEPS = 300
"""Of four frames, in a slice."""


def measure(game: str, args: argparse.Namespace) -> Iterator[Row]:
    """Ratios within each round; their median."""
    path = str(roms() / f"{game}.bin").encode()
    cases = {"ALE": (0, 4), **{drawn: (1, number) for drawn, number in DRAWN.items()}}
    seconds: dict[str, list[float]] = {name: [] for name in cases}
    for number in range(args.rounds):
        for name, (fast, drawn) in cases.items():
            seconds[name].append(library().bench(path, fast, drawn, STEPS, number))
    row: Row = {"game": game, "ALE frames/s": 4 * STEPS / min(seconds["ALE"])}
    for name in DRAWN:
        pairs = zip(seconds["ALE"], seconds[name], strict=True)
        row[name] = median(ale / own for ale, own in pairs)
    yield row


def text(rows: Sequence[Row]) -> str:
    """The slowest and the median over the games, then each."""
    lines = [
        {"game": title, **{name: take([row[name] for row in rows]) for name in DRAWN}}
        for title, take in (("**slowest**", min), ("**median**", median))
    ]
    columns = {"game": str, "ALE frames/s": whole, **dict.fromkeys(DRAWN, times)}
    return table(columns, [*lines, *rows])


if __name__ == "__main__":
    run(Study(games(), measure, text, "docs/atari.md", rounds=5, packages=("ale-py",)), __doc__)
