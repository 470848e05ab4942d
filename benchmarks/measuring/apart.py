"""The limit of threads that share a pool: processes that share nothing, each with a pool of one thread."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from in_turn import PATIENCE, Case, CaseFailedError, Worker, serve
from in_turn import Slice as Figures
from parallel_pool import EnvSpec, _core, register

from measuring.baselines import Absent, Task, parallel_pool
from measuring.drivers import Driver, Observer, Slice

_CHILD = """
import json, sys
sys.path.insert(0, sys.argv[1])
from measuring.apart import share
share(**json.loads(sys.argv[2]))
"""


class Apart(Driver):
    """The environments of a task on all CPUs. No process waits for another within a slice.

    library: of an id that no plugin lists.
    """

    def __init__(self, name: str, task: Task, library: Path | None = None) -> None:
        super().__init__(name, task.num_envs)
        processes = min(_core.usable_cpus(), task.num_envs)
        self._workers: list[Worker] = []
        for number in range(processes):
            share = {
                "task_id": task.task_id,
                "num_envs": len(range(number, task.num_envs, processes)),
                "options": dict(task.options),
                "library": None if library is None else str(library),
            }
            folder = str(Path(__file__).parents[1])
            command = [sys.executable, "-c", _CHILD, folder, json.dumps(share)]
            self._workers.append(Worker(f"{name}, {number}", command, None))
        self._each(self._workers, PATIENCE)

    def _each(self, workers: Sequence[Worker], seconds: float) -> list[Figures]:
        try:
            return [worker.wait(seconds) for worker in workers]
        except CaseFailedError as reason:
            self.close()
            raise Absent(str(reason)) from None

    def run(self, seconds: float, observe: Observer | None = None) -> Slice:
        """See Driver."""
        begin = time.perf_counter()
        for worker in self._workers:
            worker.ask(seconds)
        slices = self._each(self._workers, seconds + PATIENCE)
        steps = sum(int(each["steps"]) for each in slices)
        return Slice(steps, steps // self.rows, time.perf_counter() - begin)

    def advance(self, calls: int) -> None:
        """For a moment."""
        self.run(0.01)

    def close(self) -> None:
        """Ends the processes."""
        for worker in self._workers:
            worker.close()


class _Share(Case):
    def __init__(self, driver: Driver) -> None:
        self._driver = driver

    def slice(self, seconds: float) -> Figures:
        each = self._driver.run(seconds)
        return {"steps": each.env_steps, "seconds": each.seconds}

    def close(self) -> None:
        self._driver.close()


def share(task_id: str, num_envs: int, options: dict[str, object], library: str | None) -> None:
    """In one of the processes."""
    if library is not None:
        register(EnvSpec(task_id), library=Path(library))
    task = Task(task_id, num_envs, num_threads=1, options=options)
    serve(lambda: _Share(parallel_pool(task)))
