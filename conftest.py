"""Processes share the tests (pytest-xdist); those marked `serial` have the machine to themselves.

They measure time, so they run last, in one process, when every other has ended (docs/testing.md).
"""

from __future__ import annotations

import gc
import json
import os
import signal
import sys
import tempfile
from pathlib import Path

import pytest
from xdist.scheduler import WorkStealingScheduling
from xdist.workermanage import WorkerController

sys.path.append(str(Path(__file__).parent / "tools"))
from platform_exceptions import LeftOut


class Run:
    """What the process that the user started does for its workers."""

    def __init__(self) -> None:
        self.folder = tempfile.TemporaryDirectory(
            prefix="parallel_pool_tests_", ignore_cleanup_errors=True
        )
        self.serial_names = Path(self.folder.name, "serial.json")
        if sys.dont_write_bytecode:
            self.keep_bytecode(Path(self.folder.name, "bytecode"))

    def keep_bytecode(self, folder: Path) -> None:
        """For this run alone: its hundreds of processes would each compile all that they import."""
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix = str(folder)
        sys.dont_write_bytecode = False

    def pytest_configure_node(self, node: WorkerController) -> None:
        node.workerinput["serial_names"] = str(self.serial_names)

    def pytest_xdist_make_scheduler(
        self, config: pytest.Config, log: object
    ) -> WorkStealingScheduling | None:
        return (
            SerialLast(config, log, self.serial_names)
            if config.option.dist == "worksteal"
            else None
        )

    def pytest_unconfigure(self) -> None:
        self.folder.cleanup()


class SerialLast(WorkStealingScheduling):
    """Hands out the serial tests when one worker process is left."""

    def __init__(self, config: pytest.Config, log: object, serial_names: Path) -> None:
        super().__init__(config, log)
        self.serial_names = serial_names
        self.serial: list[int] | None = None  # until the tests are known
        self.first_is_sent = False

    @property
    def tests_finished(self) -> bool:
        return not self.serial and super().tests_finished

    @property
    def has_pending(self) -> bool:
        return bool(self.serial) or super().has_pending

    def check_schedule(self) -> None:
        if self.collection is None:
            return
        if self.serial is None:
            names = set(json.loads(self.serial_names.read_text()))
            self.serial = [i for i in self.pending if self.collection[i] in names]
            self.pending = [i for i in self.pending if self.collection[i] not in names]
        if self.serial and self.nodes:
            keeper, *others = self.nodes
            if not others:
                self.pending += self.serial
                self.serial = []
            elif self._nothing_to_share():
                self._end(keeper, others)
                return
        super().check_schedule()

    def _nothing_to_share(self) -> bool:
        """No test that is not serial could go to another worker."""
        return (
            not self.pending
            and self.steal_requested_from_node is None
            and all(len(queue) <= 2 for queue in self.node2pending.values())
        )

    def _end(self, keeper: WorkerController, others: list[WorkerController]) -> None:
        """Lets the others end. A worker begins a test when it knows the next, or that there is none."""
        for node in others:
            if len(self.node2pending[node]) < 2 and not node.shutting_down:
                node.shutdown()
        if len(self.node2pending[keeper]) == 1 and not self.first_is_sent:
            assert self.serial
            self.first_is_sent = True
            first = self.serial.pop(0)
            self.node2pending[keeper].append(first)
            keeper.send_runtest_some([first])


def pytest_configure(config: pytest.Config) -> None:
    # A shell's background jobs, and what they start, ignore SIGINT, which tests send.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    config.pluginmanager.register(LeftOut())
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Run())


@pytest.hookimpl(tryfirst=True)  # before xdist says that this worker knows its tests
def pytest_collection_finish(session: pytest.Session) -> None:
    # Thousands of tests live until the end. A collection that looks at them takes a fifth of a second.
    gc.collect()
    gc.freeze()
    given = getattr(session.config, "workerinput", {}).get("serial_names")
    if given is not None:
        names = [item.nodeid for item in session.items if item.get_closest_marker("serial")]
        own = Path(f"{given}.{os.getpid()}")
        own.write_text(json.dumps(names))
        own.replace(given)
