"""Observations, actions and infos whose arrays only the options know."""

from typing import Any

import gymnasium
import numpy as np
import parallel_pool
import pytest
from test_envs.checks import refused

pytestmark = pytest.mark.usefixtures("plugin")
CROWD = "fields/Crowd-v0"
ARMS = ("fields/OneArm-v0", "fields/ManyArms-v0")


def test_in_the_order_in_which_they_were_added() -> None:
    with parallel_pool.make_dm(ARMS[0], num_envs=1, terms="alive still") as pool:
        names = ["alive", "still", "asked", "count", "pairs"]
        assert list(pool.reset().observation.obs) == names


@pytest.mark.parametrize(
    ("name", "values"),
    [("joints", (2, 3)), ("form", ("float32", "key")), ("terms", ("alive", "still"))],
)
@pytest.mark.parametrize("env_id", ARMS)
def test_environments_with_other_arrays_share_no_pool(
    env_id: str, name: str, values: tuple[Any, Any]
) -> None:
    with refused(parallel_pool.OptionError, f"{name!r} is {values[0]!r} and {values[1]!r}"):
        parallel_pool.make(env_id, env_options=[{name: each} for each in values])


@pytest.mark.parametrize("terms", ["", "alive", "track_linear track_angular alive"])
@pytest.mark.parametrize("joints", [1, 3])
@pytest.mark.parametrize("form", ["float32", "float64", "key", "both"])
@pytest.mark.parametrize("env_id", ARMS)
def test_arrays_are_what_the_options_say(env_id: str, form: str, joints: int, terms: str) -> None:
    names = terms.split()
    with parallel_pool.make(
        env_id, num_envs=6, num_threads=2, seed=1, form=form, joints=joints, terms=terms
    ) as pool:
        dtype = np.float64 if form == "float64" else np.float32
        push = gymnasium.spaces.Box(-joints, joints, (joints,), dtype)
        key = gymnasium.spaces.Discrete(joints)
        spaces = {"key": key, "both": gymnasium.spaces.Dict(key=key, push=push)}
        assert pool.single_action_space == spaces.get(form, push)
        pool.action_space.seed(3)
        obs, info = pool.reset()
        asked = np.zeros((6, joints))
        for count in range(4):
            assert set(obs) == {*names, "asked", "count", "pairs"}
            np.testing.assert_array_equal(obs["asked"], asked)
            pairs = [[10 * number, 10 * number + 1] for number in range(len(names))]
            assert obs["pairs"].shape == (6, len(names), 2)
            assert obs["pairs"].tolist() == [pairs] * 6
            assert obs["count"].tolist() == [count] * 6
            np.testing.assert_array_equal(info["total"], asked.sum(axis=1))
            found = info.get("reward", {})
            assert [each for each in found if each[0] != "_"] == names
            for number, name in enumerate(names):
                assert found[name].dtype == np.float32
                assert found[name].tolist() == [count * (number + 1)] * 6
                assert obs[name].tolist() == found[name].tolist()
            action = pool.action_space.sample()
            asked = np.zeros((6, joints))
            if form in ("key", "both"):
                asked[np.arange(6), action["key"] if form == "both" else action] = 1
            if form != "key":
                asked += action["push"] if form == "both" else action
            obs, reward, *_, info = pool.step(action)
            np.testing.assert_array_equal(reward, asked.sum(axis=1))


@pytest.mark.parametrize("env_id", ARMS)
def test_mistakes_of_an_author_are_told(env_id: str) -> None:
    for mistake, name in (("place", "elsewhere"), ("part_of_a_name", "rewards/alive")):
        with refused(
            parallel_pool.OptionError,
            f"describe() adds info '{name}', and no pp::Fields of the type takes it",
        ):
            parallel_pool.make(env_id, mistake=mistake)
    for mistake, told in (
        ("type", "array 0 of a pp::Fields is taken as int8, and describe() added 1: float32"),
        (
            "number",
            "array 9 of a pp::Fields is taken as float64, and describe() added 4: float64 float64 int32",
        ),
    ):
        with parallel_pool.make(env_id, num_envs=2, mistake=mistake) as pool:
            pool.reset()
            with refused(parallel_pool.EnvError, told):
                pool.step(np.zeros((2, 2), np.float32))


def test_each_player_has_its_part_of_every_array() -> None:
    for players, size in ((2, 3), (5, 1)):
        with parallel_pool.make(CROWD, num_envs=3, players=players, size=size) as pool:
            obs, info = pool.reset(seed=0)
            assert info["players"]["mine"].tolist() == [[10 * k for k in range(players)]] * 3
            assert obs["number"].shape == (3, players, size)
            assert (obs["number"] == np.arange(players)[None, :, None]).all()
            assert obs["action"].shape == (3, players, 1) and (obs["action"] == -1).all()
            actions = np.arange(3 * players).reshape(3, players) % 9
            obs, *_, info = pool.step(actions)
            assert (obs["action"][..., 0] == actions).all()
            assert info["total"].tolist() == actions.sum(axis=1).tolist()
