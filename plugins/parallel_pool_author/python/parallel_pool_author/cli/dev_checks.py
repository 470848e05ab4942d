"""The conformance checks of `parallel-pool dev`, in a new process for each build.

`python -m parallel_pool_author.cli.dev_checks FAMILY LIBRARY_FOLDER` imports what checks need, waits for a line
on its standard input, and then writes a line of JSON for each result: the imports are done while the compiler
works.
"""

from __future__ import annotations

import dataclasses
import importlib
import json
import os
import queue
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from parallel_pool.errors import ParallelPoolError

from parallel_pool_author.cli.dev_project import Project

FIRST = (
    *("declaration", "spaces", "rows", "values", "statics", "determinism", "leftovers", "seeding"),
    *("fresh_start", "autoreset"),
)
"""The checks that run first. They find most mistakes, within tenths of a second if steps are fast."""
LIMIT = 20.0
"""Seconds for a check, then a loop counts as endless. `parallel-pool check` gives slow environments more."""


class Checker:
    """A process for checks, started before the library is built."""

    def __init__(self, project: Project, site: Path) -> None:
        site.mkdir(parents=True, exist_ok=True)  # Python looks at its path as it begins
        program = [sys.executable, "-m", "parallel_pool_author.cli.dev_checks"]
        self._process = subprocess.Popen(
            [*program, project.family, str(site / project.install_dir)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
            env={**os.environ, "PYTHONPATH": before_others(site)},
            # Ctrl-C is for the parent, which ends this process together with its forked children.
            start_new_session=True,
        )
        self._lines: queue.SimpleQueue[str] = queue.SimpleQueue()

    def begin(self) -> None:
        """Starts the checks, when the library is there."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write("begin\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            pass  # it has said on stderr why it ended
        threading.Thread(target=self._read, daemon=True).start()

    def results(self) -> Iterator[dict[str, Any] | None]:
        """Yields the results of the process, and None at times without a result. Ends when the process ends."""
        while True:
            try:
                line = self._lines.get(timeout=0.1)
            except queue.Empty:
                yield None
                continue
            if not line:
                break
            yield json.loads(line)
        if status := self._process.wait():
            yield {"error": f"the process of the checks ended with status {status}"}

    def close(self) -> None:
        """Ends the process at once."""
        if hasattr(os, "killpg"):
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
        else:
            self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with suppress(BrokenPipeError):
                    stream.close()

    def _read(self) -> None:
        assert self._process.stdout is not None
        try:
            for line in self._process.stdout:
                self._lines.put(line)
        except ValueError:
            pass  # closed meanwhile
        self._lines.put("")


def before_others(site: Path) -> str:
    """The PYTHONPATH of a process that is to find the plugin in this folder first."""
    return os.pathsep.join(filter(None, [str(site), os.environ.get("PYTHONPATH", "")]))


def put_in_place(found: Path, built: Path) -> bool:
    """Copies the new library to where this Python finds the plugin, because an editable install has precedence.

    Returns whether it was elsewhere. Processes that have loaded the old library keep it.
    """
    if found.resolve() == built.resolve():
        return False
    aside = found.with_name(f".{found.name}.new")
    shutil.copy2(built, aside)
    aside.replace(found)
    return True


def main(family: str, folder: str) -> int:
    """Runs the checks when told to start. Returns 1 if the plugin is not found."""
    from parallel_pool.author_api import hooks, registry

    from parallel_pool_author.testing.report import Result, check_plugin

    if not sys.stdin.readline():
        return 0
    importlib.invalidate_caches()
    out = os.fdopen(os.dup(1), "w", buffering=1, encoding="utf-8")
    os.dup2(2, 1)  # a library may print, and that is no result

    def write(**what: Any) -> None:
        print(json.dumps(what), file=out, flush=True)

    def each(result: Result) -> None:
        write(**dataclasses.asdict(result))

    try:
        found = hooks.library_path(registry().plugin(family))
        if put_in_place(found, Path(folder) / found.name):
            write(placed=str(found))
            if found.with_name(f"{family}.envs.json").is_file():  # it names the library by its hash
                again = [sys.executable, "-m", "parallel_pool.cli", "index", family]
                done = subprocess.run(again, check=False, capture_output=True, text=True)
                if done.returncode != 0:
                    write(error=f"the index was not written: {done.stderr.strip()[-500:]}")
                    return 0
        check_plugin(family, first=FIRST, each=each, limit=LIMIT)
    except ParallelPoolError as error:
        write(error=str(error))
        return 0
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
