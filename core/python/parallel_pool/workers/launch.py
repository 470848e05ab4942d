"""Describes how the workers of a pool are started."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import spawn
from typing import TYPE_CHECKING

from parallel_pool import _core
from parallel_pool.config.pool_config import PoolConfig
from parallel_pool.errors import OptionError
from parallel_pool.registry.described import one_line
from parallel_pool.workers import nesting
from parallel_pool.workers.payload import NativeEnvs, NativeVariant, PythonEnvs

if TYPE_CHECKING:
    from parallel_pool.workers.python_envs.action_objects import ActionObjects
    from parallel_pool.workers.python_envs.worker_threads import Start


@contextmanager
def worker_config(
    config: PoolConfig, infos: bool, objects: ActionObjects | None = None
) -> Iterator[_core.WorkerConfig]:
    """How the workers of a pool are started.

    infos: whether the infos of Python environments are wanted. objects: the actions that are no arrays.

    Its descriptor is open inside the `with` only; the pool keeps a copy for workers that start later.
    """
    python = config.python
    if python is not None and config.arguments.isolation == "thread":
        from parallel_pool.workers.python_envs.worker_threads import thread_starter

        yield _config(config, start_thread=thread_starter(python, infos, objects))
    else:
        nesting.expect_end()
        program = _native_program(config) if python is None else _python_program(config, infos)
        file = os.memfd_create("parallel_pool_payload") if objects is None else os.dup(objects.file)
        payload = _above_streams(file)
        try:
            # Where the program ends is said, because actions that are objects stand behind it.
            os.pwrite(payload, len(program).to_bytes(8, "little") + program, 0)
            yield _config(config, command=_command(), payload=payload)
        finally:
            os.close(payload)


def _config(
    config: PoolConfig,
    *,
    command: Sequence[str] = (),
    payload: int = -1,
    start_thread: Start | None = None,
) -> _core.WorkerConfig:
    return _core.WorkerConfig(
        workers=config.arguments.num_threads,
        step_timeout=config.arguments.step_timeout or 0.0,
        seed_bits=config.seed_bits,
        handle_field=-1 if config.python is None else config.python.handle_field,
        command=command,
        payload=payload,
        start_thread=start_thread,
    )


def _native_program(config: PoolConfig) -> bytes:
    variants = config.variants
    sent = [
        NativeVariant(each.env, each.options, each.asked, each.completed)
        for each in variants.distinct
    ]
    return pickle.dumps(
        NativeEnvs(config.plugin.path, config.env.native_id, sent, variants.variant_of)
    )


def _python_program(config: PoolConfig, infos: bool) -> bytes:
    import cloudpickle  # for lambdas and what the main script defines; Gymnasium needs it too

    assert config.python is not None
    try:
        program: bytes = cloudpickle.dumps(PythonEnvs(config.python, infos))
    except Exception as error:
        raise OptionError(
            f"{config.task_id}: what makes its environments cannot be sent to a worker process: "
            f"{one_line(error)}"
        ) from error
    return program


def _above_streams(descriptor: int) -> int:
    """A descriptor of the same file, never 0 .. 2, which are standard streams even if they are closed."""
    if descriptor > 2:
        return descriptor
    import fcntl  # which systems without workers do not have

    try:
        return fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 3)
    finally:
        os.close(descriptor)


def _search_path() -> list[str]:
    """`sys.path` as the import system reads it: only texts count."""
    path = []
    for folder in sys.path:
        if isinstance(folder, os.PathLike):  # the import system skips these, but programs mean them
            folder = os.fspath(folder)
        if isinstance(folder, bytes):
            folder = os.fsdecode(folder)
        if folder == "":
            try:
                folder = os.getcwd()
            except FileNotFoundError:  # the folder is gone, and all modules in it
                continue
        if isinstance(folder, str):
            path.append(folder)
    return path


def _command() -> list[str]:
    """The interpreter as it runs here: its flags, and what it can import."""
    path = _search_path()
    code = (
        f"import sys; sys.path[:] = {path!r}; "
        f"from parallel_pool.workers.worker_process import main; main({os.getpid()}, {nesting.depth + 1})"
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
