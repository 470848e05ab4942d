"""EnvPool up to 0.8 with gym before 0.26."""

import sys
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from gymnasium import spaces
from parallel_pool.envpool import legacy


def make(name: str = "Count", **arguments: Any) -> Any:
    return legacy.make(f"test/{name}-v0", env_type="gym", **arguments)


def test_reset_gives_the_observation_and_step_four_values() -> None:
    with make("Count", num_envs=3, max_count=2) as pool:
        obs = pool.reset()
        assert obs.tolist() == [0, 0, 0]
        obs, reward, done, info = pool.step(np.array([0, 1, 2]))
        assert reward.dtype == np.float32
        assert done.dtype == np.bool_
        assert set(info) == {"env_id", "players", "elapsed_step", "TimeLimit.truncated", "total"}
        *_, done, info = pool.step(np.array([0, 1, 2]))
        assert done.all()
        assert not info["TimeLimit.truncated"].any()
        assert pool.config["gym_reset_return_info"] is False


@pytest.mark.parametrize(("limit", "cut_off"), [(1, True), (2, False)])
def test_the_time_limit_alone(limit: int, cut_off: bool) -> None:
    """An episode that ends by itself on the step of the limit was not cut off."""
    with make("Count", max_count=2, max_episode_steps=limit) as pool:
        pool.reset()
        for _ in range(limit):
            *_, done, info = pool.step(np.array([0]))
        assert done[0]
        assert info["TimeLimit.truncated"].tolist() == [cut_off]


def test_reset_with_info_where_asked_for() -> None:
    with make("Count", gym_reset_return_info=True) as pool:
        obs, info = pool.reset()
        assert obs.tolist() == info["elapsed_step"].tolist() == [0]


def test_recv() -> None:
    with make("Count", num_envs=4, batch_size=2) as pool:
        pool.async_reset()
        _obs, _reward, _done, info = pool.recv()
        pool.send(np.zeros(2, int), info["env_id"])
        assert len(pool.recv(reset=True)) == 2
        assert pool.recv(reset=True, return_info=False).shape == (2,)


def test_the_other_types_are_todays() -> None:
    with legacy.make("CartPole-v1", "gymnasium") as pool:
        assert len(pool.reset()) == 2
    with legacy.make_gymnasium("CartPole-v1") as pool:
        assert len(pool.step(np.array([0]))) == 5
    with legacy.make_gym("CartPole-v1") as pool:
        assert len(pool.step(np.array([0]))) == 4
    with legacy.make("CartPole-v1", "dm") as pool:
        assert pool.reset().first().all()
    with pytest.raises(AssertionError, match="'gym', 'gymnasium' or 'dm'"):
        legacy.make("CartPole-v1", "other")
    assert legacy.make_spec("CartPole-v1").action_space.n == 2
    assert "CartPole-v1" in legacy.list_all_envs()


class Gym(ModuleType):
    """What is asked of the package gym: its spaces."""

    def __init__(self) -> None:
        super().__init__("gym")
        self.spaces = ModuleType("gym.spaces")
        for name in ("Box", "Discrete", "MultiDiscrete", "MultiBinary", "Dict", "Tuple"):
            setattr(self.spaces, name, type(name, (getattr(spaces, name),), {}))


def test_spaces_are_those_of_gym_where_it_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    gym = Gym()
    monkeypatch.setitem(sys.modules, "gym", gym)
    with make("Count") as pool:
        assert type(pool.action_space) is gym.spaces.Discrete
        assert type(pool.observation_space) is gym.spaces.Box
        assert pool.single_action_space is pool.action_space
        for spec in (pool.spec, legacy.make_spec("test/Count-v0")):
            assert type(spec.action_space) is gym.spaces.Discrete
            assert type(spec.observation_space) is gym.spaces.Box
            assert type(spec.gymnasium_action_space) is spaces.Discrete
    with make("Types") as pool:
        assert type(pool.observation_space) is gym.spaces.Dict
        theirs = set(vars(gym.spaces).values())
        assert {type(each) for each in pool.observation_space.values()} <= theirs
