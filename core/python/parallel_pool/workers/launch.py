"""What starts the workers of a pool."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import spawn
from typing import Any

from parallel_pool.config.pool_config import PoolConfig
from parallel_pool.config.python_env import SEED_BITS
from parallel_pool.errors import OptionError


@contextmanager
def worker_config(config: PoolConfig, infos: bool) -> Iterator[dict[str, Any] | None]:
    """What `_core.Pool` takes as `isolation`; None for a pool whose own threads step its environments.

    infos: whether the infos of Python environments are wanted.

    The descriptor in it is open inside the `with` only; the pool keeps a copy for workers to come.
    """
    if config.values["isolation"] is None:
        yield None
        return
    plan = {
        "workers": config.values["num_threads"],
        "step_timeout": config.values["step_timeout"],
        "seed_bits": SEED_BITS if config.python else 64,
        "handles": config.python.handle_field if config.python else None,
    }
    if config.python is not None and config.values["isolation"] == "thread":
        from parallel_pool.workers.python_envs.worker_threads import thread_starter

        yield {**plan, "start_thread": thread_starter(config.python, infos)}
        return
    program = _python_program(config, infos) if config.python else _native_program(config)
    payload = _above_streams(os.memfd_create("parallel_pool_payload"))
    try:
        with open(payload, "wb", closefd=False) as file:
            file.write(program)
        yield {**plan, "command": _command(), "payload": payload}
    finally:
        os.close(payload)


def _native_program(config: PoolConfig) -> bytes:
    return pickle.dumps(
        {
            "serve": "native",
            "library": config.plugin.path,
            "env_id": config.env.native_id,
            "variants": [
                {
                    "options": each.options,
                    # A plugin may complete options by what lives in this process only (an address, say).
                    "completed": each.completed,
                    "asked": each.asked,
                    "env": each.env,
                }
                for each in config.variants.distinct
            ],
            "variant_of": config.variants.variant_of,
        }
    )


def _python_program(config: PoolConfig, infos: bool) -> bytes:
    import cloudpickle  # lambdas, and what the main script defines; Gymnasium needs it too

    try:
        program: bytes = cloudpickle.dumps(
            {"serve": "python", "env": config.python, "infos": infos}
        )
    except Exception as error:
        raise OptionError(
            f"{config.task_id}: what makes its environments cannot be sent to a worker process: {error}"
        ) from error
    return program


def _above_streams(descriptor: int) -> int:
    """The same file under a number that is nobody's standard stream, where those are closed."""
    if descriptor > 2:
        return descriptor
    import fcntl  # which systems without workers do not have

    try:
        return fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 3)
    finally:
        os.close(descriptor)


def _search_path() -> list[str]:
    """What can be imported here, as the import system reads it: it passes over what is no text."""
    path = []
    for folder in sys.path:
        if isinstance(folder, os.PathLike):  # it skips these too, and programs mean them
            folder = os.fspath(folder)
        if isinstance(folder, bytes):
            folder = os.fsdecode(folder)
        if folder == "":
            try:
                folder = os.getcwd()
            except FileNotFoundError:  # it is gone, and with it what could be imported from there
                continue
        if isinstance(folder, str):
            path.append(folder)
    return path


def _command() -> list[str]:
    """The interpreter as it runs here: its flags, and what it can import."""
    path = _search_path()
    code = (
        f"import sys; sys.path[:] = {path!r}; "
        f"from parallel_pool.workers.worker_process import main; main({os.getpid()})"
    )
    executable = spawn.get_executable()
    if isinstance(executable, bytes):
        executable = os.fsdecode(executable)
    executable = executable or sys.executable
    if not executable:
        raise OptionError(
            "worker processes run the program sys.executable, and it is empty here: name the Python "
            "interpreter by multiprocessing.set_executable(path)"
        )
    # The flags as multiprocessing passes them on.
    flags: list[str] = subprocess._args_from_interpreter_flags()  # type: ignore[attr-defined]
    return [executable, *flags, "-c", code]
