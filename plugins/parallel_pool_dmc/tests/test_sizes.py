"""Models of sizes that no task of the suite has: swimmer's links, the masses of lqr. And lqr's end."""

from typing import Any

import numpy as np
import parallel_pool
import pytest
from dm_control.suite import lqr_solver
from dmc_originals import played
from parallel_pool.errors import OptionError
from parallel_pool.testing import Play
from test_envs.originals import Beside, unrecorded


@pytest.mark.parametrize(
    ("name", "sizes"),
    [
        ("swimmer-swimmer6", {"n_links": 3}),
        ("lqr-lqr_2_1", {"n_bodies": 1, "n_actuators": 1}),
        # Products so long that numpy's BLAS adds them up in another order.
        ("lqr-lqr_6_2", {"n_bodies": 40, "n_actuators": 33}),
    ],
)
def test_other_sizes(name: str, sizes: dict[str, Any], beside: Beside) -> None:
    assert played(beside, name, seed=5, episodes=2, time_limit=1.2, **sizes).step >= 80


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
    policies: list[Any] = []

    def act(play: Play) -> Any:
        policies.extend(lqr_solver.solve(env.bare)[1] for env in play.originals[len(policies) :])
        states = np.concatenate([*play.obs.values()], axis=1)
        return np.array([policy @ state for policy, state in zip(policies, states, strict=True)])

    play = played(unrecorded, "lqr-lqr_2_1", seed=20, lanes=2, steps=7000, policy=act)
    assert (play.ended > 0).all()
