"""The pool in EnvPool's shapes: what tests/envpool_interface, whose pools are of its class, do not ask."""

import gymnasium
import numpy as np
from test_envs.pools import make


def test_reset_gives_the_info_where_asked_to() -> None:
    with make("Walk", "gym", num_envs=3, seed=0, gym_reset_return_info=True) as pool:
        obs, info = pool.reset([2, 0])
        assert obs.shape == (2, 2)
        assert info["env_id"].tolist() == [2, 0]
        assert info["elapsed_step"].tolist() == [0, 0]
        assert pool.config["gym_reset_return_info"] is True
    with make("Walk", "gym") as pool:
        assert pool.config["gym_reset_return_info"] is False
    with make("Walk", "dm") as pool:
        assert pool.config["gym_reset_return_info"] is True


def test_wrappers_of_single_environments_may_hold_it() -> None:
    pool = gymnasium.Wrapper(make("Count", "gym", num_envs=2))
    pool.reset()
    assert pool.step(np.array([1, 2]))[1].tolist() == [1, 2]
    pool.close()
