"""The committed figures, benchmarks/instructions.json: what a step may cost, and where that was counted.

A count repeats exactly only with the same compiler, C library, Python and processor class. So what
it was counted with is a part of it, and figures counted otherwise are not compared: whoever asks is
told what differs. Instructions of this project's own libraries hardly depend on Python's version, so
those are compared where only Python's side is another. They are compared elsewhere too, for most of a
step may be an engine's, in which a slower pool would not be seen.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean

from step_cost.callgrind import Callgrind, Count
from step_cost.cases import Case

FIGURES = Path(__file__).parent.parent / "instructions.json"
ALLOWED = 1.03
"""How many times the committed figure a step may cost."""
ALLOWED_ON_AVERAGE = 1.01
"""The same of all cases."""
UPDATE = "uv run python benchmarks/instructions.py --write"
_PYTHON_SIDE = frozenset({"python", "numpy", "gymnasium"})


class NotComparable(Exception):
    """The committed figures were counted with something else; the message says with what."""


@dataclass(frozen=True, slots=True)
class Figures:
    """Counts by the name of their case, all with the same fingerprint."""

    fingerprint: dict[str, str]
    counts: dict[str, Count]

    @classmethod
    def read(cls, path: Path = FIGURES) -> Figures:
        """Those of a file that `write` wrote."""
        stored = json.loads(path.read_text())
        counts = {name: Count(**count) for name, count in stored["counts"].items()}
        return cls(stored["fingerprint"], counts)

    def write(self, path: Path = FIGURES) -> None:
        """As JSON."""
        path.write_text(json.dumps(asdict(self), indent=2) + "\n")


def count_all(cases: Sequence[Case], python: str) -> Figures:
    """Those of the build of this interpreter, several at once: that does not change the counts."""
    with Callgrind() as callgrind, ThreadPoolExecutor(len(os.sched_getaffinity(0))) as threads:
        counted = list(threads.map(lambda case: callgrind.count(case, python), cases))
    counts = {case.name: each.count for case, each in zip(cases, counted, strict=True)}
    return Figures(counted[0].fingerprint, counts)


def differences(committed: Mapping[str, str], here: Mapping[str, str]) -> dict[str, str]:
    """What of two fingerprints is not the same, in words, by key."""
    return {
        key: f"{key} is {here.get(key)} here, and was {committed.get(key)}"
        for key in sorted({*committed, *here})
        if committed.get(key) != here.get(key)
    }


def complaint(name: str, committed: Figures, count: Count, here: Mapping[str, str]) -> str | None:
    """Why this count is too high; None if it is not. Raises NotComparable."""
    changed = differences(committed.fingerprint, here)
    if changed.keys() - _PYTHON_SIDE:
        raise NotComparable("not comparable: " + "; ".join(changed.values()))
    allowed = committed.counts[name]
    if not changed and count.total > ALLOWED * allowed.total:
        return _too_many(name, "in all", count.total, allowed.total)
    # Where the total is not higher, work moved here from Python.
    if (changed or count.total > allowed.total) and count.native > ALLOWED * allowed.native:
        return _too_many(name, "in this project's libraries", count.native, allowed.native)
    return None


def complaint_of_all(committed: Figures, here: Figures) -> str | None:
    """Why all counts together are too high; None if they are not, or were counted with something else."""
    if differences(committed.fingerprint, here.fingerprint):
        return None
    average = fmean(
        count.total / committed.counts[name].total for name, count in here.counts.items()
    )
    if average <= ALLOWED_ON_AVERAGE:
        return None
    return (
        f"steps cost {average:.3f} times the committed instructions on average, of {ALLOWED_ON_AVERAGE} that "
        f"are allowed. If it is meant: {UPDATE}"
    )


def _too_many(name: str, where: str, now: float, committed: float) -> str:
    return (
        f"{name}: a step costs {now:,.0f} instructions {where}, and {committed:,.0f} are committed: "
        f"{now / committed:.3f} times as many, of {ALLOWED} that are allowed. If it is meant: {UPDATE}"
    )
