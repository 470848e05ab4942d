"""What atari.py and atari_engines.py stored, as Markdown tables and as a picture."""

from __future__ import annotations

import argparse
import json
import statistics
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import harness

Columns = dict[str, Callable[[Any], str]]

POOL_COLUMNS: Columns = {
    "game": str,
    "envs": str,
    "batch": str,
    "case": str,
    "best frames/s": harness.whole,
    "median frames/s": harness.whole,
    "to best rival": harness.times,
    "of bare ALE": harness.percent,
}
GAME_COLUMNS: Columns = {
    "game": str,
    "envs": str,
    "EnvPool": harness.whole,
    "ale-py": harness.whole,
    "ParallelPool": harness.whole,
    "to best rival": harness.times,
}
# atari_engines.py: times as fast as ALE, which draws every frame.
DRAWN = {
    "own, all drawn": "all",
    "own, two of four drawn": "two of four",
    "own, none drawn": "none",
}
ENGINE_COLUMNS: Columns = {
    "game": str,
    "ALE frames/s": harness.whole,
    **dict.fromkeys(DRAWN, harness.times),
}
BEGIN, END = "<!-- measured -->\n", "<!-- end of measured -->\n"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """--table and --into; --plot is that of all benchmarks."""
    parser.add_argument(
        "--table", type=Path, nargs="+", metavar="JSON", help="measure nothing, show these files"
    )
    parser.add_argument(
        "--into", type=Path, metavar="FILE", help="put the tables between the marks of this page"
    )


def report(args: argparse.Namespace) -> None:
    """The tables of the files `args.table`, to the page `args.into` or printed; the picture."""
    stored = {}
    for path in args.table:
        content = json.loads(path.read_text())
        stored[content["environment"]["measured"]] = content
    text = tables(stored)
    if args.into is None:
        print(text, end="")
    else:
        harness.put_between(args.into, BEGIN, END, "\n" + text + "\n")
    if args.plot is not None:
        plot(args.plot, stored)


def tables(stored: dict[str, Any]) -> str:
    """Whatever was measured: the pools, every game, the emulators."""
    parts = []
    if "pools" in stored:
        rows = [row for row in stored["pools"]["rows"] if row["case"].startswith("ParallelPool")]
        columns = {key: POOL_COLUMNS[key] for key in ("game", "envs", "batch", "case")}
        columns |= {"median frames/s": harness.whole, "to best rival": harness.times}
        parts.append(
            _facts(stored["pools"]) + _table({**columns, "of bare ALE": harness.percent}, rows)
        )
    games = _per_game(stored)
    if games:
        columns = {"game": str}
        if "engines" in stored:
            columns["ALE frames/s"] = harness.whole
            columns |= dict.fromkeys(DRAWN.values(), harness.times)
        if "games" in stored:
            columns["pool"] = harness.times
        of = [stored[name] for name in ("engines", "games") if name in stored]
        body = _table(columns, [*_summary(games), *games])
        parts.append("".join(_facts(content) for content in of) + body)
    return "\n".join(parts)


def _per_game(stored: dict[str, Any]) -> list[harness.Row]:
    """Both kinds of ratios of each game, by name."""
    found: dict[str, harness.Row] = {}
    for row in stored.get("engines", {"rows": []})["rows"]:
        game = found.setdefault(row["game"], {"game": row["game"]})
        game["ALE frames/s"] = row["ALE frames/s"]
        game |= {short: row[name] for name, short in DRAWN.items()}
    names = {name.replace("_", ""): name for name in found}
    for row in stored.get("games", {"rows": []})["rows"]:
        name = names.get(row["game"].lower(), row["game"])
        found.setdefault(name, {"game": name})["pool"] = row["to best rival"]
    return [found[name] for name in sorted(found)]


def _summary(games: Sequence[harness.Row]) -> list[harness.Row]:
    rows = []
    for title, take in (("**slowest**", min), ("**median**", statistics.median)):
        row: harness.Row = {"game": title}
        for key in (*DRAWN.values(), "pool"):
            values = [game[key] for game in games if game.get(key) is not None]
            row[key] = take(values) if values else None
        rows.append(row)
    return rows


