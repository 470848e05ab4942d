"""Checks the arguments of all pools and computes their effective values, where the environment does not matter.

All functions are pure. Those that return PoolArguments return a copy with effective values for some members.
All raise OptionError that names the environment, the argument, its value and what is expected.
"""

from __future__ import annotations

import sys
from dataclasses import replace

from parallel_pool import _core
from parallel_pool.config.arguments import PoolArguments
from parallel_pool.errors import OptionError
from parallel_pool.threads.cpu_budget import usual_threads, warn_of_many_threads
from parallel_pool.threads.placement import thread_cpus
from parallel_pool.threads.thread_pool import ThreadPool

NO_PROCESSES = f"needs worker processes, which need Linux, and this is {sys.platform}"


def check_native(env_id: str, arguments: PoolArguments) -> tuple[PoolArguments, list[list[int]]]:
    """The arguments of native environments, and the CPUs of each thread."""
    _check_isolation(env_id, arguments)
    cpus = _check_threads(env_id, arguments)
    return check_common(env_id, arguments, cpus), cpus


def _check_threads(env_id: str, arguments: PoolArguments) -> list[list[int]]:
    """The CPUs of each thread: see `thread_cpus`. Checks all arguments of threads except their number."""
    shared = arguments.thread_pool
    if shared is not None:
        if not isinstance(shared, ThreadPool):
            raise OptionError(
                f"{env_id}: thread_pool is {shared!r}, expected a parallel_pool.ThreadPool or None"
            )
        refused = {
            "num_threads": arguments.num_threads not in (None, 0, shared.num_threads),
            "thread_affinity_offset": arguments.thread_affinity_offset != -1,
            "thread_affinity": arguments.thread_affinity is not None,
            "numa_node": arguments.numa_node is not None,
            # The other pools would miss a thread that hangs, and it could not be replaced.
            "step_timeout": arguments.step_timeout is not None,
        }
        for name in (name for name, given in refused.items() if given):
            raise OptionError(
                f"{env_id}: {name} is for threads of the pool's own, and thread_pool has the threads: "
                f"leave {name} out, or give it to the ThreadPool"
            )
    if arguments.thread_affinity is None and arguments.numa_node is None:
        return []
    cpus = thread_cpus(env_id, arguments.thread_affinity, arguments.numa_node)
    if cpus and arguments.thread_affinity_offset != -1:
        raise OptionError(
            f"{env_id}: give thread_affinity_offset, thread_affinity or numa_node, not several"
        )
    return cpus


def _check_isolation(env_id: str, arguments: PoolArguments) -> None:
    """Expects arguments of native environments: they run in this process or in worker processes."""
    if arguments.seed_globals:
        raise OptionError(
            f"{env_id}: seed_globals is for environments written in Python; this one has no global generators, "
            "leave it out"
        )
    if arguments.isolation == "thread":
        raise OptionError(
            f"{env_id}: isolation='thread' is for environments written in Python; the pool's own threads "
            "step this one, leave it out"
        )
    if arguments.isolation not in (None, "process"):
        raise OptionError(
            f"{env_id}: isolation is {arguments.isolation!r}, expected None (environments run in this "
            "process) or 'process' (in worker processes: see docs/isolation.md)"
        )
    if arguments.isolation is not None:
        check_workers(env_id, arguments)


def check_workers(env_id: str, arguments: PoolArguments) -> None:
    """Expects arguments that fit workers (isolation "process" or "thread")."""
    if arguments.isolation == "process" and not _core.WORKER_PROCESSES:
        raise OptionError(f"{env_id}: isolation='process' {NO_PROCESSES}: leave it out")
    ours = {
        "thread_pool": arguments.thread_pool is not None,
        "thread_affinity": arguments.thread_affinity is not None,
        "thread_affinity_offset": arguments.thread_affinity_offset != -1,
        "numa_node": arguments.numa_node is not None,
    }
    for name in (name for name, given in ours.items() if given):
        raise OptionError(
            f"{env_id}: {name} is for threads of this process, and isolation={arguments.isolation!r} "
            "(there is always some for a Python environment) has workers of its own: leave "
            f"{name} out. They run where this process may"
        )


def check_common(env_id: str, arguments: PoolArguments, cpus: list[list[int]]) -> PoolArguments:
    """The given arguments as checked ones. cpus: where threads may run."""
    arguments = arguments.checked(env_id)
    batch_size = arguments.batch_size or arguments.num_envs
    if batch_size > arguments.num_envs:
        raise OptionError(
            f"{env_id}: batch_size is {batch_size}, but there are only "
            f"{arguments.num_envs} environments (num_envs)"
        )
    tensors = arguments.output == "torch"
    if not arguments.copy and (tensors or batch_size < arguments.num_envs):
        name = "output" if tensors else "batch_size"
        raise OptionError(
            f"{env_id}: copy=False is for arrays with all environments in each: leave {name} out"
        )
    device = None if arguments.device is None else str(arguments.device)  # also a torch.device
    if device is not None and arguments.output != "torch":
        raise OptionError(
            f"{env_id}: device is {device!r}, and results are arrays: with output='torch' they are tensors"
        )
    if arguments.isolation is None:  # a thread with a worker sleeps while the worker steps
        warn_of_many_threads(env_id, arguments.num_threads)
    num_threads = arguments.num_threads
    if arguments.thread_pool is not None:
        num_threads = arguments.thread_pool.num_threads
    return replace(
        arguments,
        batch_size=batch_size,
        device=device,
        num_threads=num_threads or min(batch_size, usual_threads(cpus)),
        # Any iterable is accepted; a list can be kept.
        thread_affinity=None if arguments.thread_affinity is None else [cpu for (cpu,) in cpus],
    )
