"""Worker processes together with what else a pool can do: options per environment, players, bad actions."""

import os
import signal
from typing import Any

import numpy as np
import parallel_pool
import pytest
from isolation.equality import equal, without_flag
from parallel_pool import EnvSpec, OptionError
from test_envs import faulty_pools
from test_envs.checks import refused
from test_envs.crashing_pools import crash_expected
from test_envs.player_counts_model import some_actions
from test_envs.pools import make

N = 6


def same(here: Any, there: Any) -> None:
    equal(here, without_flag(there))


def test_array_options_cross() -> None:
    table = np.arange(12.0).reshape(3, 4)
    arguments: dict[str, Any] = {"env_options": {"weights": table}, "gravity": 2.5, "seed": 0}
    with (
        make("Options", **arguments) as here,
        make("Options", isolation="process", num_threads=2, **arguments) as there,
    ):
        same(here.reset(), there.reset())
        assert there.config["env_options"].keys() == {"weights"}


def test_a_pool_of_several_ids() -> None:
    for name, reach in (("Near-v0", 1.0), ("Far-v0", 9.0)):
        options = {"buttons": 2, "reach": reach}
        parallel_pool.register(EnvSpec(f"test/{name}", native="test/Mixed-v0", options=options))
    ids = ["test/Near-v0", "test/Far-v0", "test/Near-v0"]
    with (
        parallel_pool.make(ids, seed=0) as here,
        parallel_pool.make(ids, seed=0, isolation="process", num_threads=2) as there,
    ):
        assert there.single_observation_space == here.single_observation_space
        same(here.reset(), there.reset())
        for step in range(10):
            actions = [step % 2, 0, 1]
            same(here.step(actions), there.step(actions))
    with refused(OptionError, "environments 0 (test/Options-v0) and 1", "differ"):
        make("Options", env_options={"size": [2, 3]}, isolation="process")


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
@pytest.mark.parametrize("name", ["EchoBatch", "EchoEager"])
def test_a_step_that_is_refused_is_not_made_in_the_worker(
    name: str, mode: str, faulty_library: str
) -> None:
    def play(**arguments: Any) -> list[Any]:
        arguments |= {"num_envs": N, "seed": 0, "autoreset_mode": mode, "nan_action": "truncate"}
        rows: list[Any] = []
        with faulty_pools.faulty(name, **arguments) as pool:
            pool.reset()
            for step in range(12):
                action = np.tile(np.array([0.25, 1, 3]), (N, 1))
                action[np.arange(N) % 4 == step % 4, 1] = np.nan
                obs, reward, terminated, truncated, info = pool.step(action)
                rows += [obs.tolist(), reward.tolist(), terminated.tolist(), truncated.tolist()]
                rows += [info["elapsed_step"].tolist(), info["error"].tolist()]
        return rows

    here = play(num_threads=1)
    # The eager one also steps environments that wait for a reset, where none of its shard was refused.
    for workers in (1,) if name == "EchoEager" else (1, 2, N):
        assert play(isolation="process", num_threads=workers) == here


@pytest.mark.parametrize("batch_size", [5, 2])
def test_players_are_the_same_in_flat_rows(batch_size: int) -> None:
    def play(**arguments: Any) -> list[list[Any]]:
        seen: list[list[Any]] = [[] for _ in range(5)]
        draws = [np.random.default_rng(env) for env in range(5)]
        with make("Crowd", "gym", num_envs=5, seed=1, max_episode_steps=7, **arguments) as pool:
            pool.async_reset()
            while min(map(len, seen)) < 30:
                obs, reward, terminated, truncated, info = pool.recv()
                whose = info["players"]["env_id"]
                actions = []
                for row, env in enumerate(info["env_id"]):
                    own = whose == env
                    flags = terminated[row], truncated[row], info["crowd"][row]
                    seen[env].append((obs["own"][own].tolist(), reward[own].tolist(), *flags))
                    actions += some_actions(draws[env], int(own.sum()))
                pool.send(np.array(actions, int), info["env_id"])
        return [each[:30] for each in seen]

    there = play(isolation="process", num_threads=2, batch_size=batch_size)
    assert there == play(num_threads=1)


@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
def test_nobody_is_in_an_environment_whose_process_died(mode: str) -> None:
    pool = make(
        "Crowd", "gym", num_envs=3, num_threads=3, seed=0, isolation="process", autoreset_mode=mode
    )
    with pool:
        pool.async_reset()
        *_, info = pool.recv()
        assert info["players"]["env_id"].tolist() == [0, 0, 1, 1, 2, 2]
        os.kill(pool.stats()["worker_pids"][1], signal.SIGKILL)
        with crash_expected("SIGKILL", "environments (1)"):
            _, reward, _, truncated, info = pool.step(np.zeros(6, int))
        assert truncated.tolist() == [False, True, False]
        crashed = info["final_info"] if mode == "SameStep" else info
        assert crashed["worker_crashed"].tolist() == [False, True, False]
        players = info["players"]
        present = players["env_id"][players["present"]].tolist()
        assert present == ([0, 0, 1, 1, 2, 2] if mode == "SameStep" else [0, 0, 2, 2])
        assert len(reward) == len(present)
        if mode == "Disabled":
            pool.async_reset([1])
            *_, info = pool.recv()
        else:
            *_, info = pool.step(np.zeros(len(reward), int))
        assert info["players"]["env_id"].tolist().count(1) == 2
        assert not info["worker_crashed"].any()
        *_, truncated, info = pool.step(np.zeros(6, int))
        assert not truncated.any()
        assert len(info["players"]["env_id"]) == 6


def test_step_timeout_is_for_several_players_too() -> None:
    """step_timeout is refused here without a process that could be killed."""
    with make("Crowd", num_envs=2, isolation="process", step_timeout=60.0) as pool:
        pool.reset()
        pool.step(pool.action_space.sample())
    with refused(OptionError, "step_timeout=60.0 is for environments with one player"):
        make("Crowd", num_envs=2, step_timeout=60.0)
