"""One pool of several environments of a library. Those of `WALKS` have the same dynamics."""

import pickle
from typing import Any

import numpy as np
import parallel_pool
import pytest
from parallel_pool import EnvError, OptionError
from test_envs.checks import refused
from test_envs.pools import WALKS, begun
from test_envs.texts import BOTH, TELLER

ALL = [f"test/{name}-v0" for name in WALKS]
PLAIN = "test/Walk-v0"
KERNELS = [*["test/WalkBatch-v0"] * 5, *["test/WalkLanes-v0"] * 3, *["test/WalkBatch-v0"] * 4]


def played(ids: list[str], steps: int = 40, **arguments: Any) -> list[list[Any]]:
    rows: list[list[Any]] = [[] for _ in ids]
    with parallel_pool.make(ids, seed=3, **arguments) as pool:
        if pool.is_async:
            pool.async_reset()
            for _ in range(steps):
                obs, reward, ended, _, info = pool.recv()
                for row, env in enumerate(info["env_id"]):
                    rows[env].append((obs[row].tolist(), reward[row], ended[row]))
                pool.send(info["env_id"] % 3, info["env_id"])
            return rows
        pool.reset()
        for _ in range(steps):
            obs, reward, ended, *_ = pool.step(np.arange(len(ids)) % 3)
            for env in range(len(ids)):
                rows[env].append((obs[env].tolist(), reward[env], ended[env]))
    return rows


@pytest.mark.parametrize("autoreset_mode", ["NextStep", "SameStep"])
@pytest.mark.parametrize(
    "ids",
    [ALL * 3, sorted(ALL * 3), KERNELS, KERNELS[::-1], sorted(ALL * 60)],
    ids=["turns", "sorted", "few", "back", "many"],
)
@pytest.mark.filterwarnings("ignore::parallel_pool.OversubscriptionWarning")
def test_each_plays_as_alone(ids: list[str], autoreset_mode: str) -> None:
    for threads in (1, 3):
        how: dict[str, Any] = {"num_threads": threads, "autoreset_mode": autoreset_mode}
        assert played(ids, **how) == played([PLAIN] * len(ids), **how)


def test_asynchronous() -> None:
    ids = ALL * 2
    mixed = played(ids, 200, batch_size=4, num_threads=2)
    for mine, alone in zip(mixed, played([PLAIN] * len(ids), 60), strict=True):
        mine = mine[1:61]  # after the row of the reset
        assert mine == alone[: len(mine)]


def test_shards_are_cut_where_the_environment_changes() -> None:
    with parallel_pool.make(KERNELS, num_threads=1) as pool:
        assert pool.stats()["shards"] == 3
    with parallel_pool.make(ALL * 3, num_threads=1) as pool:
        assert pool.stats()["shards"] == 3 * len(ALL)


def test_states_fit_the_environment_that_they_are_of() -> None:
    ids = [PLAIN, "test/WalkBatch-v0", PLAIN]
    other_one = parallel_pool.make("test/WalkBatch-v0", num_envs=1, seed=9)
    with begun(parallel_pool.make(ids, seed=0), other_one) as (pool, other):
        states = pool.get_state()
        expected = pool.step(np.ones(3, np.int64))[0]
        pool.set_state(None, states)
        assert (pool.step(np.ones(3, np.int64))[0] == expected).all()
        other.set_state([0], [states[1]])
        assert other.step(np.ones(1, np.int64))[0].tolist() == expected[1:2].tolist()
        with refused(parallel_pool.StateError, "environment 0", PLAIN, "WalkBatch"):
            pool.set_state([0], [states[1]])
        pool.clone(0, [2])
        with refused(parallel_pool.StateError, "WalkBatch"):
            pool.clone(0, [1])


def test_the_environment_that_fails_is_named() -> None:
    told = [TELLER, "told/Tellers-v0", TELLER, "told/Tellers-v0", "told/Tellers-v0"]
    with parallel_pool.make(
        told, env_options={"letters": ["", "", "x" * 30, "", "y" * 30]}
    ) as pool:
        with pytest.raises(EnvError) as error:
            pool.reset()
        # A kernel fails as a whole: its lanes of that call.
        assert sorted(error.value.failures) == [2, 3, 4]
        for words in ("36 bytes", "has 24", "'step 0xxx"):
            assert words in error.value.failures[2]
        pool.reset([0, 1])
        obs, *_ = pool.step(np.zeros(2, np.int64), [0, 1])
        assert obs["said"] == ("step 1", "step 1")


def test_it_is_made_again_from_its_config_and_pickle() -> None:
    ids = [BOTH[0], BOTH[1], BOTH[1]]
    options = {"letters": ["a", "b", "c"]}
    with parallel_pool.make(ids, env_options=options, seed=1) as pool:
        expected = tuple(pool.reset()[0]["said"])
        assert expected == ("step 0a", "step 0b", "step 0c")
        assert pool.config["task_id"] == ids
        assert pool.config["env_options"] == [{"letters": each} for each in "abc"]
        assert pool.spec.id == BOTH[0]
        copies: list[Any] = [
            parallel_pool.make(**pool.config),
            pickle.loads(pickle.dumps(pool)),
            parallel_pool.make(**pool.spec.kwargs),
        ]
        assert pool.get_attr("letters") == ("a", "b", "c")
        for each in copies:
            with each:
                assert each.reset()[0]["said"] == expected


def test_what_is_refused() -> None:
    with refused(OptionError, "environments 0 (test/Count-v0) and 1 (test/Walk-v0)", "observation"):
        parallel_pool.make(["test/Count-v0", PLAIN])
    with refused(OptionError, f"0 ({PLAIN})", f"1 ({TELLER})", "not of one library"):
        parallel_pool.make([PLAIN, TELLER])
    with refused(OptionError, "isolation='process'", "told/Tellers-v0", "pool for each"):
        parallel_pool.make([*BOTH], isolation="process")
    with refused(parallel_pool.UnknownArgumentError, "environment 1", "'drift'"):
        parallel_pool.make([PLAIN, "test/Memory-v0"], env_options=[{"drift": 1.0}, {"drift": 1.0}])


@pytest.fixture(autouse=True)
def _told(told: None) -> None:
    """Both libraries are here."""
