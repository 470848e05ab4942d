"""Every Atari game on ALE and on our own machine, in turn, on one thread: the emulators alone.

Needs the library that the Atari plugin's tests use: build the plugin, or set
PARALLEL_POOL_ATARI_TEST_DRIVER.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from pathlib import Path

import atari_report
import harness

sys.path.insert(0, str(Path(__file__).parents[1] / "plugins/parallel_pool_atari/tests"))

from atari_engine import ENGINES, find_driver, games, library, roms

# The driver's `bench`: what is drawn of four frames.
ALL, LAST_TWO, NONE = 0, 1, 4
CASES = {
    "ALE": ("ale", ALL),
    "own, all drawn": ("fast", ALL),
    "own, two of four drawn": ("fast", LAST_TWO),
    "own, none drawn": ("fast", NONE),
}


def main() -> None:
    """Prints the table, slowest ratio first, and the medians."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path, metavar="FILE", help="store the figures as well")
    parser.add_argument("--games", nargs="+", default=None, help="default: all")
    parser.add_argument("--rounds", type=int, default=5, help="slices of each case (5)")
    parser.add_argument("--steps", type=int, default=300, help="of four frames, in a slice (300)")
    args = parser.parse_args()
    if find_driver() is None:
        sys.exit("no atari_test_driver library: build the plugin")
    facts = harness.environment()
    harness.print_environment(facts)
    facts["measured"] = "engines"
    chosen = args.games or games()
    rows: list[harness.Row] = []
    for number, game in enumerate(chosen, 1):
        rows.append(measure(game, args.rounds, args.steps))
        harness.store(args.json, facts, rows)
        ratios = ", ".join(f"{name} {rows[-1][name]:.2f} x" for name in CASES if name != "ALE")
        harness.say(f"{number}/{len(chosen)} {game}: {ratios}")
    rows.sort(key=lambda row: float(row["own, two of four drawn"]))
    harness.print_table(atari_report.ENGINE_COLUMNS, [*rows, *summary(rows)])


def measure(game: str, rounds: int, steps: int) -> harness.Row:
    """Ratios within each round; their median."""
    path = str(roms() / f"{game}.bin").encode()
    seconds: dict[str, list[float]] = {name: [] for name in CASES}
    for number in range(rounds):
        for name, (engine, drawn) in CASES.items():
            seconds[name].append(library().bench(path, ENGINES[engine], drawn, steps, number))
    row: harness.Row = {"game": game, "ALE frames/s": 4 * steps / min(seconds["ALE"])}
    for name in CASES:
        if name != "ALE":
            pairs = zip(seconds["ALE"], seconds[name], strict=True)
            row[name] = statistics.median(ale / own for ale, own in pairs)
    return row


def summary(rows: list[harness.Row]) -> list[harness.Row]:
    """Slowest and median over the games."""
    out = []
    for title, take in (("slowest", min), ("median", statistics.median)):
        line: harness.Row = {"game": f"({title})", "ALE frames/s": None}
        line |= {name: take(row[name] for row in rows) for name in CASES if name != "ALE"}
        out.append(line)
    return out


if __name__ == "__main__":
    main()
