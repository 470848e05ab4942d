"""Instructions per step of eight pools, against the committed figures or against another build.

python benchmarks/instructions.py [--write | --against PYTHON [--time]]

Counted by valgrind's callgrind, which gives the same number each time, on a busy machine too: two
minutes of CPU time at most. More than 3% above a committed figure, or 1% above all of them on
average, fails here and in tests/speed.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Callable, Sequence
from fnmatch import fnmatch
from statistics import median
from typing import Any

from figures import Row, say, table, whole
from step_cost.callgrind import Count, Unavailable
from step_cost.cases import CASES, Case
from step_cost.figures import (
    FIGURES,
    UPDATE,
    Figures,
    NotComparable,
    complaint,
    complaint_of_all,
    count_all,
    differences,
)
from step_cost.interleaved import time_side_by_side


def main() -> int:
    """Prints a table. 1 if a step costs too much, 2 if that cannot be said."""
    options = _options()
    cases = [case for case in CASES if any(fnmatch(case.name, each) for each in options.cases)]
    if not cases:
        raise SystemExit(
            f"no case is named {options.cases}: there are {[case.name for case in CASES]}"
        )
    if options.time:
        _time(cases, options)
        return 0
    try:
        here = count_all(cases, sys.executable)
        if options.against:
            other = count_all(cases, options.against)
            for difference in differences(other.fingerprint, here.fingerprint).values():
                say(f"not the same in both: {difference}")
            _print_counts(here, other, "before")
            return 0
    except Unavailable as reason:
        say(str(reason))
        return 2
    committed = Figures.read()
    _print_counts(here, committed, "committed")
    if options.write:
        here.write()
        return 0
    return _judge(here, committed)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--write", action="store_true", help=f"commit the counts to {FIGURES.name}")
    what.add_argument(
        "--against", metavar="PYTHON", help="the interpreter of another build, the one before"
    )
    parser.add_argument(
        "--time", action="store_true", help="interleaved wall time instead, with --against"
    )
    parser.add_argument(
        "--cases",
        nargs="+",
        default=["*"],
        metavar="NAME",
        help="some of them, as 'CartPole* x 64'",
    )
    parser.add_argument("--processes", type=int, default=3, help="of each build, to time (3)")
    parser.add_argument("--rounds", type=int, default=10, help="pairs of slices of each (10)")
    parser.add_argument("--slice", type=float, default=0.2, help="seconds of a slice (0.2)")
    options = parser.parse_args()
    if options.time and not options.against:
        parser.error("--time needs --against: times say something next to each other only")
    if options.write and options.cases != ["*"]:
        parser.error("--write writes all figures: they are counted with the same things")
    if options.against:
        if shutil.which(options.against) is None:
            parser.error(
                f"{options.against} is no program; --against takes .venv/bin/python or alike"
            )
        options.against = os.path.abspath(options.against)
    return options


def _print_counts(here: Figures, other: Figures, title: str) -> None:
    """Next to those of `other`. "Ours": in this project's libraries, without what they call."""
    rows: list[Row] = []
    for name, count in here.counts.items():
        reference = other.counts.get(name)
        if reference is not None:
            rows.append({"case": name, **_columns(count, reference, title)})
    in_all = {title: whole, "here": whole, "ratio": _ratio}
    ours = {f"ours {key}": write for key, write in in_all.items()}
    print(table({"case": str, **in_all, **ours}, rows), end="")


def _columns(count: Count, reference: Count, title: str) -> Row:
    return {
        title: reference.total,
        "here": count.total,
        "ratio": count.total / reference.total,
        f"ours {title}": reference.native,
        "ours here": count.native,
        "ours ratio": count.native / reference.native,
    }


def _ratio(value: float) -> str:
    return f"{value:.4f}"


def _judge(here: Figures, committed: Figures) -> int:
    try:
        complaints = [
            text
            for name, count in here.counts.items()
            if (text := complaint(name, committed, count, here.fingerprint)) is not None
        ]
        complaints += filter(None, [complaint_of_all(committed, here)])
    except NotComparable as reason:
        say(f"{reason}. Figures of this machine: {UPDATE}")
        return 2
    for text in complaints:
        say(text)
    return int(bool(complaints))


def _time(cases: Sequence[Case], options: argparse.Namespace) -> None:
    """Row by row, for it takes a while."""
    rows: list[Row] = []
    for case in cases:
        pairs = time_side_by_side(
            case,
            options.against,
            sys.executable,
            processes=options.processes,
            rounds=options.rounds,
            seconds=options.slice,
        )
        low, high = pairs.middle
        rows.append(
            {
                "case": case.name,
                "before, steps/s": median(pairs.before) * case.num_envs,
                "here, steps/s": median(pairs.new) * case.num_envs,
                "ratio": pairs.ratio,
                "its middle half": f"{low:.3f} to {high:.3f}",
            }
        )
        say(f"{case.name}: {pairs.ratio:.3f} ({low:.3f} to {high:.3f})")
    columns: dict[str, Callable[[Any], str]] = {
        "case": str,
        "before, steps/s": whole,
        "here, steps/s": whole,
        "ratio": _ratio,
    }
    print(table({**columns, "its middle half": str}, rows), end="")


if __name__ == "__main__":
    sys.exit(main())
