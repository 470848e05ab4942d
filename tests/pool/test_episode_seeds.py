"""Seeds of all episodes from a list: which one is a function of the pool's seed, the environment and k."""

import pickle
from typing import Any

import numpy as np
import pytest
from parallel_pool import OptionError
from test_envs.checks import refused
from test_envs.pools import begun, make

MODES = ("NextStep", "SameStep", "Disabled")
LIST = tuple(range(1000, 1007))
WORD = 2**64 - 1


def mixed(word: int) -> int:
    """The step of splitmix64."""
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & WORD
    word = (word ^ word >> 27) * 0x94D049BB133111EB & WORD
    return word ^ word >> 31


def wanted(order: str, seed: int, num_envs: int, env: int, k: int, weights: Any = None) -> int:
    """The k-th seed of an environment, by the words of the documentation."""
    if order == "turns":
        return LIST[(env + k * num_envs) % len(LIST)]
    golden = 0x9E3779B97F4A7C15
    word = mixed(mixed((seed + env + golden * (env + 1)) & WORD) + golden * (k + 1) & WORD)
    if weights is None:
        return LIST[(word >> 32) * len(LIST) >> 32]
    sums = np.cumsum(weights) / np.sum(weights)
    return LIST[int(np.searchsorted(sums, (word >> 11) / 2**53, side="right"))]


def start(seed: int) -> float:
    """Where a Walk with this seed starts."""
    return float(np.random.default_rng(seed).uniform(-1, 1))


def seeds_of(pool: Any, answers: int) -> list[list[int]]:
    """The seeds of each environment's episodes in so many answers, whoever they are of; each row is checked."""
    mode = pool.config["autoreset_mode"]
    seeds: list[list[int]] = [[] for _ in range(len(pool))]
    pool.async_reset()
    for _ in range(answers):
        obs, _, terminated, truncated, info = pool.recv()
        ended = terminated | truncated
        for i, env in enumerate(info["env_id"]):
            if info["elapsed_step"][i] == 0:
                seeds[env].append(int(info["episode_seed"][i]))
                assert obs[i][0] == start(seeds[env][-1]), "the seed of the row's observation"
            if ended[i] and mode == "SameStep":
                assert info["final_info"]["episode_seed"][i] == seeds[env][-2]
            else:
                assert info["episode_seed"][i] == seeds[env][-1]
        due = ended & (mode == "Disabled")
        if due.any():
            pool.async_reset(info["env_id"][due])
        if not due.all():
            pool.send(np.ones((~due).sum(), int), info["env_id"][~due])
    return seeds


@pytest.mark.parametrize("order", ["random", "turns"])
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "how",
    [{}, {"num_threads": 3, "batch_size": 2}, {"isolation": "process"}, {"name": "WalkBatch"}],
    ids=["alone", "asynchronous", "isolated", "kernel"],
)
def test_the_sequence_is_a_pure_function(order: str, mode: str, how: dict[str, Any]) -> None:
    arguments: dict[str, Any] = {"num_envs": 5, "seed": 40, "max_episode_steps": 4, "name": "Walk"}
    arguments |= {"episode_seeds": LIST, "episode_order": order, "autoreset_mode": mode, **how}
    with make(**arguments) as pool:
        seen = seeds_of(pool, 300)
    for env, seeds in enumerate(seen):
        assert len(seeds) > 4
        assert seeds == [wanted(order, 40, 5, env, k) for k in range(len(seeds))]


@pytest.mark.parametrize("mode", MODES)
def test_other_seeds_are_played_once_and_states_know_the_place(mode: str) -> None:
    arguments = {"num_envs": 2, "episode_seeds": range(1000, 1007), "autoreset_mode": mode}
    with make("Walk", seed=[3, 9], episode_order="turns", **arguments) as pool:

        def reset(**kwargs: Any) -> list[int]:
            obs, info = pool.reset(**kwargs)
            assert [row[0] for row in obs] == [start(int(seed)) for seed in info["episode_seed"]]
            return [int(seed) for seed in info["episode_seed"]]

        assert reset() == [1000, 1001]
        assert reset(seed=[5, None]) == [5, 1003]
        pool.seed_next([1], [6])
        assert reset() == [1002, 6]
        state = pool.get_state()
        copied = pickle.loads(pool.pickled(include_state=True))
        assert [reset(), reset()] == [[1004, 1005], [1006, 1000]]
        pool.set_state(None, state)
        assert pool.step(np.ones(2, int))[4]["episode_seed"].tolist() == [1002, 6]
        assert reset() == [1004, 1005]
        with copied:
            assert copied.reset()[1]["episode_seed"].tolist() == [1004, 1005]
        with make("Walk", num_envs=2, seed=1) as other:  # which knows no seeds of episodes
            other.reset()
            pool.set_state([0], other.get_state([0]))
            other.set_state([1], state[:1])
            other.reset()
        info = pool.step(np.ones(2, int))[4]
        assert info["episode_seed"].tolist() == [2**64 - 1, 1005]
        assert reset() == [1006, 1000]


def test_ranks_share_the_turns() -> None:
    seen, seeds = [], range(2**64 - 1, 2**33, -(2**32 + 5))[:8]
    for rank in range(2):
        how = {"rank": rank, "world_size": 2, "episode_order": "turns", "episode_seeds": seeds}
        with make("Walk", num_envs=2, seed=1, **how) as pool:
            for _ in range(2):
                seen += pool.reset()[1]["episode_seed"].tolist()
    assert sorted(seen) == sorted(seeds)


def test_weights_hold_from_the_next_episode_but_one() -> None:
    with begun(make("Walk", num_envs=3, seed=40, episode_seeds=LIST)) as pool:
        weights = [0, 3, 0, 1, 0, 0.5, 0]
        pool.set_level_weights(weights)
        for k in range(1, 40):
            seeds = pool.reset()[1]["episode_seed"].tolist()
            given = None if k == 1 else weights
            assert seeds == [wanted("random", 40, 3, env, k, given) for env in range(3)]
        pool.set_level_weights([*np.full(6, 1e292), np.finfo(float).max])  # whose sum may overflow
        pool.reset()
        assert pool.reset()[1]["episode_seed"].tolist() == [LIST[6]] * 3
        for wrong, words in (
            ([1.0] * 6, "(6,), expected (7,)"),
            ([1, -1, 1, 1, 1, 1, 1], "weight 1 is -1"),
            ([np.nan] + [1] * 6, "weight 0 is nan"),
            ([0] * 7, "sum of the weights is 0"),
        ):
            with refused(OptionError, words):
                pool.set_level_weights(wrong)
    turns = make("Walk", episode_seeds=LIST, episode_order="turns")
    with turns, refused(OptionError, "episode_order='random'"):
        turns.set_level_weights([1] * 7)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"episode_seeds": []}, "at least one int"),
        ({"episode_seeds": 5}, "episode_seeds is 5"),
        ({"episode_seeds": range(2**64)}, "range(0, 18446744073709551616), expected"),
        ({"episode_seeds": range(2**32)}, "less than 2**32"),
        ({"episode_seeds": range(-1, 5)}, "episode_seeds has -1"),
        ({"episode_seeds": [3, 2**64]}, "episode_seeds has 18446744073709551616"),
        ({"episode_seeds": [1.5]}, "episode_seeds has 1.5"),
        ({"episode_seeds": LIST, "episode_order": "shuffled"}, "one of random, turns"),
        ({"episode_order": "turns"}, "give episode_seeds"),
    ],
)
def test_what_is_refused(arguments: dict[str, Any], words: str) -> None:
    with refused(OptionError, words):
        make("Walk", **arguments)
