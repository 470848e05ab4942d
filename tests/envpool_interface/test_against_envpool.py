"""Ours beside EnvPool itself, where that is installed (`uv sync --group bench`): names, specs, answers."""

import warnings
from typing import Any

import numpy as np
import pytest
from parallel_pool import envpool as ours
from parallel_pool.errors import UnknownEnvError

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]
theirs = pytest.importorskip("envpool", exc_type=ImportError)

IDS = (
    *("CartPole-v1", "Pendulum-v1", "Acrobot-v1", "MountainCarContinuous-v0", "FrozenLake-v1"),
    *("Blackjack-v1", "Catch-v0", "NChain-v0", "CliffWalking-v0", "Pong-v5", "HalfCheetah-v5"),
    *("Ant-v4", "CheetahRun-v1", "WalkerWalk-v1", "FingerSpin-v1"),
)
OTHER_DTYPES = ("HalfCheetah-v5", "Ant-v4", "FrozenLake-v1", "NChain-v0", "CliffWalking-v0")
"""Of some infos of MuJoCo's tasks, and of discrete observations, ours are Gymnasium's."""
COMMON = tuple(ours.make_spec("CartPole-v1").config._fields[:9])
ELSEWHERE = ("base_path", "num_threads")
"""What a configuration has of this machine."""


def layout(value: Any, dtypes: bool = True) -> Any:
    """What an answer is made of, without its numbers."""
    if isinstance(value, np.ndarray):
        return (str(value.dtype) if dtypes else "", value.shape)
    if isinstance(value, dict):
        return {key: layout(each, dtypes) for key, each in value.items()}
    if hasattr(value, "_fields"):
        return {name: layout(getattr(value, name), dtypes) for name in value._fields}
    return [layout(each, dtypes) for each in value]


def assert_has(mine: Any, parsed: Any) -> None:
    """Ours may have more infos."""
    if isinstance(parsed, dict):
        assert set(parsed) <= set(mine)
        for key, each in parsed.items():
            assert_has(mine[key], each)
    elif isinstance(parsed, list):
        assert len(mine) == len(parsed)
        for left, right in zip(mine, parsed, strict=True):
            assert_has(left, right)
    else:
        assert mine == parsed


def public(thing: Any) -> set[str]:
    return {name for name in dir(thing) if not name.startswith("_")}


def test_every_id_is_here_or_its_family_is_named() -> None:
    unexplained = set(theirs.list_all_envs()) - set(ours.list_all_envs())
    for each in sorted(unexplained):
        with pytest.raises(UnknownEnvError, match=r"EnvPool's family|was removed|there is no"):
            ours.make_spec(each)


def test_every_name() -> None:
    assert set(theirs.__all__) <= set(ours.__all__)
    assert public(theirs.make_spec("CartPole-v1")) <= public(ours.make_spec("CartPole-v1"))
    for make in ("make_gymnasium", "make_dm"):
        with getattr(ours, make)("CartPole-v1") as mine:
            assert public(getattr(theirs, make)("CartPole-v1")) <= public(mine)


@pytest.mark.parametrize("task_id", IDS)
def test_the_spec(task_id: str) -> None:
    mine, parsed = ours.make_spec(task_id, num_envs=3), theirs.make_spec(task_id, num_envs=3)
    for name in set(COMMON) - set(ELSEWHERE):
        assert getattr(mine.config, name) == getattr(parsed.config, name), name
    assert mine.config.max_episode_steps == parsed.config.max_episode_steps
    assert mine.reward_threshold == parsed.reward_threshold
    for kind in ("state_array_spec", "action_array_spec"):
        have = {key: each.shape for key, each in getattr(mine, kind).items()}
        assert_has(have, {key: each.shape for key, each in getattr(parsed, kind).items()})
    assert set(parsed.observation_spec()._fields) <= set(mine.observation_spec()._fields)
    assert type(mine.action_spec()) is type(parsed.action_spec())
    assert type(mine.observation_space) is type(parsed.observation_space)
    assert mine.action_space.shape == parsed.action_space.shape


@pytest.mark.parametrize("task_id", IDS)
@pytest.mark.parametrize("make", ["make_gymnasium", "make_dm"])
def test_answers(make: str, task_id: str) -> None:
    pools = [getattr(module, make)(task_id, num_envs=3, seed=1) for module in (ours, theirs)]
    spec = theirs.make_spec(task_id).action_array_spec["action"]
    action = np.zeros((3, *spec.shape[1:]), spec.dtype)
    ids = np.array([2, 0], np.int32)
    some = {"action": action[:2], "env_id": ids, "players.env_id": ids}
    calls: list[Any] = [
        lambda pool: pool.step(action),  # before any reset
        lambda pool: pool.reset(),
        lambda pool: pool.step(action),
        lambda pool: pool.step(action[:2], ids),
        lambda pool: pool.step(some),
        lambda pool: pool.reset(ids),
    ]
    dtypes = task_id not in OTHER_DTYPES
    for call in calls:
        mine, parsed = (layout(call(pool), dtypes) for pool in pools)
        assert_has(mine, parsed)
    for pool in pools:
        with warnings.catch_warnings(action="ignore"):
            pool.seed(1)
        pool.close()
