"""Seeds of Python environments: those that the user chose, and None where nobody chose one, as in Gymnasium."""

import pickle
import random
from typing import Any

import gymnasium
import numpy as np
import parallel_pool
import pytest
from parallel_pool import OptionError, WorkerCrashWarning
from test_envs.python_envs import Make
from test_envs.seeded_envs import LEAVE, NONE, Told

TOLD = "gym:Told-v0"


def last_seeds(result: Any) -> list[int]:
    obs = result[0] if isinstance(result, tuple) else result
    seeds: list[int] = obs["seeds"][:, 1].tolist()
    return seeds


def test_nobody_chose_a_seed(make: Make) -> None:
    theirs = gymnasium.vector.SyncVectorEnv([Told] * 3)
    with make(TOLD, num_envs=3, num_threads=2) as mine:
        assert mine.definition.seeds == [None] * 3
        for arguments in ({}, {"seed": None}, {"seed": [None, 7, None]}, {}, {"seed": 5}):
            assert last_seeds(mine.reset(**arguments)) == last_seeds(theirs.reset(**arguments))
    with make(TOLD, num_envs=2) as mine:
        assert last_seeds(mine.reset(seed=[None, None])) == [NONE, NONE]


@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
def test_the_seeds_of_make_are_for_the_first_reset(make: Make, mode: str) -> None:
    with make(TOLD, num_envs=3, seed=[4, None, 6], autoreset_mode=mode) as pool:
        assert last_seeds(pool.reset(seed=[None, None, None])) == [4, NONE, 6]
        if mode != "Disabled":
            for _ in range(2):
                after = pool.step([1, 1, 1])
            assert last_seeds(after) == [NONE] * 3  # an automatic reset goes on
        assert last_seeds(pool.reset()) == [NONE] * 3
        assert last_seeds(pool.reset([2, 0], seed=100)) == [102, 100]


def test_every_view_and_asynchronous_pools(make: Make) -> None:
    with make(TOLD, env_type="gym", num_envs=2) as gym:
        assert last_seeds(gym.reset()) == [NONE] * 2
        assert last_seeds(gym.reset([1], seed=3)) == [4]
    with make(TOLD, env_type="dm", num_envs=2) as dm:
        assert last_seeds(dm.reset().observation.obs) == [NONE] * 2
    with make(TOLD, num_envs=4, batch_size=2) as pool:
        pool.async_reset(seed=[None, None, 9, 9])
        given = [*last_seeds(pool.recv()), *last_seeds(pool.recv())]
        assert sorted(given) == [NONE, NONE, 9, 9]
    with parallel_pool.SingleEnv(TOLD) as env:
        assert env.reset()[0]["seeds"].tolist() == [NONE, NONE]
        assert env.reset(seed=5)[0]["seeds"].tolist() == [NONE, 5]


def test_a_pickle_repeats_the_seeds_that_were_chosen(make: Make) -> None:
    with make(TOLD, num_envs=2, seed=[8, None]) as pool, pickle.loads(pickle.dumps(pool)) as other:
        mine, theirs = pool.reset()[0], other.reset()[0]
        assert theirs["seeds"][:, 1].tolist() == [8, NONE]
        assert mine["number"][0] == theirs["number"][0]
        assert mine["number"][1] != theirs["number"][1]


def test_after_a_crash() -> None:
    with parallel_pool.make(TOLD, num_envs=2, num_threads=2, isolation="process") as pool:
        pool.reset(seed=[None, 5])
        with pytest.warns(WorkerCrashWarning):
            pool.step([LEAVE, LEAVE])
        unseeded, derived = last_seeds(pool.step([0, 0]))
        assert unseeded == NONE
        assert derived not in (NONE, 5)  # from 5 and the number of crashes
        assert derived < 2**31


def test_global_generators_do_not_depend_on_the_number_of_workers() -> None:
    def played(**arguments: Any) -> Any:
        made = {"num_envs": 3, "isolation": "process", "seed_globals": True, **arguments}
        with parallel_pool.make("gym:Gambler-v0", **made) as pool:
            rows = [pool.reset()[0]]
            rows += [pool.step([step == 2, 0, 0])[0] for step in range(5)]
            rows.append(pool.reset([1], seed=50)[0])
            rows += [pool.step([0, 0, 0])[0]]
        return np.concatenate(rows)

    one = played(seed=2**33, num_threads=1)
    np.testing.assert_array_equal(one, played(seed=2**33, num_threads=2))
    of_another_seed = played(seed=0, num_threads=1)
    assert not (one == of_another_seed).all()
    # As the program itself would have it.
    rng, old = random.Random(2), np.random.RandomState(2)
    made = [rng.random(), old.random()]
    seen = of_another_seed[2]
    assert seen[:2].tolist() == made
    rng, old = random.Random(2), np.random.RandomState(2)  # the first reset has the same seed
    assert seen[2:].tolist() == [rng.random(), old.normal()]
    # Without seeds they differ.
    assert len(np.unique(played(num_threads=1)[:3, 0])) == 3


def test_global_generators_need_processes() -> None:
    with pytest.raises(OptionError, match=r"seed_globals=True needs processes"):
        parallel_pool.make("gym:Gambler-v0", isolation="thread", seed_globals=True)
    with pytest.raises(OptionError, match=r"seed_globals is for environments written in Python"):
        parallel_pool.make("CartPole-v1", seed_globals=True)


@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
def test_a_seed_given_ahead_waits_for_the_next_game(mode: str) -> None:
    """The life that is lost in between goes on with its game, also after a state was restored."""
    made: dict[str, Any] = {"num_envs": 2, "num_threads": 1, "autoreset_mode": mode}
    made["isolation"] = "process" if mode == "SameStep" else "thread"
    with parallel_pool.make("gym:ToldLives-v0", **made) as pool:

        def lose(env: int) -> int:
            """The seed of the game after a life is lost."""
            obs = pool.step(np.full(1, 2.0), [env])[0]
            if mode == "NextStep":
                obs = pool.step(np.zeros(1), [env])[0]
            return int((pool.reset([env])[0] if mode == "Disabled" else obs)[0])

        pool.reset(seed=[7, 8])
        pool.seed_next(None, [10, 11])
        assert [lose(0), lose(0), lose(0), lose(0)] == [7, 10, 10, NONE]
        assert lose(1) == 8
        pool.set_state([0], pool.get_state([1]))
        assert [lose(0), lose(1)] == [11, 11]
        # A reset that loses no life begins a game; a seed of its own does so at once.
        pool.seed_next(None, [20, 21])
        assert pool.reset([0])[0] == 20
        pool.seed_next([0], [30])
        if mode == "Disabled":
            pool.step(np.full(1, 2.0), [0])
        assert pool.reset([0], seed=[31])[0] == 31
        assert [lose(0), lose(0)] == [31, NONE]
