"""What the tests of pools on Ray have in common."""

import os
import signal
import threading
from typing import Any

import numpy as np
import parallel_pool
from test_envs.crashing_pools import gone

ID = "CartPole-v1"


def seeds(seed: int, pool: int, generation: int, count: int) -> list[int]:
    """Those that an actor's environments have, by numpy's word."""
    sequence = np.random.SeedSequence(seed, spawn_key=(pool, generation))
    return [int(each) for each in sequence.generate_state(count, np.uint64)]


def all_seeds(seed: int, pools: int, each: int) -> list[int]:
    return [one for pool in range(pools) for one in seeds(seed, pool, 0, each)]


def plain(seed: int, pools: int, each: int, **options: Any) -> Any:
    """A pool of this process with the environments of a RayPool."""
    given = all_seeds(seed, pools, each)
    return parallel_pool.make(ID, num_envs=pools * each, seed=given, **options)


def same(one: Any, other: Any, rows: Any = slice(None)) -> None:
    for mine, theirs in zip(one[:4], other[:4], strict=True):
        assert np.array_equal(mine[rows], theirs[rows])


def connect_to(cluster: Any) -> None:
    import ray

    ray.init(address=cluster.address, log_to_driver=False, logging_level="CRITICAL")


def kill(pool: Any, number: int) -> None:
    """kill -9 of an actor as it was placed first."""
    os.kill(pool.places[number]["pid"], signal.SIGKILL)


def stop(pool: Any, number: int) -> None:
    os.kill(pool.places[number]["pid"], signal.SIGSTOP)


def kill_soon(pool: Any, number: int, seconds: float = 0.5) -> threading.Timer:
    timer = threading.Timer(seconds, kill, (pool, number))
    timer.start()
    return timer


def wait_until_gone(pid: int, seconds: float = 30) -> None:
    assert gone(pid, seconds), f"process {pid} is still there"
