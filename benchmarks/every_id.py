"""Every id at its defaults, in turn with its peers: what the pool is worth where people run it.

`measure` appends a line to a file as each case ends, and goes on where an interrupted run stopped; families
take turns, so that a run of any length is broad. An id has a process of its own: one that hangs or dies is
measured again without the others, and its row says so. With `--envs` other numbers of environments are
measured, into another file. `report` writes tables and pictures into pages from both files.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any

import every_id_report
from every_id_case import PACKAGES, Mode, serve
from every_id_report import RATIOS
from figures import Row, append, machine, read, say, without_folders
from parallel_pool import list_all_envs

MAIN = {
    "classic": 64,
    "mujoco": 64,
    "dmc": 16,
    "box2d": 16,
    "minigrid": 64,
    "vizdoom": 16,
    "atari": 32,
}
"""Families in the order in which they take turns, with the number of environments besides one."""
PATIENCE = 60.0
"""Seconds that a case may take to be built and measured."""
FIRST_GUESS = 5.0
"""Seconds of an id before one was measured."""


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("what", nargs="?", choices=("measure", "report"), default="measure")
    parser.add_argument("--json", type=Path, metavar="FILE", help="lines of JSON")
    parser.add_argument("--hours", type=float, default=2.0, help="budget of this run (2)")
    parser.add_argument("--family", nargs="+", choices=list(MAIN), default=list(MAIN))
    parser.add_argument("--ids", nargs="+", metavar="ID", help="only these")
    parser.add_argument("--envs", nargs="+", type=int, metavar="N", help="not the family's number")
    parser.add_argument("--quick", action="store_true", help="only synchronous, and none of one")
    parser.add_argument(
        "--peers",
        nargs="+",
        choices=list(RATIOS.values()),
        help="only these, beside what the file has already",
    )
    parser.add_argument("--rounds", type=int, default=3, help="slices of each pool (3)")
    parser.add_argument("--slice", type=float, default=0.1, help="seconds of a slice (0.1)")
    parser.add_argument("--fresh", action="store_true", help="reset before each slice, in lockstep")
    parser.add_argument("--packages", type=Path, metavar="DIR", help="searched last for peers")
    options = parser.parse_args()
    if options.what == "report":
        every_id_report.write(list_all_envs())
    else:
        options.json = options.json or every_id_report.file_of(by_number=bool(options.envs))
        measure(options)


def measure(options: argparse.Namespace) -> None:
    """The cases that the file lacks, until the budget is spent."""
    if options.packages:
        os.environ[PACKAGES] = str(options.packages.resolve())
        sys.path.append(os.environ[PACKAGES])  # for the versions
    os.environ.setdefault("MUJOCO_GL", "egl")  # dm_control draws the ground of quadruped-escape
    folders = [str(Path(__file__).parent), os.environ.get("PYTHONPATH")]
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, folders))
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["every_id_case"])
    ids = [each for each in list_all_envs() if not options.ids or each in options.ids]
    wanted = cases(ids, options.family, options.envs, quick=options.quick)
    left = remaining(wanted, options.json, options.peers)
    append(options.json, {"environment": machine()})
    begin = time.monotonic()
    for done, (task_id, modes) in enumerate(left.items()):
        spent = time.monotonic() - begin
        if spent > 3600 * options.hours:
            say(f"the budget is spent; {len(left) - done} ids are left")
            break
        each = spent / done if done else FIRST_GUESS
        minutes = min(each * (len(left) - done), 3600 * options.hours - spent) / 60
        say(f"{done + 1} of {len(left)}, {minutes:.0f} min left: {task_id}")
        for row in rows_of(context, task_id, modes, options):
            append(options.json, row | ({"peers": options.peers} if options.peers else {}))


def cases(
    ids: Iterable[str], families: Sequence[str], envs: Sequence[int] | None, *, quick: bool
) -> dict[str, list[Mode]]:
    """The modes of each id; families take turns."""
    by_family = {name: [i for i in ids if i.startswith(f"{name}/")] for name in families}
    turns = chain.from_iterable(zip_longest(*by_family.values()))
    found = {}
    for each in filter(None, turns):
        numbers = envs or ([MAIN[each.partition("/")[0]]] + [1] * (not quick))
        found[each] = [
            (number, mode)
            for number in numbers
            for mode in ("sync", "async")
            if mode == "sync" or (number > 1 and not quick)
        ]
    return found


def remaining(
    wanted: dict[str, list[Mode]], path: Path, peers: Sequence[str] | None = None
) -> dict[str, list[Mode]]:
    """Those without a line in the file; a case that failed has one."""
    rows = read(path)[1]
    measured = {(row["id"], row["envs"], row["mode"]) for row in rows if row.get("peers") == peers}
    left = {
        each: [mode for mode in modes if (each, *mode) not in measured]
        for each, modes in wanted.items()
    }
    return {each: modes for each, modes in left.items() if modes}


def rows_of(
    context: Any, task_id: str, modes: Sequence[Mode], options: argparse.Namespace
) -> Iterator[Row]:
    """The rows of an id. A mode in which its process died or hung is measured without peers, in another one."""
    case = None
    try:
        for num_envs, mode in modes:
            row = {"id": task_id, "envs": num_envs, "mode": mode, "load": os.getloadavg()[0]}
            case = case or Case(
                context, task_id, options, peers=options.peers or tuple(RATIOS.values())
            )
            answer = case.ask(num_envs, mode)
            if answer is None:
                why = case.why()
                case.end()
                case = Case(context, task_id, options, peers=())
                answer = case.ask(num_envs, mode) or case.why()
                case.end()
                case = None
                if isinstance(answer, dict):
                    answer["absent"].append(f"all others: with them {why}")
            if not isinstance(answer, dict):
                answer = {"failed": without_folders(answer)}
            yield row | answer
    finally:
        if case is not None:
            case.end()


class Case:
    """The process of an id."""

    def __init__(
        self, context: Any, task_id: str, options: argparse.Namespace, *, peers: Sequence[str]
    ) -> None:
        spec = {"id": task_id, "peers": peers}
        spec |= {name: getattr(options, name) for name in ("rounds", "slice", "fresh")}
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=serve, args=(theirs, spec))
        self._process.start()
        theirs.close()

    def ask(self, num_envs: int, mode: str) -> Row | str | None:
        """The row of a mode, a text if it has none, None if the process died or hung."""
        with suppress(EOFError, BrokenPipeError, ConnectionResetError):
            self._pipe.send((num_envs, mode))
            if self._pipe.poll(PATIENCE):
                answer: Row | str = self._pipe.recv()
                return answer
        return None

    def why(self) -> str:
        """Why it did not answer."""
        self._process.join(1)
        code = self._process.exitcode
        return f"no answer for {PATIENCE:.0f} s" if code is None else f"it ended with status {code}"

    def end(self) -> None:
        """Ends it and all that it started."""
        self._pipe.close()
        self._process.join(1)
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.join()


if __name__ == "__main__":
    main()
