"""Environments that share a plugin object, as they do where each thread has many: simulated together before
any is rewarded, they play as each does alone.
"""

from typing import Any

import numpy as np
import parallel_pool
import pytest

ENVS = 32
"""Of one thread: enough to be simulated by fours."""
FEW = 4
"""Too few: each is stepped alone."""


def played(name: str, per_pool: int, **options: Any) -> list[bytes]:
    """What environments answer that are in pools of so many."""
    firsts = range(0, ENVS, per_pool)
    pools = [
        parallel_pool.make(
            f"dmc/{name}", num_envs=per_pool, num_threads=1, seed=5 + first, flatten=True, **options
        )
        for first in firsts
    ]
    low, high = pools[0].single_action_space.low, pools[0].single_action_space.high
    draw = np.random.default_rng(0)
    answers = [[pool.reset()[0]] for pool in pools]
    for step in range(30):
        actions = draw.uniform(low, high, (ENVS, *low.shape))
        taken = draw.random(ENVS) < (0.5 if step % 3 == 0 else 2)
        taken[::FEW] = True  # some in each pool
        for pool, first, answer in zip(pools, firsts, answers, strict=True):
            own = slice(first, first + per_pool)
            answer += pool.step(actions[own][taken[own]], np.flatnonzero(taken[own]))[:4]
    for pool in pools:
        pool.close()
    return [np.concatenate(parts).tobytes() for parts in zip(*answers, strict=True)]


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("walker-walk", {"time_limit": 0.25}),
        ("humanoid-stand", {"frame_skip": 2, "time_limit": 0.4}),
        ("quadruped-fetch", {}),
        ("lqr-lqr_2_1", {}),
        ("finger-spin", {"autoreset_mode": "SameStep", "time_limit": 0.1}),
    ],
)
def test_results_are_those_of_each_alone(name: str, options: dict[str, Any]) -> None:
    assert played(name, ENVS, **options) == played(name, FEW, **options)


def test_one_that_fails_fails_alone() -> None:
    with parallel_pool.make("dmc/cheetah-run", num_envs=ENVS, num_threads=1, seed=0) as pool:
        pool.reset()
        velocity = pool.read_array("qvel", [6])
        velocity[0, 0] = 1e12
        pool.write_array("qvel", velocity, [6])
        with pytest.raises(parallel_pool.EnvError, match=r"(?s)environment 6.*MuJoCo warns"):
            pool.step(np.zeros((ENVS, 6)))
        pool.reset(options={"reset_mask": np.arange(ENVS) == 6})
        pool.step(np.zeros((ENVS, 6)))
