"""Several Python threads use pools at once; where Python has no global lock, truly at once."""

import sys
import sysconfig
from functools import partial
from typing import Any

import numpy as np
from test_envs.pools import begun, make
from test_envs.threads import in_threads

THREADS = 4


def test_the_core_needs_no_global_lock() -> None:
    if sysconfig.get_config_var("Py_GIL_DISABLED"):
        assert not sys._is_gil_enabled()


def test_pools_come_and_go_in_every_thread() -> None:
    def trajectory(seed: int, **arguments: Any) -> list[bytes]:
        with make("Walk", num_envs=6, seed=seed, **arguments) as pool:
            obs, *_ = pool.reset()
            seen = [obs.tobytes()]
            for step in range(40):
                obs, *_ = pool.step(np.arange(6) * step % 3)
                seen.append(obs.tobytes())
            assert len(pool.get_state()) == 6
        return seen

    alone = [trajectory(seed, num_threads=1) for seed in range(THREADS)]

    def work(number: int) -> None:
        for threads in (1, 2, 1):
            assert trajectory(number, num_threads=threads) == alone[number]

    in_threads(*(partial(work, number) for number in range(THREADS)))


def test_arrays_of_one_batch_die_in_any_thread() -> None:
    with begun(make(num_envs=4, num_threads=1, max_count=10**6)) as pool:
        batches = [pool.step([1] * 4) for _ in range(40)]
        parts: list[list[Any]] = [[batch[number] for batch in batches] for number in range(4)]
        batches.clear()
        in_threads(*(part.clear for part in parts))
        for expected in range(41, 60):
            assert pool.step([1] * 4)[0].tolist() == [expected] * 4
        assert pool.stats()["batches"] <= 42