def _facts(content: dict[str, Any]) -> str:
    facts = content["environment"]
    versions = ", ".join(
        f"{name} {facts['versions'][name]}" for name in ("envpool", "ale-py", "parallel-pool-atari")
    )
    return (
        f"{facts['cpu']}, {facts['usable_cpus']} usable CPUs, load average at the start "
        f"{facts['load_average']:.2f}; {versions}; `{facts['command']}`\n\n"
    )


def _table(columns: Columns, rows: Iterable[harness.Row]) -> str:
    return harness.table(columns, list(rows))


def plot(path: Path, stored: dict[str, Any]) -> None:
    """Above: the pools on Pong and Breakout; below: how many times as fast, game by game."""
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot

    pools = stored.get("pools", {"rows": []})["rows"]
    titles = list(dict.fromkeys(row["game"] for row in pools))
    games = _per_game(stored)
    heights = [1.0] * bool(titles) + [1.2] * bool(games)
    figure = pyplot.figure(figsize=(11, 4.2 * len(heights)), layout="constrained")
    parts = figure.subfigures(len(heights), 1, height_ratios=heights, squeeze=False)[:, 0]
    if titles:
        for axes, title in zip(
            parts[0].subplots(1, len(titles), sharey=True, squeeze=False)[0], titles, strict=True
        ):
            _plot_pools(axes, [row for row in pools if row["game"] == title], title)
    if games:
        _plot_games(parts[-1].subplots(), games)
    figure.savefig(path, dpi=130)


COLOURS = {"EnvPool": "#9aa0a6", "ale-py": "#5f6b7a", "ParallelPool": "#d1495b"}


def _plot_pools(axes: Any, rows: Sequence[harness.Row], title: str) -> None:
    groups = list(dict.fromkeys((row["envs"], row["case"].rpartition(" ")[2]) for row in rows))
    modes = ("sync", "async")
    groups = [group for group in groups if group[1] in modes]
    groups.sort(key=lambda group: (group[0], modes.index(group[1])))
    width = 0.27
    for place, (label, colour) in enumerate(COLOURS.items()):
        speeds = {
            (row["envs"], row["case"].rpartition(" ")[2]): row["median frames/s"]
            for row in rows
            if row["case"].startswith(label)
        }
        at = [index + (place - 1) * width for index, group in enumerate(groups) if group in speeds]
        axes.bar(at, [speeds[g] for g in groups if g in speeds], width, label=label, color=colour)
    axes.set_xticks(range(len(groups)), [f"{envs}\n{mode}" for envs, mode in groups])
    axes.set(title=title, ylabel="frames per second", xlabel="environments")
    axes.yaxis.set_major_formatter(lambda value, _: f"{value / 1000:g}k")
    axes.grid(axis="y", alpha=0.3)
    axes.set_ylim(top=1.15 * max(axes.get_ylim()[1], max(row["median frames/s"] for row in rows)))
    axes.legend(fontsize="small", loc="upper left", ncols=len(COLOURS))


def _plot_games(axes: Any, games: Sequence[harness.Row]) -> None:
    first = "pool" if any(game.get("pool") is not None for game in games) else "two of four"
    shown = [game for game in games if game.get(first) is not None]
    shown.sort(key=lambda game: float(game[first]))
    label = {
        "pool": "pool to the better of EnvPool and ale-py",
        "two of four": "emulator to ALE, two of four frames drawn",
    }
    ratios = [game[first] for game in shown]
    axes.bar(range(len(shown)), ratios, color=COLOURS["ParallelPool"], label=label[first])
    if first == "pool":
        dots = [
            (i, game["two of four"])
            for i, game in enumerate(shown)
            if game.get("two of four") is not None
        ]
        if dots:
            axes.plot(*zip(*dots, strict=True), ".", color="#30343f", label=label["two of four"])
    middle = statistics.median(ratios)
    axes.axhline(middle, color="#30343f", linewidth=0.8, linestyle="--")
    axes.text(0, middle, f" median {middle:.2f}", va="bottom", fontsize="small")
    axes.axhline(1, color="#30343f", linewidth=0.8)
    axes.set_xticks(range(len(shown)), [game["game"] for game in shown], rotation=90, fontsize=6)
    axes.set(ylabel="times as fast", title=f"{len(shown)} games", xlim=(-1, len(shown)))
    axes.grid(axis="y", alpha=0.3)
    axes.legend(fontsize="small", loc="upper left")
