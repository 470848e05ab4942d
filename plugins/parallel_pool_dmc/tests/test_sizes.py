"""Models of sizes that no task of the suite has: swimmer's links, the masses of lqr. And lqr's end."""

from __future__ import annotations

from typing import Any

import dm_env
import numpy as np
import parallel_pool
import pytest
from dm_control.suite import lqr_solver
from dmc_twin import Twin
from parallel_pool.errors import OptionError


@pytest.mark.parametrize(
    ("name", "sizes"),
    [
        ("swimmer-swimmer6", {"n_links": 3}),
        ("lqr-lqr_2_1", {"n_bodies": 1, "n_actuators": 1}),
        # Products so long that numpy's BLAS adds them up in another order.
        ("lqr-lqr_6_2", {"n_bodies": 40, "n_actuators": 33}),
    ],
)
def test_other_sizes(name: str, sizes: dict[str, int]) -> None:
    twin = Twin(name, seed=5, time_limit=1.2, **sizes)
    assert twin.run(episodes=2) >= 80
    twin.close()


@pytest.mark.parametrize(
    ("name", "sizes"),
    [
        ("swimmer-swimmer6", {"n_links": 2}),
        ("lqr-lqr_2_1", {"n_actuators": 3}),
        ("cheetah-run", {"n_links": 3}),
    ],
)
def test_sizes_that_there_are_not(name: str, sizes: dict[str, int]) -> None:
    with pytest.raises(OptionError, match=next(iter(sizes))):
        parallel_pool.make_dm(f"dmc/{name}", num_envs=1, task_kwargs=sizes)


def test_the_masses_come_to_rest() -> None:
    """With the best controls an episode of lqr ends by itself, with discount 0; and the next one begins.

    The second of the two is the first to end.
    """
    twin = Twin("lqr-lqr_2_1", seed=20, lanes=2)
    policies = [lqr_solver.solve(env)[1] for env in twin.references]

    def actions(expected: list[dm_env.TimeStep]) -> np.ndarray[Any, Any]:
        states = [np.concatenate([*each.observation.values()]) for each in expected]
        return np.array([policy @ state for policy, state in zip(policies, states, strict=True)])

    assert twin.run(episodes=1, policy=actions) < 7000
    twin.close()
