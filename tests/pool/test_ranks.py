"""Pools of several processes that do the same work: ids, seeds and threads of each rank."""

import pickle
from typing import Any

import numpy as np
import parallel_pool
import pytest
from parallel_pool import OptionError
from test_envs.checks import refused
from test_envs.pools import make

ENVS, RANKS = 3, 4


def starts(pool: Any, **arguments: Any) -> list[float]:
    obs, _ = pool.reset(**arguments)
    found: list[float] = obs[:, 0].tolist()
    return found


def start(seed: int) -> float:
    return float(np.random.default_rng(seed).uniform(-1, 1))


def expected(seed: int, rank: int) -> list[float]:
    sequence = np.random.SeedSequence(seed, spawn_key=(rank, 0))
    return [start(int(each)) for each in sequence.generate_state(ENVS, np.uint64)]


def test_seeds_of_ranks_are_apart_and_repeat() -> None:
    seen = []
    for seed in (5, 6):
        for rank in range(RANKS):
            with make("Walk", num_envs=ENVS, seed=seed, rank=rank, world_size=RANKS) as pool:
                seen += starts(pool)
                assert seen[-ENVS:] == expected(seed, rank)
    assert len(set(seen)) == 2 * RANKS * ENVS


def test_a_seed_of_reset_is_apart_too() -> None:
    with make("Walk", num_envs=ENVS, rank=2, world_size=RANKS) as pool:
        assert starts(pool, seed=9) == expected(9, 2)
        assert starts(pool, seed=[7, 8, 9]) == [start(7), start(8), start(9)]
        mask = np.array([True, False, True])
        obs, _ = pool.reset(seed=9, options={"reset_mask": mask})
        assert obs[mask, 0].tolist() == [expected(9, 2)[0], expected(9, 2)[2]]
        assert pool.reset([1], seed=9)[0][0, 0] == expected(9, 2)[1]
        with refused(OptionError, "not an int in 0 .. 2**64 - 1"):
            pool.reset(seed=-1)


def test_ids_are_of_all_ranks() -> None:
    with make("Walk", num_envs=ENVS, rank=2, world_size=RANKS) as pool:
        assert pool.global_env_ids.tolist() == [6, 7, 8]
        assert pool.reset()[1]["env_id"].tolist() == [0, 1, 2]
    with make("Walk", num_envs=ENVS) as pool:
        assert pool.global_env_ids.tolist() == [0, 1, 2]


def test_torchrun_says_which_rank_and_how_many_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("RANK", "3"), ("WORLD_SIZE", "4"), ("LOCAL_WORLD_SIZE", "100000")):
        monkeypatch.setenv(name, value)
    with make("Walk", num_envs=ENVS, seed=5, rank="torchrun") as pool:
        assert (pool.config["rank"], pool.config["world_size"]) == (3, 4)
        assert pool.config["num_threads"] == 1
        assert starts(pool) == expected(5, 3)
        monkeypatch.setenv("RANK", "0")
        with pickle.loads(pickle.dumps(pool)) as other:  # is of the rank that it was made for
            assert starts(other) == expected(5, 3)
            assert starts(other, seed=1) == expected(1, 3)
    with make("Walk", num_envs=ENVS, seed=5) as pool:  # no rank was asked for
        assert starts(pool) == [start(5), start(6), start(7)]


def test_python_environments_have_ranks() -> None:
    seeds = []
    for rank in range(2):
        spec = parallel_pool.make_spec(
            "gym:CartPole-v1", num_envs=50, seed=3, rank=rank, world_size=2
        )
        seeds += spec.definition.seeds
    assert len(set(seeds)) == 100
    assert max(seeds) < 2**31


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"rank": 1}, "world_size is missing"),
        ({"world_size": 2}, "rank is missing"),
        ({"rank": 2, "world_size": 2}, "rank is 2 of 2, expected one of 0 .. world_size - 1"),
        ({"rank": -1, "world_size": 2}, "rank is -1 of 2"),
        ({"rank": 0.0, "world_size": 2}, "rank is 0.0, expected an integer"),
        ({"rank": 0, "world_size": True}, "world_size is True, expected an integer"),
        ({"rank": "torchrun"}, "reads RANK from the environment, where it is ''"),
    ],
)
def test_what_is_no_rank_is_refused(
    monkeypatch: pytest.MonkeyPatch, arguments: dict[str, Any], words: str
) -> None:
    monkeypatch.delenv("RANK", raising=False)
    with refused(OptionError, words):
        parallel_pool.make_spec("test/Walk-v0", **arguments)


def test_torchruns_world_size_is_not_contradicted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RANK", "0")
    monkeypatch.setenv("WORLD_SIZE", "2")
    with refused(OptionError, "world_size is 3, but torchrun says 2"):
        parallel_pool.make_spec("test/Walk-v0", rank="torchrun", world_size=3)
