"""Several players: which are there and what is theirs, against a model in Python."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import parallel_pool
import pytest
from test_envs.checks import refused
from test_envs.compiling import SOURCES, compile_plugin
from test_envs.player_counts_model import CrowdModel, Row, some_actions
from test_envs.player_results import MODES, check, team
from test_envs.pools import make


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("limit", [0, 6])
@pytest.mark.parametrize("mode", MODES)
def test_in_lockstep_with_the_model(mode: str, limit: int, threads: int) -> None:
    n = 7
    arguments = {"max_episode_steps": limit} if limit else {}
    pool = make(
        "Crowd", "gym", num_envs=n, num_threads=threads, seed=5, autoreset_mode=mode, **arguments
    )
    models = [CrowdModel(5 + env, mode, limit) for env in range(n)]
    draw = np.random.default_rng(0)
    everybody = list(range(n))
    with pool:
        pool.async_reset()
        check(pool.recv(), [model.reset() for model in models], everybody)
        ended = 0
        for _ in range(300):
            ids = everybody
            if mode == "Disabled":
                if over := [env for env in everybody if models[env].over]:
                    pool.async_reset(over)
                    check(pool.recv(), [models[env].reset() for env in over], over)
            elif draw.random() < 0.5:
                ids = draw.permutation(n)[: draw.integers(1, n)].tolist()
            actions = [some_actions(draw, int(models[env].row.shown.sum())) for env in ids]
            result = pool.step(np.concatenate(actions).astype(int), np.array(ids))
            rows = [models[env].step(own) for env, own in zip(ids, actions, strict=True)]
            check(result, rows, ids)
            ended += sum(row.length > 0 for row in rows)
        assert ended >= 10


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
@pytest.mark.parametrize("threads", [1, 3])
def test_asynchronous_pools(mode: str, threads: int) -> None:
    n = 7
    pool = make(
        "Crowd", "gym", num_envs=n, batch_size=3, num_threads=threads, seed=5,
        autoreset_mode=mode, max_episode_steps=9,
    )  # fmt: skip
    models = [CrowdModel(5 + env, mode, 9) for env in range(n)]
    draws = [np.random.default_rng(env) for env in range(n)]
    with pool:
        pool.async_reset()
        waiting: dict[int, Row] = {env: models[env].reset() for env in range(n)}
        for _ in range(300):
            result = pool.recv()
            ids = result[4]["env_id"].tolist()
            check(result, [waiting[env] for env in ids], ids)
            actions = [some_actions(draws[env], int(waiting[env].shown.sum())) for env in ids]
            pool.send(np.concatenate(actions).astype(int), np.array(ids))
            for env, own in zip(ids, actions, strict=True):
                waiting[env] = models[env].step(own)


def test_a_full_batch_is_flat_without_a_copy() -> None:
    with team() as pool, make("Crowd", "gym", num_envs=2) as crowd:
        obs = pool.reset()
        assert obs.shape == (6, 3)
        assert type(obs.base).__name__ == "PyCapsule"
        reward = pool.step(np.zeros((2, 3), int))[1]
        assert reward.shape == (6,)
        assert type(crowd.reset()["own"].base).__name__ == "PyCapsule"  # closed up in place


def test_arrays_are_never_overwritten() -> None:
    with make("Crowd", "gym", num_envs=3, seed=1) as pool:
        pool.reset()
        kept = []
        draw = np.random.default_rng(0)
        count = 6
        for _ in range(30):
            result = pool.step(np.array(some_actions(draw, count), dtype=int))
            kept.append((result[0]["own"], result[0]["own"].copy()))
            count = len(result[1])
        for array, copy in kept:
            np.testing.assert_array_equal(array, copy)


@pytest.mark.parametrize("mode", MODES)
def test_a_failed_environment_has_no_players(mode: str) -> None:
    with team(fails=4, autoreset_mode=mode) as pool:
        pool.reset()
        with refused(parallel_pool.EnvError, "player 0 asked for it"):
            pool.step([4, 0, 0, 1, 1, 1])
        with refused(parallel_pool.ResetNeededError, "environment 0 failed earlier"):
            pool.step([1, 1, 1])
        assert pool.step([1, 1, 1], [1])[0].shape == (3, 3)
        pool.reset([0])
        assert pool.step([1] * 6)[0][:, 1].tolist() == [1, 1, 1, 3, 3, 3]


def test_the_others_are_in_the_result_of_the_error() -> None:
    with team(fails=4) as pool:
        pool.reset()
        with pytest.raises(parallel_pool.EnvError) as caught:
            pool.step([4, 0, 0, 1, 2, 3])
        obs, reward, _, truncated, info = caught.value.result
        assert info["players"]["env_id"].tolist() == [1, 1, 1]
        assert obs.shape == (3, 3)
        assert reward.tolist() == [1, 4, 9]
        assert truncated.tolist() == [True, False]


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_trajectories_do_not_depend_on_threads(threads: int) -> None:
    with make("Crowd", "gym", num_envs=20, num_threads=threads, seed=0) as pool:
        pool.reset()
        draw = np.random.default_rng(0)
        total, count = 0.0, 40
        for _ in range(100):
            obs, reward, *_ = pool.step(some_actions(draw, count))
            count = len(reward)
            total += float((obs["own"][:, 3] * np.arange(count)).sum())
    assert total == pytest.approx(pool_total(), rel=0, abs=0)


def pool_total() -> float:
    """What the 20 environments add up to, one pool each."""
    pools = [make("Crowd", "gym", num_envs=1, seed=seed) for seed in range(20)]
    counts = [pool.reset()["own"].shape[0] for pool in pools]
    draw = np.random.default_rng(0)
    total = 0.0
    for _ in range(100):
        actions = iter(some_actions(draw, sum(counts)))
        rows = [
            pool.step([next(actions) for _ in range(count)])[0]["own"][:, 3]
            for pool, count in zip(pools, counts, strict=True)
        ]
        counts = [len(each) for each in rows]
        numbers = np.concatenate(rows)
        total += float((numbers * np.arange(len(numbers))).sum())
    for pool in pools:
        pool.close()
    return total


def test_a_count_of_players_instead_of_places(tmp_path: Path) -> None:
    """A plugin in C that says how many players there are, and packs them itself."""
    library = compile_plugin(SOURCES / "player_counts.c", tmp_path / "player_counts.so")
    parallel_pool.register(
        parallel_pool.EnvSpec("player_counts/PlayerCounts-v0"), library=str(library)
    )
    with parallel_pool.make("player_counts/PlayerCounts-v0", "gym", num_envs=2) as pool:
        assert pool.reset().tolist() == [100, 100]
        counts = [2, 1]
        for step in range(1, 9):
            obs, reward, terminated, _, info = pool.step([1] * sum(counts) if step > 1 else [1, 1])
            number = 1 + step % 3
            assert info["players"]["id"].tolist() == [*range(number)] * 2
            assert obs.tolist() == [*(np.arange(number) + 100 * (number))] * 2
            assert reward.shape == (2,)  # one for all
            assert not terminated.any()
            counts = [number, number]
        with refused(
            parallel_pool.EnvError, "says that 7 players are present, and max_players is 3"
        ):
            pool.step([9] + [1] * (sum(counts) - 1))


def test_options() -> None:
    with refused(parallel_pool.OptionError, "max_num_players is 2", "has 3"):
        team(max_num_players=2)
    with team(max_num_players=3) as pool:
        assert pool.config["max_num_players"] == 3
    with make("Team", players=5) as pool:
        assert pool.config["max_num_players"] == 5
        assert pool.reset()[0].shape == (1, 5, 3)
