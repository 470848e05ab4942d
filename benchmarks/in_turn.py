"""Cases that take turns, each in a process of its own.

A process may fork, load what others cannot live with, hang or die: it is ended then and left out, aloud, and
the rest goes on. A process that waits for its turn sleeps.

A script calls `take_turns` with what it wants to have measured, and is started again for every case with
`--process JSON`, where it calls `serve`.
"""

from __future__ import annotations

import json
import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from statistics import median
from typing import Any, Protocol

Slice = dict[str, float]
PATIENCE = 300.0
"""seconds that a case may take to begin"""


class Case(Protocol):
    """What is measured."""

    def slice(self, seconds: float) -> Slice:
        """Works for about that long, and gives the figures of this slice."""
        ...

    def close(self) -> None:
        """Gives back what it has."""
        ...


class CaseFailedError(Exception):
    """A case said so, or its process died, or did not answer in time."""


def serve(make: Callable[[], Case]) -> None:
    """In the process of a case: makes it, measures slices for as long as it is asked to."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what libraries print is no answer

    def answer(content: dict[str, Any]) -> None:
        answers.write(json.dumps(content) + "\n")
        answers.flush()

    try:
        case = make()
        answer({})
        for line in sys.stdin:
            answer(case.slice(float(line)))
        case.close()
    except BrokenPipeError:
        sys.exit(1)  # the process that asked is gone
    except Exception as error:  # whatever it is, it is to be read where the table is made
        with suppress(BrokenPipeError):
            answer({"error": f"{type(error).__name__}: {error}"})
        sys.exit(1)


class Worker:
    """The process of a case. Raises CaseFailedError from all methods but `close`."""

    def __init__(self, name: str, command: Sequence[str], folder: Path | None) -> None:
        self.name = name
        self.slices: list[Slice] = []
        self._process = subprocess.Popen(
            command,
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            # What it starts is of its session, so that nothing stays behind.
            start_new_session=True,
        )
        self._read = b""

    def wait(self, seconds: float) -> Slice:
        """Its next answer."""
        assert self._process.stdout
        deadline = time.monotonic() + seconds
        with selectors.DefaultSelector() as selector:
            selector.register(self._process.stdout, selectors.EVENT_READ)
            while b"\n" not in self._read:
                if time.monotonic() > deadline:
                    raise CaseFailedError(f"no answer for {seconds:.0f} s")
                if selector.select(0.5):
                    self._read += os.read(self._process.stdout.fileno(), 65536)
                elif self._process.poll() is not None:
                    raise CaseFailedError(f"it ended with status {self._process.returncode}")
                if self._process.poll() is not None and b"\n" not in self._read:
                    raise CaseFailedError(f"it ended with status {self._process.returncode}")
        line, _, self._read = self._read.partition(b"\n")
        content: dict[str, Any] = json.loads(line)
        if "error" in content:
            raise CaseFailedError(content["error"])
        return content

    def ask(self, seconds: float) -> None:
        """Lets it begin a slice, whose figures are its next answer."""
        assert self._process.stdin
        try:
            self._process.stdin.write(f"{seconds}\n".encode())
            self._process.stdin.flush()
        except BrokenPipeError:
            raise CaseFailedError("its process is gone") from None

    def slice(self, seconds: float, patience: float) -> None:
        """Its turn."""
        self.ask(seconds)
        self.slices.append(self.wait(seconds + patience))

    def close(self, patience: float = 20) -> None:
        """Ends it and all that it started, those that do not end in time as well."""
        assert self._process.stdin
        assert self._process.stdout
        with suppress(BrokenPipeError):
            self._process.stdin.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(patience)
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._process.stdout.close()


def again(specs: Mapping[str, dict[str, Any]]) -> dict[str, list[str]]:
    """The commands that start this script for each case, by name, with what its process is told."""
    start = [sys.executable, sys.argv[0], "--process"]
    return {name: [*start, json.dumps(spec)] for name, spec in specs.items()}


def take_turns(
    commands: Mapping[str, Sequence[str]],
    *,
    rounds: int,
    seconds: float,
    folder: Path | None = None,
    patience: float = PATIENCE,
    left_out: list[str] | None = None,
) -> dict[str, Sequence[Slice]]:
    """The slices of each case by its name, equally many of all; without those that failed.

    Before, each has a short slice: the first steps are slow everywhere. The order rotates from round to round.

    Args:
        commands: what starts the process of a case, which calls `serve`.
        seconds: of a slice.
        folder: where they run.
        patience: seconds that a slice may take longer.
        left_out: is given the names of those that failed, with the reasons.
    """
    workers: list[Worker] = []

    def without(worker: Worker, reason: CaseFailedError) -> None:
        print(f"  left out: {worker.name}: {reason}", file=sys.stderr, flush=True)
        worker.close(patience=0)
        workers.remove(worker)
        if left_out is not None:
            left_out.append(f"{worker.name}: {' '.join(str(reason).split())[:300]}")

    try:
        for name, command in commands.items():
            workers.append(Worker(name, command, folder))
            try:
                workers[-1].wait(PATIENCE)
                workers[-1].slice(seconds / 4, patience)
                workers[-1].slices.clear()
            except CaseFailedError as reason:
                without(workers[-1], reason)
        for turn in range(rounds):
            first = turn % max(len(workers), 1)
            for worker in workers[first:] + workers[:first]:
                try:
                    worker.slice(seconds, patience)
                except CaseFailedError as reason:
                    without(worker, reason)
        return {worker.name: worker.slices for worker in workers}
    finally:
        for worker in workers:
            worker.close()


def ratio(mine: Sequence[Slice], theirs: Sequence[Slice], what: str) -> float:
    """Each round against itself: the machine is not equally fast in all of them. Their median."""
    return median(one[what] / other[what] for one, other in zip(mine, theirs, strict=True))
