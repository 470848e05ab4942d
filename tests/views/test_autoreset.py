"""The three autoreset modes, in lockstep with Gymnasium's SyncVectorEnv."""

from typing import Any

import gymnasium
import numpy as np
import parallel_pool
import pytest
from gymnasium.vector import AutoresetMode
from parallel_pool import ResetNeededError
from test_envs.checks import refused
from test_envs.pools import WALKS, make
from twins import assert_same, both, every_mode, play

every_thread_count = pytest.mark.parametrize("threads", [1, 2])


@every_thread_count
@every_mode
@pytest.mark.parametrize(
    "options",
    [
        {"max_count": 3},
        {"max_count": 1},
        {"max_count": 9, "limit": 4},
        {"max_count": 4, "limit": 4},
        {"max_count": 9, "truncate_at": 2},
        {"max_count": 2, "truncate_at": 2, "scale": 0.1},
    ],
)
def test_counting_is_gymnasiums(mode: str, threads: int, options: dict[str, Any]) -> None:
    mine, theirs = both("Count", 4, mode, pool={"num_threads": threads}, **options)
    assert_same(mine.reset(seed=1), theirs.reset(seed=1))
    assert play(mine, theirs, 30) >= 4 * 6


@every_thread_count
@every_mode
@pytest.mark.parametrize("name", WALKS)
def test_episodes_that_end_apart_are_gymnasiums(name: str, mode: str, threads: int) -> None:
    mine, theirs = both(name, 5, mode, limit=15, pool={"num_threads": threads})
    assert_same(mine.reset(seed=7), theirs.reset(seed=7))
    assert play(mine, theirs, 200) > 50
    # In the middle of episodes, and with an autoreset pending.
    assert_same(
        mine.reset(seed=[3, None, 2**40, None, 0]), theirs.reset(seed=[3, None, 2**40, None, 0])
    )
    assert play(mine, theirs, 50) > 5


@every_thread_count
@every_mode
def test_cartpole_is_gymnasiums(mode: str, threads: int) -> None:
    arguments: Any = {"num_envs": 3, "max_episode_steps": 40}
    mine: Any = parallel_pool.make(
        "classic/CartPole-v1", num_threads=threads, autoreset_mode=mode, **arguments
    )
    theirs = gymnasium.make_vec(
        "CartPole-v1",
        vectorization_mode="sync",
        vector_kwargs={"autoreset_mode": AutoresetMode(mode)},
        **arguments,
    )
    assert_same(mine.reset(seed=5), theirs.reset(seed=5))
    assert play(mine, theirs, 300) > 20
    theirs.close()


@every_mode
def test_modes_may_be_given_as_gymnasium_gives_them(mode: str) -> None:
    for spelt in (mode, AutoresetMode(mode), AutoresetMode(mode).name):
        with make(autoreset_mode=spelt) as pool:
            assert pool.autoreset_mode is AutoresetMode(mode)
            assert pool.metadata["autoreset_mode"] is AutoresetMode(mode)
            assert pool.config["autoreset_mode"] == mode


def test_final_obs_in_both_layouts() -> None:
    with make("Walk", num_envs=6, seed=0, autoreset_mode="SameStep") as pool:
        pool.reset()
        seen = 0
        for _ in range(60):
            obs, _, terminated, _, info = pool.step(np.zeros(6, int))
            assert info["_final_obs_dense"].tolist() == terminated.tolist()
            assert info["final_obs_dense"].shape == obs.shape
            assert ("final_obs" in info) == terminated.any()
            assert info["elapsed_step"][terminated].tolist() == [0] * terminated.sum()
            for row in np.flatnonzero(terminated):
                assert (info["final_obs"][row] == info["final_obs_dense"][row]).all()
                assert info["final_obs"][row][1] < 0.1, (
                    "the last observation has the noise that ended it"
                )
                assert obs[row][1] == 0, "a first observation has no noise"
                assert info["final_info"]["elapsed_step"][row] > 0
                seen += 1
        assert seen > 10


def test_final_obs_of_nested_spaces() -> None:
    with make("Types", num_envs=2, autoreset_mode="SameStep", max_episode_steps=2) as pool:
        first, _ = pool.reset()
        action = pool.action_space.sample()
        pool.step(action)
        obs, _, _, truncated, info = pool.step(action)
        assert truncated.all()
        assert obs["types"]["i8"].tolist() == first["types"]["i8"].tolist()
        for row, final in enumerate(info["final_obs"]):
            assert pool.single_observation_space.contains(final)
            assert final["types"]["i8"].tolist() == [2, 2, 2]
            assert final["echo"]["joint"] == action["joint"][row]


