"""Workers that are threads of this process: for Python without a GIL, and with isolation="thread"."""

from __future__ import annotations

import threading
import traceback
from collections.abc import Callable

from parallel_pool import _core
from parallel_pool.config.python_env import PythonEnv
from parallel_pool.registry.described import utf8
from parallel_pool.workers.python_envs.action_objects import ActionObjects
from parallel_pool.workers.python_envs.server import serve

Start = Callable[[_core.SharedMemory, Callable[[str], None]], None]
"""Starts to serve the mailbox in this memory, and at the end calls the function with a text: how it went."""


def thread_starter(env: PythonEnv, infos: bool, objects: ActionObjects | None) -> Start:
    """infos: whether the infos of environments are wanted. objects: the actions that are no arrays."""

    def start(memory: _core.SharedMemory, done: Callable[[str], None]) -> None:
        # A daemon: the pool ends it, but cannot if its environment never returns.
        threading.Thread(
            target=_run, args=(memory, done), name="parallel_pool worker", daemon=True
        ).start()

    def _run(memory: _core.SharedMemory, done: Callable[[str], None]) -> None:
        exit_reason = "ended"
        try:
            serve(_core.Mailbox(memory), env, infos, -1 if objects is None else objects.file)
        except BaseException as error:
            # An Exception of an environment is an answer; this is SystemExit or the like.
            said = "".join(traceback.format_exception_only(error)).strip()
            exit_reason = "ended by " + utf8(said).decode()
        finally:
            done(exit_reason)

    return start
