"""Observations whose arrays only the options know."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import parallel_pool
import pytest
from test_envs.checks import refused
from test_envs.compiling import compile_plugin

ID = "fields/Wheels-v0"


@pytest.fixture(scope="session", autouse=True)
def plugin(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Once per process: a family has one library, and a worker may come back to this module."""
    source = Path(__file__).with_name("fields.cpp")
    path = compile_plugin(source, tmp_path_factory.mktemp("fields") / "fields.so")
    parallel_pool.register(parallel_pool.EnvSpec(ID), library=str(path))


@pytest.mark.parametrize("wheels", [0, 1, 3])
@pytest.mark.parametrize("picture", [False, True])
def test_there_are_as_many_arrays_as_the_options_say(wheels: int, picture: bool) -> None:
    options = {"wheels": wheels, "picture": picture}
    with parallel_pool.make(ID, num_envs=4, num_threads=2, seed=1, **options) as pool:
        names = [*(f"wheel{i}" for i in range(wheels)), "state", *["picture"] * picture]
        obs, _ = pool.reset()
        assert set(obs) == set(names) == set(pool.single_observation_space)
        start = np.array([np.random.default_rng(1 + env).uniform(0, 1) for env in range(4)])
        for steps in range(3):
            for wheel in range(wheels):
                angle = start + 0.5 * steps + wheel
                np.testing.assert_array_equal(obs[f"wheel{wheel}"], angle)
                np.testing.assert_array_equal(obs["state"][:, wheel, 0], np.float32(angle))
            assert obs["state"].shape == (4, wheels, 2)
            if picture:
                assert obs["picture"].tolist() == [[[0, 1, 2], [3, 4, 5]]] * 4
            obs = pool.step(np.full(4, 0.5))[0]


def test_in_the_order_in_which_they_were_added() -> None:
    with parallel_pool.make_dm(ID, num_envs=1, wheels=3, picture=True) as pool:
        assert list(pool.reset().observation.obs) == [
            "wheel0",
            "wheel1",
            "wheel2",
            "state",
            "picture",
        ]


def test_environments_with_other_arrays_share_no_pool() -> None:
    with refused(parallel_pool.OptionError, "wheels"):
        parallel_pool.make(ID, env_options=[{"wheels": 2}, {"wheels": 3}])
