"""The runner of the benchmarks: a study is a list of cases, how one is measured, and the text of its rows.

Every script takes the same options. With `--json FILE` rows are stored as they come, and the same command goes
on where it was interrupted; a case that the file has is not measured again. With `--page` the text takes the
place of what the study's page has between its marks.
"""

from __future__ import annotations

import argparse
import json
import sys
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from functools import partial
from pathlib import Path
from statistics import quantiles
from typing import Any

import figures
import in_turn
from figures import Row, say
from measuring.drivers import Driver
from measuring.interleave import Timing, interleave
from parallel_pool.errors import ParallelPoolError
from parallel_pool.registry.described import one_line

Build = Callable[[], Driver]
USUAL = ("parallel-pool", "envpool", "gymnasium", "numpy")


@dataclass(frozen=True)
class Study:
    """What a script measures."""

    cases: Sequence[str]
    """Names, of which `--cases` chooses."""
    measure: Callable[[str, argparse.Namespace], Iterable[Row]]
    """The rows of a case, with `args.rounds` slices of `args.slice` seconds."""
    text: Callable[[Sequence[Row]], str | dict[str, str]]
    """Markdown of the rows of all cases; or that of several pages, by page."""
    page: str | None = None
    """Where the text goes, if it is one."""
    part: str = ""
    """Of the page: where it has several texts of this script."""
    rounds: int = 7
    seconds: float = 0.2
    packages: Sequence[str] = ()
    """Besides the usual ones, whose versions are named above the text."""
    process: Callable[..., in_turn.Case] | None = None
    """Of `in_turn.take_turns`: what a process that the script starts steps."""


def run(
    study: Study, description: str | None, argv: Sequence[str] | None = None
) -> tuple[dict[str, Any], list[Row]]:
    """The script: measures the cases that the file lacks, prints the text, puts it into the page.

    Returns the facts about the machine, and the rows.
    """
    args = _arguments(study, (description or "").partition("\n")[0], argv)
    warnings.simplefilter("ignore")
    if args.process:
        assert study.process
        in_turn.serve(partial(study.process, **args.process))
        sys.exit()
    facts, rows = figures.read(args.json)
    chosen = [case for case in study.cases if any(fnmatch(case, each) for each in args.cases)]
    there = {row["case"] for row in rows}
    missing = [case for case in chosen if case not in there]
    if missing:
        facts = figures.machine()
        figures.append(args.json, {"environment": facts})
    for number, case in enumerate(missing, 1):
        say(f"{number} of {len(missing)}: {case}")
        for row in study.measure(case, args):
            rows.append({"case": case, **row})
            figures.append(args.json, rows[-1])
    rows.sort(key=lambda row: study.cases.index(row["case"]))
    texts = study.text(rows)
    for page, part in (texts if isinstance(texts, dict) else {study.page: texts}).items():
        text = f"{figures.described(facts, (*USUAL, *study.packages))}\n\n{part}"
        print(text)
        if args.page and page:
            name = f"python benchmarks/{Path(sys.argv[0]).name} --page"
            figures.put(figures.ROOT / page, f"{name} {study.part}".rstrip(), text)
    return facts, rows


def _arguments(study: Study, description: str, argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=description.replace("%", "%%"))
    parser.add_argument(
        "--cases", nargs="+", default=["*"], metavar="CASE", help=f"of {', '.join(study.cases)}"
    )
    parser.add_argument("--rounds", type=int, default=study.rounds, help="slices (%(default)s)")
    parser.add_argument(
        "--slice", type=float, default=study.seconds, help="seconds of a slice (%(default)s)"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="store the figures, and go on")
    parser.add_argument(
        "--page", action="store_true", help=f"put the text into {study.page or 'no page'}"
    )
    parser.add_argument("--process", type=json.loads, help=argparse.SUPPRESS)
    return parser.parse_args(argv)


def sized(ids: Iterable[str], sizes: Iterable[int]) -> list[str]:
    """A case for each id and number of environments."""
    sizes = list(sizes)
    return [f"{task_id}:{size}" for task_id in ids for size in sizes]


def id_and_size(case: str) -> tuple[str, int]:
    """Of a case of `sized`."""
    task_id, _, size = case.rpartition(":")
    return task_id, int(size)


def reason_of(error: Exception) -> str:
    """Why something is left out, on one line that can be published."""
    known = isinstance(error, ParallelPoolError)
    return figures.without_folders(str(error) if known else one_line(error))


def side_by_side(
    builds: Sequence[Build], args: argparse.Namespace, left_out: list[str] | None = None
) -> dict[str, Timing]:
    """Builds the pools, steps them in turn, closes them; by name. Those that fail to begin are left out, aloud.

    Order matters to processes that fork: put them first, before any pool has threads. left_out: is given the
    reasons.
    """
    drivers: list[Driver] = []
    try:
        for build in builds:
            try:
                drivers.append(build())
            except Exception as error:  # drivers and peers raise all kinds
                say(f"left out: {reason_of(error)}")
                if left_out is not None:
                    left_out.append(reason_of(error))
        timings = interleave(drivers, rounds=args.rounds, slice_seconds=args.slice)
        return {timing.name: timing for timing in timings}
    finally:
        for driver in drivers:
            driver.close()


def compare(builds: Mapping[str, Build], args: argparse.Namespace) -> Row:
    """Steps per second of each, and the ratio of the first to each other with its quartiles over the rounds."""
    timings = side_by_side(list(builds.values()), args)
    first, *others = timings.values()
    row: Row = {timing.name: timing.median for timing in timings.values()}
    for other in others:
        row[f"to {other.name}"] = first.ratio_to(other)
        row[f"to {other.name}, quartiles"] = spread(first, other)
    return row


def spread(timing: Timing, reference: Timing) -> str:
    """The quartiles of the ratios of `timing` to `reference` over the rounds."""
    pairs = zip(timing.slices, reference.slices, strict=True)
    low, _, high = quantiles(
        (mine.rate / theirs.rate for mine, theirs in pairs), method="inclusive"
    )
    return f"{low:.2f} to {high:.2f}"


def ratio(timing: Timing, reference: Timing | None) -> float | None:
    """`timing` to `reference`, each round against itself; None without a reference."""
    return None if reference is None else timing.ratio_to(reference)
