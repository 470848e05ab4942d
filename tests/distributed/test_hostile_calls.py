"""Bad calls of pools with actors, and interrupts of good ones."""

import copy
import os
import pickle
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import parallel_pool
import pytest
from parallel_pool import ClosedPoolError, EnvError, OptionError
from test_envs.checks import refused
from test_envs.libraries import needed
from test_envs.on_nodes import BadSeed, Elsewhere, id_of
from test_envs.pools import begun
from test_envs.ray_pools import ID, plain, same, stop, wait_until_gone
from test_envs.threads import in_threads, interrupted

ray = needed("ray")

from parallel_pool_ray import RayPool, RolloutPool  # noqa: E402


def policy(obs: Any) -> Any:
    return np.zeros(len(obs), np.int64), np.zeros(len(obs))


@pytest.fixture(scope="module")
def pool(cluster: Any) -> Iterator[RayPool]:
    with begun(RayPool(ID, 8, pools=2, seed=3, resources={"CPU": 0.5})) as made:
        yield made


@pytest.fixture(scope="module")
def rollouts(cluster: Any) -> Iterator[RolloutPool]:
    with RolloutPool(ID, policy, 4, num_steps=4, pools=2, seed=3, resources={"CPU": 0.5}) as made:
        yield made


def test_a_reset_that_fails(cluster: Any) -> None:
    """As in a pool of one process: the others have their rows, and it is reset again."""
    task = id_of(BadSeed)
    with (
        RayPool(task, 4, pools=2, seed=0) as pool,
        parallel_pool.make(task, num_envs=4, seed=0) as twin,
    ):
        for each in (pool, twin):
            each.reset(seed=[0, 1, 2, 4])
        failed = []
        for each in (pool, twin):
            with pytest.raises(EnvError, match="no such seed") as caught:
                each.reset(seed=[3, 0, 1, 7])
            failed.append(caught.value)
            with pytest.raises(parallel_pool.ResetNeededError):
                each.step([1] * 4)
        assert [list(each.failures) for each in failed] == [[0, 3], [0, 3]]
        (obs, info), (expected, _) = (each.result for each in failed)
        assert np.array_equal(obs, expected)
        assert info["env_id"].tolist() == [0, 1, 2, 3]
        pool.async_reset([3, 1], seed=[3, 0])
        twin.async_reset([3, 1], seed=[3, 0])
        for each in (pool, twin):
            with pytest.raises(EnvError) as caught:
                each.recv()
            assert caught.value.result[3].tolist() == [True, False]
        for each in (pool, twin):
            each.reset([0, 3], seed=[0, 0])
        same(pool.step([1, 0, 1, 0]), twin.step([1, 0, 1, 0]))


@pytest.mark.parametrize("what", ["actions", "observations"])
def test_environments_that_are_others_in_an_actor(cluster: Any, what: str) -> None:
    options = {"here": os.getpid(), "what": what}
    words = (what, "in an actor", "the same packages")
    with refused(OptionError, *words):
        RayPool(id_of(Elsewhere), 2, pools=1, in_flight=1, **options)
    with refused(OptionError, *words):
        RolloutPool(id_of(Elsewhere), policy, 2, num_steps=2, pools=1, **options)


@pytest.mark.parametrize("how", [pickle.dumps, copy.copy, copy.deepcopy])
def test_it_is_not_copied(pool: RayPool, rollouts: RolloutPool, how: Callable[[Any], Any]) -> None:
    """Its copy would have had the same actors, and ended them with itself."""
    for each in (pool, rollouts):
        with refused(TypeError, type(each).__name__, "make another one"):
            how(each)


def test_threads_take_turns(pool: RayPool) -> None:
    """Two have half of the environments each, and one looks at nothing."""
    with plain(5, 2, 4) as twin:
        pool.reset(seed=5)
        start = pool.reset(seed=5)[0]
        assert np.array_equal(start, pool.reset(seed=5)[0])
        assert np.array_equal(start, twin.reset()[0])
        expected = [twin.step([row % 2] * 8) for row in range(20)]

    def step(mine: slice) -> None:
        for row in range(20):
            result = pool.step([row % 2] * 4, np.arange(8)[mine])
            same(result, tuple(each[mine] for each in expected[row][:4]))

    in_threads(partial(step, slice(4)), partial(step, slice(4, 8)))


def test_closed_under_a_thread_that_waits(cluster: Any) -> None:
    """By another thread; and no actor begins for it afterwards."""
    pools = (
        RayPool(ID, 4, pools=2, seed=3),
        RolloutPool(ID, policy, 4, num_steps=4, pools=2, seed=3),
    )
    pools[0].reset()
    for pool, call in zip(pools, (lambda: pools[0].step([0] * 4), pools[1].collect), strict=True):
        for number in range(2):
            stop(pool, number)

        def is_told(call: Callable[[], Any] = call) -> None:
            with refused(ClosedPoolError):
                call()

        def close(pool: Any = pool) -> None:
            time.sleep(0.5)
            pool.close()

        in_threads(is_told, close)
        is_told()
        for place in pool.places:
            wait_until_gone(place["pid"])
        assert not any(member.handle for member in pool._actors.members)


def endless(call: Callable[[], Any]) -> None:
    while True:
        call()


MOMENTS = np.geomspace(2e-4, 5e-2, 12)


def test_an_interrupted_step_is_received_next(pool: RayPool) -> None:
    """Unless it was not sent, every step comes once: the same as those of a pool that is not interrupted."""
    for moment in MOMENTS:
        pool.reset(seed=5)
        rows: list[Any] = []
        interrupted(partial(endless, lambda rows=rows: rows.append(pool.step([0] * 8))), moment)  # type: ignore[misc]
        while pool._tracker.requests:
            rows.append(pool.recv(timeout=30))
        rows.append(pool.step([0] * 8))
        with begun(plain(5, 2, 4)) as twin:
            for row in rows:
                same(row, twin.step([0] * 8))


def test_interrupted_rollouts_go_on(rollouts: RolloutPool) -> None:
    for moment in MOMENTS:
        interrupted(partial(endless, rollouts.collect), moment)
        assert [each.pool_id for each in rollouts.collect()] == [0, 1]
        interrupted(partial(endless, lambda: next(rollouts.stream())), moment)
        next(rollouts.stream())
    assert not rollouts.stats()["losses"]
