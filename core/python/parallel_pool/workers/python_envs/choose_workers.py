"""What the workers of Python environments are, processes or threads, and how many."""

from __future__ import annotations

import sys
from dataclasses import replace
from functools import cache

from parallel_pool import _core
from parallel_pool.caller import warn_caller
from parallel_pool.config.arguments import PoolArguments
from parallel_pool.config.checks import NO_PROCESSES
from parallel_pool.errors import OptionError
from parallel_pool.threads.cpu_budget import gil_is_on, share_of_cpus

WORKERS_PER_CPU = {"process": 2, "thread": 8}
"""One worker works while the environments of another reset or wait. More processes cost too much: a process
that is woken for one light environment has cold caches. 8 CartPoles on 2 busy CPUs take 95 us of CPU time a
step in 2 processes, 150 in 4 and 590 in 8 (740 in AsyncVectorEnv, which has 8). Threads share caches; with 8
per CPU environments that wait are faster than in AsyncVectorEnv too, and light ones have half of their best
speed."""


def with_isolation(env_id: str, arguments: PoolArguments) -> PoolArguments:
    """Without `isolation`: threads if they run in parallel and nothing needs processes, else processes."""
    chosen, timeout = arguments.isolation, arguments.step_timeout
    if chosen not in (None, "process", "thread"):
        raise OptionError(
            f"{env_id}: isolation is {chosen!r}, expected 'process' (worker processes), 'thread' (threads "
            "of this process) or None (threads if Python has no global lock, else processes): see "
            "docs/python-environments.md"
        )
    if chosen == "thread" and timeout is not None:
        raise OptionError(
            f"{env_id}: step_timeout={timeout!r} needs a process that can be killed: leave out "
            "isolation='thread'"
        )
    if chosen == "thread" and arguments.seed_globals:
        raise OptionError(
            f"{env_id}: seed_globals=True needs processes, because threads have their global generators "
            "together: leave out isolation='thread'"
        )
    processes = gil_is_on() or timeout is not None or arguments.seed_globals
    if processes and chosen is None and not _core.WORKER_PROCESSES:
        return _without_processes(env_id, arguments)
    usual = "process" if processes else "thread"
    return replace(arguments, isolation=chosen or usual)


def _without_processes(env_id: str, arguments: PoolArguments) -> PoolArguments:
    """Where there are no worker processes: one thread, as more would wait for each other's global lock."""
    for name in ("step_timeout", "seed_globals"):
        if value := getattr(arguments, name):
            raise OptionError(f"{env_id}: {name}={value!r} {NO_PROCESSES}: leave it out")
    _warn_of_no_processes()
    return replace(arguments, isolation="thread", num_threads=arguments.num_threads or 1)


@cache
def _warn_of_no_processes() -> None:
    """Once."""
    warn_caller(
        "environments written in Python run in a thread of this program, one after the other: worker processes "
        f"need Linux, and this is {sys.platform}. So they are slow, a crash ends the program, and there is no "
        "step_timeout. On Windows, WSL is a Linux: see docs/windows.md",
        UserWarning,
    )


def with_workers(arguments: PoolArguments) -> PoolArguments:
    """The number of workers, if none is given."""
    count, kind = arguments.num_envs, arguments.isolation
    if arguments.num_threads not in (None, 0) or not isinstance(count, int) or count <= 0:
        return arguments
    assert kind is not None
    most = WORKERS_PER_CPU[kind] * share_of_cpus()
    return replace(arguments, num_threads=min(count, most))


def after_import(arguments: PoolArguments, chosen: PoolArguments) -> PoolArguments:
    """Processes in place of threads, if `isolation` is not given and an imported module needs the GIL.

    chosen: the arguments as they were given.
    """
    there_is_a_choice = _core.WORKER_PROCESSES and chosen.isolation is None
    if not there_is_a_choice or arguments.isolation != "thread" or not gil_is_on():
        return arguments
    arguments = replace(arguments, isolation="process")
    if chosen.num_threads in (None, 0):
        arguments = with_workers(replace(arguments, num_threads=0))
    return arguments
