"""Actors that are killed, stopped or cut off: what was delivered stays, nothing is done twice, and what is
lost comes back truncated and goes on elsewhere, with other seeds."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import parallel_pool
import pytest
from parallel_pool import ClosedPoolError
from test_envs.checks import refused
from test_envs.libraries import needed
from test_envs.ray_pools import (
    ID,
    all_seeds,
    connect_to,
    kill,
    kill_soon,
    plain,
    same,
    seeds,
    stop,
    wait_until_gone,
)

ray = needed("ray")

from parallel_pool_ray import (  # noqa: E402
    ClusterError,
    LostEnvsError,
    LostPoolError,
    RayPool,
    RolloutPool,
)

POOLS, EACH = 2, 4
ENVS = POOLS * EACH
THEIRS, OURS = slice(0, EACH), slice(EACH, ENVS)
"""Rows of the actor that is lost, and of the one that is not."""


class Twins:
    """A RayPool and a plain pool with the same environments, in step."""

    def __init__(self, **options: Any) -> None:
        self.pool = RayPool(ID, ENVS, pools=POOLS, seed=3, **options)
        mode = options.get("autoreset_mode", "NextStep")
        self.plain = plain(3, POOLS, EACH, autoreset_mode=mode)
        self.rng = np.random.default_rng(0)
        self.obs = self.pool.reset()[0]
        assert np.array_equal(self.obs, self.plain.reset()[0])
        for _ in range(3):
            same(self.both_step(), self.expected)

    def actions(self) -> Any:
        return self.rng.integers(0, 2, ENVS)

    def both_step(self) -> Any:
        actions = self.actions()
        self.expected = self.plain.step(actions)
        self.result = self.pool.step(actions)
        self.obs = self.result[0]
        return self.result

    def close(self) -> None:
        self.pool.close()
        self.plain.close()


@pytest.fixture
def twins(cluster: Any) -> Iterator[Twins]:
    made = Twins()
    yield made
    made.close()


def expect_lost(result: Any, last: Any) -> None:
    """The rows of actor 0 are an end with the last observation, and say why."""
    obs, reward, terminated, truncated, info = result
    assert np.array_equal(obs[THEIRS], last[THEIRS])
    assert not reward[THEIRS].any()
    assert not terminated[THEIRS].any()
    assert truncated[THEIRS].all()
    assert info["lost"].tolist() == [True] * EACH + [False] * EACH
    assert info["generation"].tolist() == [1] * EACH + [0] * EACH


def expect_next_generation(obs: Any, generation: int = 1) -> None:
    given = seeds(3, 0, generation, EACH)
    with parallel_pool.make(ID, num_envs=EACH, seed=given) as fresh:
        assert np.array_equal(obs[THEIRS], fresh.reset()[0])


def test_killed_while_stepping(twins: Twins) -> None:
    last = twins.obs.copy()
    stop(twins.pool, 0)  # so that the step is under way when it is killed
    timer = kill_soon(twins.pool, 0)
    result = twins.both_step()
    timer.join()
    expect_lost(result, last)
    same(result, twins.expected, OURS)
    result = twins.both_step()  # the action is ignored, as after any end
    expect_next_generation(result[0])
    assert not (result[2] | result[3])[THEIRS].any()
    same(result, twins.expected, OURS)
    actions = twins.actions()
    with parallel_pool.make(ID, num_envs=EACH, seed=seeds(3, 0, 1, EACH)) as fresh:
        fresh.reset()
        expected = fresh.step(actions[THEIRS])
    for mine, theirs in zip(twins.pool.step(actions)[:4], expected[:4], strict=True):
        assert np.array_equal(mine[THEIRS], theirs)  # no action was given twice
    assert twins.pool.stats()["generations"] == [1, 0]
    assert twins.pool.stats()["lost_envs"] == EACH


def test_killed_while_resetting(twins: Twins) -> None:
    stop(twins.pool, 0)
    timer = kill_soon(twins.pool, 0)
    obs, info = twins.pool.reset()
    timer.join()
    expect_next_generation(obs)
    assert np.array_equal(obs[OURS], twins.plain.reset()[0][OURS])
    assert info["lost"].tolist() == [True] * EACH + [False] * EACH


def test_killed_while_receiving(cluster: Any) -> None:
    with RayPool(ID, ENVS, pools=POOLS, batch_size=2, seed=3) as pool:
        pool.async_reset()
        rows: dict[int, list[tuple[bool, bool]]] = {env: [] for env in range(ENVS)}
        timer = kill_soon(pool, 0)
        lost = 0
        end = time.monotonic() + 60
        while lost < EACH and time.monotonic() < end:
            _, _, _, truncated, info = pool.recv()
            ids = info["env_id"]
            assert len(ids) == 2
            lost += int((truncated & info["lost"]).sum())
            assert (truncated == info["lost"]).all() or not info["lost"].any()
            for row, env in enumerate(ids.tolist()):
                rows[env].append((bool(truncated[row]), bool(info["lost"][row])))
            pool.send(ids % 2, ids)
        timer.join()
        assert lost == EACH
        assert all(sum(loss for _, loss in rows[env]) == 1 for env in range(EACH))
        begun = set()
        while len(begun) < EACH:  # each goes on
            info = pool.recv()[4]
            begun |= set(info["env_id"][(info["env_id"] < EACH) & (info["generation"] == 1)])
            pool.send(info["env_id"] % 2, info["env_id"])


def test_what_was_there_before_the_kill_is_delivered(twins: Twins) -> None:
    actions = twins.actions()
    twins.expected = twins.plain.step(actions)
    twins.pool.send(actions)
    time.sleep(1)
    kill(twins.pool, 0)
    wait_until_gone(twins.pool.places[0]["pid"])
    result = twins.pool.recv()
    same(result, twins.expected)
    assert not result[4]["lost"].any()
    last = result[0].copy()
    expect_lost(twins.pool.step(twins.actions()), last)


def test_stopped_past_the_timeout(cluster: Any) -> None:
    twins = Twins(timeout=1.5)
    last = twins.obs.copy()
    stop(twins.pool, 0)
    begin = time.monotonic()
    result = twins.both_step()
    assert 1 < time.monotonic() - begin < 20
    expect_lost(result, last)
    same(result, twins.expected, OURS)
    assert "no answer within 1.5 seconds" in twins.pool.stats()["last_loss"]
    expect_next_generation(twins.both_step()[0])
    wait_until_gone(twins.pool.places[0]["pid"])
    twins.close()


def test_restarts_are_exhausted(cluster: Any) -> None:
    twins = Twins(max_restarts=0)
    last = twins.obs.copy()
    kill(twins.pool, 0)
    expect_lost(twins.both_step(), last)
    with refused(LostPoolError, "environments 0 .. 3", "max_restarts", "go on with the others"):
        twins.pool.step(twins.actions())
    with refused(LostPoolError, "pool 0"):
        twins.pool.reset()
    ids = np.arange(EACH, ENVS)
    actions = twins.actions()[OURS]
    same(twins.pool.step(actions, ids), twins.plain.step(actions, ids))
    twins.close()


def test_raised_instead(cluster: Any) -> None:
    twins = Twins(on_loss="raise")
    last = twins.obs.copy()
    kill(twins.pool, 0)
    with pytest.raises(LostEnvsError) as caught:
        twins.both_step()
    expect_lost(caught.value.result, last)
    same(caught.value.result, twins.expected, OURS)
    assert list(caught.value.failures) == list(range(EACH))
    with refused(parallel_pool.ResetNeededError, "[0, 1, 2, 3]"):
        twins.pool.step(twins.actions())
    obs, _ = twins.pool.reset(list(caught.value.failures))
    expect_next_generation(obs)
    twins.pool.step(twins.actions())
    twins.close()


def test_same_step_begins_the_next_episode_at_once(cluster: Any) -> None:
    twins = Twins(autoreset_mode="SameStep")
    last = twins.obs.copy()
    kill(twins.pool, 0)
    obs, _, _, truncated, info = twins.both_step()
    assert truncated[THEIRS].all()
    assert info["lost"][THEIRS].all()
    assert info["_final_obs_dense"][THEIRS].all()
    assert np.array_equal(info["final_obs_dense"][THEIRS], last[THEIRS])
    expect_next_generation(obs)
    twins.both_step()
    twins.close()


def test_a_node_is_removed(cluster: Any) -> None:
    far = {"num_cpus": 1, "resources": {"far": 1}, "object_store_memory": 80 * 2**20}
    node = cluster.add_node(**far)
    cluster.wait_for_nodes()
    with RayPool(ID, EACH, pools=1, seed=3, resources={"CPU": 1, "far": 1}) as pool:
        obs, _ = pool.reset()
        assert pool.places[0]["node"] == node.node_id
        cluster.remove_node(node, allow_graceful=False)
        wait_until_gone(pool.places[0]["pid"])  # which is soon after its node
        last = obs.copy()
        obs, _, _, truncated, info = pool.step(np.zeros(EACH, int))
        assert truncated.all()
        assert info["lost"].all()
        assert np.array_equal(obs, last)
        node = cluster.add_node(**far)
        obs, *_, info = pool.step(np.zeros(EACH, int))  # waits for room
        generation = int(info["generation"][0])  # it may have begun on the node that was gone
        assert generation >= 1
        expect_next_generation(obs, generation)
    cluster.remove_node(node)


def test_a_full_object_store(cluster: Any) -> None:
    """Ray writes to disk what does not fit; nothing is lost, or comes twice."""
    options = {"max_episode_steps": 50, "infos": "all"}
    held = [ray.put(np.ones(2**20, np.uint8)) for _ in range(85)]
    with RayPool("Pong-v5", 32, pools=2, seed=3, **options) as pool:
        with parallel_pool.make(
            "Pong-v5", num_envs=32, seed=all_seeds(3, 2, 16), **options
        ) as twin:
            assert np.array_equal(pool.reset()[0], twin.reset()[0])
            for step in range(12):
                actions = np.arange(step, step + 32) % 6
                same(pool.step(actions), twin.step(actions))
        assert not pool.stats()["losses"]
    del held


DRIVER = """
import json, ray, sys
from parallel_pool_ray import RayPool
ray.init(address=sys.argv[1], log_to_driver=False)
pool = RayPool("CartPole-v1", 4, pools=2)
pool.reset()
print(json.dumps([place["pid"] for place in pool.places]), flush=True)
input()
"""


def test_the_driver_is_gone(cluster: Any) -> None:
    command = [sys.executable, "-c", DRIVER, cluster.address]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, text=True, **pipes) as driver:
        assert driver.stdout
        line = next(each for each in driver.stdout if each.startswith("["))
        os.kill(driver.pid, signal.SIGKILL)
    for pid in json.loads(line):
        wait_until_gone(pid)


@pytest.mark.parametrize("sent", [False, True])
@pytest.mark.parametrize("again", [False, True])
def test_the_connection_is_ended(cluster: Any, *, sent: bool, again: bool) -> None:
    """Ray by itself would connect anew, and know nothing of the actors."""

    def policy(obs: Any) -> Any:
        return np.zeros(len(obs), int), obs[:, 0], {}

    with (
        RayPool(ID, ENVS, pools=POOLS) as pool,
        RolloutPool(ID, policy, ENVS, pools=POOLS, num_steps=4) as rollouts,
    ):
        pool.reset()
        if sent:
            pool.send(np.zeros(ENVS, int))
        ray.shutdown()
        try:
            if again:
                connect_to(cluster)
            calls: list[Callable[[], Any]] = [
                pool.recv,
                pool.reset,
                lambda: pool.step(np.zeros(ENVS, int)),
                rollouts.collect,
                lambda: next(rollouts.stream()),
            ]
            for call in calls * 2:
                with refused(ClusterError, "ray.shutdown() has ended", "make a new pool"):
                    call()
            assert ray.is_initialized() == again
            pool.close()
            rollouts.close()
            with refused(ClosedPoolError, "closed"):
                pool.reset()
        finally:
            if not ray.is_initialized():
                connect_to(cluster)
    with RayPool(ID, ENVS, pools=POOLS) as pool:
        pool.reset()
