"""Whether the arguments that all pools take are possible, and what they come to."""

from __future__ import annotations

import sys
from typing import Any

from parallel_pool.config.arguments import ARGUMENTS
from parallel_pool.errors import OptionError
from parallel_pool.threads.cpu_budget import share_of_cpus, warn_of_many_threads
from parallel_pool.threads.placement import thread_cpus
from parallel_pool.threads.thread_pool import ThreadPool, cpus_of


def check_threads(env_id: str, common: dict[str, Any]) -> list[list[int]]:
    """Checks what says which threads there are, but their number. Where they may run."""
    shared = common["thread_pool"]
    if shared is not None:
        if not isinstance(shared, ThreadPool):
            raise OptionError(
                f"{env_id}: thread_pool is {shared!r}, expected a parallel_pool.ThreadPool or None"
            )
        refused = {
            "num_threads": common["num_threads"] not in (None, 0, shared.num_threads),
            "thread_affinity_offset": common["thread_affinity_offset"] != -1,
            "thread_affinity": common["thread_affinity"] is not None,
            "numa_node": common["numa_node"] is not None,
            # A thread that hangs would be missing to the other pools, and could not be given up.
            "step_timeout": common["step_timeout"] is not None,
        }
        for name in (name for name, given in refused.items() if given):
            raise OptionError(
                f"{env_id}: {name} is for threads of the pool's own, and thread_pool has the threads: "
                f"leave {name} out, or give it to the ThreadPool"
            )
    cpus = thread_cpus(env_id, common["thread_affinity"], common["numa_node"])
    if cpus and common["thread_affinity_offset"] != -1:
        raise OptionError(
            f"{env_id}: give thread_affinity_offset, thread_affinity or numa_node, not several"
        )
    return cpus


def check_isolation(env_id: str, common: dict[str, Any]) -> bool:
    """Whether environments are to live in worker processes. Raises OptionError if they cannot."""
    if common["isolation"] == "thread":
        raise OptionError(
            f"{env_id}: isolation='thread' is for environments written in Python; the pool's own threads "
            "step this one, leave it out"
        )
    if common["isolation"] not in (None, "process"):
        raise OptionError(
            f"{env_id}: isolation is {common['isolation']!r}, expected None (environments run in this "
            "process) or 'process' (in worker processes: see docs/isolation.md)"
        )
    if common["isolation"] is None:
        return False
    check_workers(env_id, common)
    return True


def check_workers(env_id: str, common: dict[str, Any]) -> None:
    """Raises OptionError if there can be no workers (isolation: "process", "thread") as asked for."""
    if sys.platform != "linux":
        raise OptionError(
            f"{env_id}: isolation={common['isolation']!r} needs Linux, and this is {sys.platform}; "
            "leave it out"
        )
    ours = {
        "thread_pool": common["thread_pool"] is not None,
        "thread_affinity": common["thread_affinity"] is not None,
        "thread_affinity_offset": common["thread_affinity_offset"] != -1,
        "numa_node": common["numa_node"] is not None,
    }
    for name in (name for name, given in ours.items() if given):
        raise OptionError(
            f"{env_id}: {name} is for threads of this process, and isolation={common['isolation']!r} "
            "(there is always some for a Python environment) has workers of its own: leave "
            f"{name} out. They run where this process may"
        )


def check_common(env_id: str, common: dict[str, Any], cpus: list[list[int]], players: int) -> None:
    """Checks the arguments that every pool takes, and puts effective values in. Raises OptionError.

    `check_isolation` comes first; cpus: where threads may run; players: at most, of one environment.
    """
    for argument in ARGUMENTS:
        if not argument.name.startswith("render_"):  # see check_render_arguments
            common[argument.name] = argument.check(env_id, common[argument.name])
    common["batch_size"] = common["batch_size"] or common["num_envs"]
    if common["batch_size"] > common["num_envs"]:
        raise OptionError(
            f"{env_id}: batch_size is {common['batch_size']}, but there are only "
            f"{common['num_envs']} environments (num_envs)"
        )
    if common["isolation"] is None:  # a thread with a worker sleeps while that works
        warn_of_many_threads(env_id, common["num_threads"])
    if common["thread_pool"] is not None:
        common["num_threads"] = common["thread_pool"].num_threads
    named = cpus_of(cpus) or share_of_cpus()
    common["num_threads"] = common["num_threads"] or min(
        common["batch_size"], named, share_of_cpus()
    )
    if common["max_num_players"] not in (1, players):
        raise OptionError(
            f"{env_id}: max_num_players is {common['max_num_players']!r}, but the environment has "
            f"{players}: it decides that itself; leave it out"
        )
    common["max_num_players"] = players
    if players > 1:
        refused = {
            "nan_action": common["nan_action"] == "truncate",
            # Of several players as well, if there is a process to be killed.
            "step_timeout": common["step_timeout"] is not None and common["isolation"] is None,
        }
        for name in (name for name, given in refused.items() if given):
            raise OptionError(
                f"{env_id}: {name}={common[name]!r} is for environments with one player, and this one "
                f"has up to {players}"
            )
