"""Several players: asynchronous pools, failures, counts. Every view: tests/views/test_players.py."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import parallel_pool
import pytest
from test_envs.checks import refused
from test_envs.compiling import SOURCES
from test_envs.player_counts_model import CrowdModel, Row, some_actions
from test_envs.player_results import MODES, check, team
from test_envs.pools import begun, make


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
@pytest.mark.parametrize(("threads", "isolation"), [(1, None), (3, None), (2, "process")])
def test_asynchronous_pools(mode: str, threads: int, isolation: str | None) -> None:
    n = 7
    how = {"num_threads": threads, "isolation": isolation, "autoreset_mode": mode}
    pool = make("Crowd", "gym", num_envs=n, batch_size=3, seed=5, max_episode_steps=9, **how)
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


@pytest.mark.parametrize("mode", MODES)
def test_a_failed_environment_has_no_players(mode: str) -> None:
    with begun(team(fails=4, autoreset_mode=mode)) as pool:
        with pytest.raises(parallel_pool.EnvError, match="player 0 asked for it") as caught:
            pool.step([4, 0, 0, 1, 2, 3])
        _, reward, _, truncated, info = caught.value.result
        assert info["players"]["env_id"].tolist() == [1, 1, 1]
        assert reward.tolist() == [1, 4, 9]
        assert truncated.tolist() == [True, False]
        with refused(parallel_pool.ResetNeededError, "environment 0 failed earlier"):
            pool.step([1, 1, 1])
        assert pool.step([1, 1, 1], [1])[0].shape == (3, 3)
        pool.reset([0])
        assert pool.step([1] * 6)[0][:, 1].tolist() == [1, 1, 1, 3, 3, 3]


def test_a_count_of_players_instead_of_places(compiled: Callable[[Path], Path]) -> None:
    """A plugin in C that says how many players there are, and packs them itself."""
    spec = parallel_pool.EnvSpec("player_counts/PlayerCounts-v0")
    parallel_pool.register(spec, library=str(compiled(SOURCES / "player_counts.c")))
    with parallel_pool.make(spec.id, "gym", num_envs=2) as pool:
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
