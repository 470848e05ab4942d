"""Observations whose arrays only the options know."""

from pathlib import Path

import numpy as np
import parallel_pool
import pytest
from test_envs.checks import refused
from test_envs.compiling import compile_plugin

ID = "fields/Wheels-v0"
CROWD = "fields/Crowd-v0"


@pytest.fixture(scope="session", autouse=True)
def plugin(tmp_path_factory: pytest.TempPathFactory) -> None:
    source = Path(__file__).with_name("fields.cpp")
    path = compile_plugin(source, tmp_path_factory.mktemp("fields") / "fields.so")
    for each in (ID, CROWD):
        parallel_pool.register(parallel_pool.EnvSpec(each), library=str(path))


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


def test_each_player_has_its_part_of_every_array() -> None:
    for players, size in ((2, 3), (5, 1)):
        with parallel_pool.make(CROWD, num_envs=3, players=players, size=size) as pool:
            obs, _ = pool.reset(seed=0)
            assert obs["number"].shape == (3, players, size)
            assert (obs["number"] == np.arange(players)[None, :, None]).all()
            assert obs["action"].shape == (3, players, 1) and (obs["action"] == -1).all()
            actions = np.arange(3 * players).reshape(3, players) % 9
            obs, *_ = pool.step(actions)
            assert (obs["action"][..., 0] == actions).all()
