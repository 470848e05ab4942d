"""An environment's trajectory depends on its seed, its options and its actions only."""

from typing import Any

import numpy as np
import pytest
from test_envs.pools import WALKS, make, native

STEPS = 40
N = 20

Trajectory = list[tuple[Any, ...]]


def policy(env: int, step: int) -> int:
    """Some action of environment `env` at its step `step`, whenever that is."""
    return (7 * env + 3 * step + env * step) % 3


def record(into: dict[int, Trajectory], result: tuple[Any, ...]) -> list[int]:
    """Files a native result by environment and says whose rows it had."""
    obs, reward, terminated, truncated, env_id, elapsed = result
    for row, env in enumerate(env_id.tolist()):
        values = (reward[row], terminated[row], truncated[row], elapsed[row])
        into.setdefault(env, []).append((tuple(obs[row]), *(value.item() for value in values)))
    return [int(env) for env in env_id]


def play_all(pool: Any, num_envs: int, steps: int = STEPS) -> dict[int, Trajectory]:
    """Steps all environments together."""
    trajectories: dict[int, Trajectory] = {}
    record(trajectories, pool.reset())
    for step in range(steps):
        record(trajectories, pool.step(np.array([policy(env, step) for env in range(num_envs)])))
    pool.close()
    return trajectories


def play_async(pool: Any, num_envs: int, steps: int = STEPS) -> dict[int, Trajectory]:
    """Steps whoever is ready, until each environment had its steps; some have had more by then."""
    trajectories: dict[int, Trajectory] = {}
    pool.send_reset()
    while len(trajectories) < num_envs or min(map(len, trajectories.values())) <= steps:
        ready = record(trajectories, pool.recv())
        actions = [policy(env, len(trajectories[env]) - 1) for env in ready]
        pool.send(np.array(actions), np.array(ready))
    pool.close()
    return {env: rows[: steps + 1] for env, rows in trajectories.items()}


@pytest.fixture(scope="module")
def golden(test_envs: None) -> dict[int, Trajectory]:
    """Each environment alone in a pool of one thread."""
    trajectories = {}
    for env in range(N):
        pool = native("Walk", num_envs=1, seeds=[env])
        alone: dict[int, Trajectory] = {}
        record(alone, pool.reset())
        for step in range(STEPS):
            record(alone, pool.step(np.array([policy(env, step)])))
        trajectories[env] = alone[0]
    assert any(row[2] for row in trajectories[0]), "episodes should end"
    assert trajectories[0] != trajectories[1]
    return trajectories


@pytest.mark.parametrize("threads", [1, 2, 4])
@pytest.mark.parametrize("name", WALKS)
def test_independent_of_threads_and_shards(
    golden: dict[int, Trajectory], name: str, threads: int
) -> None:
    assert play_all(native(name, num_envs=N, num_threads=threads), N) == golden


@pytest.mark.parametrize("num_envs", [1, 2, 7, 17])
@pytest.mark.parametrize("name", WALKS)
def test_independent_of_the_number_of_environments(
    golden: dict[int, Trajectory], name: str, num_envs: int
) -> None:
    expected = {env: golden[env] for env in range(num_envs)}
    assert play_all(native(name, num_envs=num_envs, num_threads=2), num_envs) == expected


@pytest.mark.parametrize("batch_size", [1, 5, 10])
@pytest.mark.parametrize("threads", [1, 2, 4])
@pytest.mark.parametrize("name", WALKS)
def test_independent_of_batch_size(
    golden: dict[int, Trajectory], name: str, threads: int, batch_size: int
) -> None:
    pool = native(name, num_envs=N, num_threads=threads, batch_size=batch_size)
    assert play_async(pool, N) == golden


@pytest.mark.parametrize("name", WALKS)
def test_independent_of_order_and_partial_sends(golden: dict[int, Trajectory], name: str) -> None:
    pool = native(name, num_envs=N, num_threads=2)
    trajectories: dict[int, Trajectory] = {}
    record(trajectories, pool.reset())
    shuffle = np.random.default_rng(0)
    for step in range(STEPS):
        order = shuffle.permutation(N)
        cuts = np.sort(shuffle.choice(np.arange(1, N), size=3, replace=False))
        groups = np.split(order, cuts)
        for group in groups:
            pool.send(np.array([policy(env, step) for env in group.tolist()]), group)
        # A synchronous pool answers in the order of the questions, each with its rows in order.
        for group in groups:
            assert record(trajectories, pool.recv()) == group.tolist()
    assert trajectories == golden


@pytest.mark.parametrize("name", WALKS)
def test_a_larger_pool_shared_by_four_threads_agrees_with_one(name: str) -> None:
    n = 300
    one = play_all(native(name, num_envs=n, num_threads=1), n, steps=12)
    assert play_all(native(name, num_envs=n, num_threads=4), n, steps=12) == one
    assert play_async(native(name, num_envs=n, num_threads=4, batch_size=100), n, 12) == one


@pytest.mark.parametrize("name", WALKS)
def test_options_may_differ_between_the_environments_of_a_pool(name: str) -> None:
    drifts = [0.5 * env for env in range(N)]
    options = [{"drift": drift} for drift in drifts]
    together = play_all(native(name, num_envs=N, num_threads=2, options=options), N)
    for env in (0, 7, 19):
        alone = native("Walk", num_envs=1, seeds=[env], options=[options[env]])
        rows: dict[int, Trajectory] = {}
        record(rows, alone.reset())
        for step in range(STEPS):
            record(rows, alone.step(np.array([policy(env, step)])))
        assert together[env] == rows[0]


def test_environments_of_one_pool_must_have_one_layout() -> None:
    with pytest.raises(ValueError, match="environments 0 and 2 of one pool have different"):
        native("Options", num_envs=3, options=[{"size": 2}, {"size": 2}, {"size": 3}])


@pytest.mark.parametrize("name", WALKS)
def test_views_and_native_pool_agree(golden: dict[int, Trajectory], name: str) -> None:
    with make(name, num_envs=N, seed=0, num_threads=2) as pool:
        obs, _ = pool.reset()
        assert [tuple(row) for row in obs] == [golden[env][0][0] for env in range(N)]
        for step in range(STEPS):
            obs, reward, *_ = pool.step(np.array([policy(env, step) for env in range(N)]))
            assert [tuple(row) for row in obs] == [golden[env][step + 1][0] for env in range(N)]
            assert reward.tolist() == [golden[env][step + 1][1] for env in range(N)]
