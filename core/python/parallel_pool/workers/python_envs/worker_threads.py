"""Workers that are threads of this process: for Python without a global lock, and for who asks for them."""

from __future__ import annotations

import threading
import traceback
from collections.abc import Callable

from parallel_pool import _core
from parallel_pool.config.python_env import PythonEnv
from parallel_pool.workers.python_envs.server import serve

Start = Callable[[int, Callable[[str], None]], None]
"""Begins to serve the mailbox at a descriptor, and takes that over; calls what it is given, with a text
that says how it went, at the end."""


def thread_starter(env: PythonEnv, infos: bool) -> Start:
    """infos: whether those of environments are wanted."""

    def start(fd: int, done: Callable[[str], None]) -> None:
        # A daemon, because the pool ends it, and if its environment never returns nobody can.
        threading.Thread(
            target=_run, args=(fd, done), name="parallel_pool worker", daemon=True
        ).start()

    def _run(fd: int, done: Callable[[str], None]) -> None:
        exit_reason = "ended"
        try:
            serve(_core.Mailbox(fd), env, infos)
        except BaseException as error:
            # Not an Exception of an environment, which is an answer; SystemExit, say.
            exit_reason = "ended by " + "".join(traceback.format_exception_only(error)).strip()
        finally:
            done(exit_reason)

    return start
