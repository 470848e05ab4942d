"""A RayPool refuses what a pool refuses, in the same words, before an actor is called; and takes the rest."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import numpy as np
import parallel_pool
import pytest
from parallel_pool import OptionError
from test_envs.bad_actions import BAD, NESTED, PENDULUM, Bad, N, nested, told, with_value
from test_envs.checks import refused
from test_envs.libraries import needed
from test_envs.ray_pools import all_seeds, same

needed("ray")

from parallel_pool_ray import RayPool  # noqa: E402

POOLS = 2


Pools = Callable[[str, dict[str, Any]], tuple[Any, Any]]


@pytest.fixture(scope="module")
def pools(cluster: Any) -> Iterator[Pools]:
    """Gives a RayPool and a pool with the same environments, made once for each task and options, and reset."""
    made: dict[str, tuple[Any, Any]] = {}

    def reset(task_id: str, options: dict[str, Any]) -> tuple[Any, Any]:
        key = f"{task_id} {options}"
        if key not in made:
            seeds = all_seeds(3, POOLS, N // POOLS)
            everything = {"infos": "all", **options}
            if task_id == NESTED:
                seeds = [each >> 33 for each in seeds]
                everything["num_threads"] = 1
            theirs = parallel_pool.make(task_id, num_envs=N, seed=seeds, **everything)
            everything["resources"] = {"CPU": 0.1}  # many are open at once
            ours = RayPool(task_id, N, pools=POOLS, in_flight=1, seed=3, **everything)
            made[key] = stack.enter_context(ours), stack.enter_context(theirs)
        for each in made[key]:
            each.reset()
        return made[key]

    with ExitStack() as stack:
        yield reset


def good(task_id: str) -> Any:
    if task_id == NESTED:
        return nested()
    return np.zeros((N, 1) if task_id == PENDULUM else N, int)


@pytest.mark.parametrize("bad", BAD, ids=range(len(BAD)))
def test_the_words_are_the_pools_and_nothing_is_stepped(pools: Pools, bad: Bad) -> None:
    ours, theirs = pools(bad.task_id, bad.options)
    assert told(ours.step, bad.action, bad.env_id) == told(theirs.step, bad.action, bad.env_id)
    assert told(ours.send, bad.action, bad.env_id) == told(theirs.send, bad.action, bad.env_id)
    assert ours.stats()["in_flight"] == 0
    mine, other = ours.step(good(bad.task_id)), theirs.step(good(bad.task_id))
    same(mine, other)
    assert mine[4]["elapsed_step"].tolist() == [1] * N


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
@pytest.mark.parametrize(
    "options",
    [
        {"nan_action": "clip"},
        {"out_of_bounds_action": "clip"},
        {"nan_action": "clip", "out_of_bounds_action": "clip"},
        {"nan_action": "truncate"},
        {"nan_action": "truncate", "out_of_bounds_action": "clip"},
    ],
)
def test_policies_do_what_they_do_in_a_pool(
    pools: Pools, options: dict[str, Any], mode: str
) -> None:
    ours, theirs = pools(PENDULUM, {**options, "autoreset_mode": mode})
    rng = np.random.default_rng(0)
    for number in range(12):
        ids = rng.permutation(N)[: rng.integers(1, N + 1)]
        action = rng.uniform(-4, 4, (len(ids), 1))
        if "nan_action" in options and number % 3 == 0:
            action[rng.integers(len(ids))] = rng.choice([np.nan, np.inf, -np.inf, 1e300])
        mine, other = ours.step(action, ids), theirs.step(action, ids)
        same(mine, other)
        assert mine[4]["env_id"].tolist() == ids.tolist()
        assert ("error" in mine[4]) == ("error" in other[4])
        if "error" in other[4]:
            assert mine[4]["error"].tolist() == other[4]["error"].tolist()
            assert mine[4]["_error"].tolist() == other[4]["_error"].tolist()


def test_nested_actions_of_some_in_any_order(pools: Pools) -> None:
    ours, theirs = pools(NESTED, {"out_of_bounds_action": "clip"})
    rng = np.random.default_rng(0)
    for _ in range(6):
        ids = rng.permutation(N)[: rng.integers(1, N + 1)]
        count = len(ids)
        action = {
            "arm": rng.uniform(-2, 2, (count, 2)).tolist(),
            "legs": [rng.integers(-1, 2, count), rng.integers(0, 2, (count, 1)).astype(bool)],
        }
        same(ours.step(action, ids), theirs.step(action, ids))


def test_masked_rows_of_an_asynchronous_pool(cluster: Any) -> None:
    with RayPool(PENDULUM, 8, pools=2, batch_size=4, seed=3, out_of_bounds_action="raise") as pool:
        pool.async_reset()
        ids = pool.recv()[4]["env_id"]
        with refused(ValueError, f"of environment {ids[3]} is 7.0, not in -2.0 .. 2.0"):
            pool.send(with_value(7.0, 3), ids)
        pool.send(with_value(1.0, 3), ids)
        assert sorted([*pool.recv()[4]["env_id"], *pool.recv()[4]["env_id"]]) == list(range(8))


def test_environments_that_could_not_be_in_one_pool(cluster: Any) -> None:
    ids = ["CartPole-v0", "CartPole-v1"]
    with pytest.raises(OptionError, match="differ in their time limit") as caught:
        parallel_pool.make(ids, num_envs=2)
    with refused(OptionError, str(caught.value)):
        RayPool(ids, 2, pools=2, in_flight=1)
