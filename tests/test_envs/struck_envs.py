"""A Python environment whose worker something happens to in the middle of one message, once.

The double stands in the worker's end of the mailbox: what a worker is asked has come, and nothing or
half of its answer is written.
"""

import os
import signal
import time
from pathlib import Path
from typing import Any

import gymnasium
from parallel_pool import _core
from parallel_pool.workers.python_envs.server import Op
from test_envs.sleepy_envs import Sleepy

FAULTS = ("killed", "stopped", "slow", "half_written")
MESSAGES = ("create", "reset", "step", "save", "load", "ask", "render", "leave")
_SHARED = {"reset": Op.WORK, "step": Op.WORK, "render": Op.ASK}


class Double:
    """Between a worker's server and its mailbox."""

    def __init__(self, message: str, fault: str, order: Path) -> None:
        self._op = _SHARED.get(message) or Op[message.upper()]
        self._fault, self._order = fault, order
        self._now = -1
        self._next, self._answers = (
            _core.Mailbox.next,
            (_core.Mailbox.answer, _core.Mailbox.answer_text),
        )
        _core.Mailbox.next = lambda box: self.next(box)  # type: ignore[method-assign]
        _core.Mailbox.answer = self.answer_by(self._answers[0])  # type: ignore[method-assign]
        _core.Mailbox.answer_text = self.answer_by(self._answers[1])  # type: ignore[method-assign]

    def next(self, box: Any) -> Any:
        """A call, and what happens when it has come."""
        call = self._next(box)
        self._now = call[0]
        if self._fault != "half_written":
            self.strike()
        return call

    def answer_by(self, answer: Any) -> Any:
        """The rows of work are written by then, and no other process has been told."""

        def answered(box: Any, *what: Any) -> Any:
            if self._fault == "half_written":
                self.strike()
            return answer(box, *what)

        return answered

    def strike(self) -> None:
        """Once for each order."""
        if self._now == self._op and ordered(self._order):
            strike(self._fault)


def ordered(order: Path) -> bool:
    try:
        order.unlink()
    except FileNotFoundError:
        return False
    return True


def strike(fault: str) -> None:
    """To this process."""
    if fault == "stopped":
        os.kill(os.getpid(), signal.SIGSTOP)
    elif fault == "slow":
        time.sleep(30)
    else:
        os.kill(os.getpid(), signal.SIGKILL)


class Struck(Sleepy):
    """Counts its steps. The first of a pool of two is the one that is struck."""

    def __init__(
        self,
        message: str = "",
        fault: str = "",
        order: str = "",
        maker: int = 0,
        render_mode: str | None = None,
    ) -> None:
        """order: a file that orders the fault; maker: the process of the pool, which is never struck."""
        super().__init__(render_mode=render_mode)
        if maker == os.getpid() or not message:
            return
        if message == "create" and ordered(Path(order)):  # the double would come too late
            strike(fault)
        if not hasattr(_core, "double"):
            _core.double = Double(message, fault, Path(order))  # type: ignore[attr-defined]

    def steps(self) -> int:
        return self.count


gymnasium.register("Struck-v0", Struck, disable_env_checker=True, order_enforce=False)