@every_thread_count
@every_mode
def test_asynchronous_pools_count_the_same(mode: str, threads: int) -> None:
    """Each environment's own sequence of rows, whatever the order in which they come."""
    with make(
        num_envs=6, batch_size=2, num_threads=threads, max_count=3, autoreset_mode=mode
    ) as pool:
        pool.async_reset()
        rows: dict[int, list[Any]] = {env: [] for env in range(6)}
        for _ in range(3 * 12):
            obs, reward, terminated, _, info = pool.recv()
            ids = info["env_id"]
            for k, env in enumerate(ids):
                rows[env].append((obs[k], reward[k], terminated[k]))
                if mode == "SameStep" and terminated[k]:
                    assert info["final_obs"][k] == info["final_obs_dense"][k] == 3
                    assert info["final_info"]["total"][k] == 3
            again = terminated if mode == "Disabled" else np.zeros(2, bool)
            if again.any():
                pool.async_reset(ids[again])
            if not again.all():
                pool.send(np.ones(2 - again.sum(), int), ids[~again])
    cycle = {
        "NextStep": [(0, 0, False), (1, 1, False), (2, 1, False), (3, 1, True)],
        "Disabled": [(0, 0, False), (1, 1, False), (2, 1, False), (3, 1, True)],
        "SameStep": [(1, 1, False), (2, 1, False), (0, 1, True)],
    }[mode]
    for history in rows.values():
        start = [(0, 0, False)] if mode == "SameStep" else []
        assert history == (start + cycle * 20)[: len(history)]
    assert sum(map(len, rows.values())) == 3 * 12 * 2


def test_same_step_in_the_gym_view() -> None:
    with make("Count", "gym", num_envs=2, max_count=2, autoreset_mode="SameStep") as pool:
        pool.reset()
        pool.step(np.array([1, 2]))
        obs, reward, terminated, _, info = pool.step(np.array([1, 2]))
        assert (obs.tolist(), reward.tolist()) == ([0, 0], [1, 2])
        assert terminated.all()
        assert info["_final_obs"].all()
        assert info["_final_info"].all()
        assert info["final_obs"].tolist() == [2, 2]
        assert info["final_info"]["total"].tolist() == [2, 4]
        assert info["total"].tolist() == [0, 0]
        assert info["episode"]["r"].tolist() == [2, 4]
        obs, *_, info = pool.step(np.array([1, 2]))
        assert obs.tolist() == [1, 1]
        assert not info["_final_obs"].any()


def test_same_step_in_the_dm_view() -> None:
    with make("Count", "dm", num_envs=2, max_count=2, autoreset_mode="SameStep") as pool:
        pool.reset()
        types = []
        for _ in range(5):
            step = pool.step(np.array([1, 2]))
            types.append(step.step_type.tolist())
            if step.step_type[0] == 2:
                assert step.observation.obs.tolist() == [0, 0]
                assert step.observation.final_obs.tolist() == [2, 2]
                assert step.reward.tolist() == [1, 2]
                assert step.discount.tolist() == [0, 0]
        assert types == [[1, 1], [2, 2], [1, 1], [2, 2], [1, 1]]


@pytest.mark.parametrize("env_type", ["gymnasium", "gym", "dm"])
def test_without_autoreset_an_ended_environment_takes_no_step(env_type: str) -> None:
    with make("Count", env_type, num_envs=3, max_count=2, autoreset_mode="Disabled") as pool:
        pool.reset()
        pool.step(np.ones(3, int))
        pool.reset([1])
        pool.step(np.ones(3, int))
        for env_id in (None, [1, 2], [2]):
            ended = 0 if env_id is None else 2
            with refused(ResetNeededError, f"environment {ended} has ended", "reset it first"):
                pool.step(np.ones(3 if env_id is None else len(env_id), int), env_id)
        step = pool.step(np.ones(1, int), [1])
        obs = step.observation.obs if env_type == "dm" else step[0]
        assert obs.tolist() == [2], "the refused steps changed nothing"
        pool.reset([0, 1, 2])
        pool.step(np.ones(3, int))


@every_mode
def test_a_natural_end_on_the_time_limit_gives_both_flags(mode: str) -> None:
    with make(max_count=2, max_episode_steps=2, autoreset_mode=mode) as pool:
        pool.reset()
        pool.step(np.ones(1, int))
        _, _, terminated, truncated, _ = pool.step(np.ones(1, int))
        assert terminated[0]
        assert truncated[0]
