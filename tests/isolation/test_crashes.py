"""Workers that die lose their environments, and nothing else. Each test in a process of its own."""

import os
import signal
import warnings
from typing import Any

import numpy as np
import pytest
from parallel_pool import (
    EnvBuildError,
    EnvError,
    OptionError,
    ResetNeededError,
    WorkerCrashWarning,
)
from test_envs import pools
from test_envs.checks import assert_works, refused
from test_envs.crashing_pools import (
    ABORT,
    FINE,
    KILL,
    LEAVE,
    SEGFAULT,
    TASK,
    crash_expected,
    gone,
    make,
)
from test_envs.pools import begun

pytestmark = pytest.mark.own_process


def test_row_36_a_native_crash_loses_its_environments_only() -> None:
    with make(num_envs=4, num_threads=4) as pool:
        first, info = pool.reset()
        pids = info["pid"]
        assert sorted(pids) == sorted(pool.stats()["worker_pids"])
        assert os.getpid() not in pids
        with crash_expected(
            f"worker process {pids[2]} of {TASK} (plugin faulty 0.0.0) was killed by SIGSEGV",
            "in step",
            "environments (2) come back truncated",
            "core",
        ):
            obs, reward, terminated, truncated, info = pool.step([FINE, FINE, SEGFAULT, FINE])
        assert obs[:, 0].tolist() == [1, 1, 0, 1]
        assert obs[2].tolist() == [0, 0]
        assert reward[2] == 0
        assert terminated.tolist() == [False] * 4
        assert truncated.tolist() == [False, False, True, False]
        assert info["worker_crashed"].tolist() == [False, False, True, False]
        assert info["env_id"].tolist() == [0, 1, 2, 3]

        # Training goes on: the next step resets it, in another process, with another seed.
        obs, _, _, truncated, info = pool.step([FINE] * 4)
        assert obs[:, 0].tolist() == [2, 2, 0, 2]
        assert not truncated.any()
        assert not info["worker_crashed"].any()
        assert info["pid"][[0, 1, 3]].tolist() == pids[[0, 1, 3]].tolist()
        assert info["pid"][2] != pids[2]
        assert obs[2, 1] != first[2, 1]
        assert pool.step([FINE] * 4)[0][:, 0].tolist() == [3, 3, 1, 3]
        assert gone(pids[2])


@pytest.mark.parametrize(
    ("deed", "how"),
    [
        (ABORT, "was killed by SIGABRT"),
        (KILL, "was killed by SIGKILL"),
        (LEAVE, "exited with status 7"),
    ],
)
def test_every_way_to_die_is_named(deed: int, how: str) -> None:
    with begun(make(num_envs=2, num_threads=2)) as pool:
        with crash_expected(how, "environments (1)"):
            *_, truncated, _ = pool.step([FINE, deed])
        assert truncated.tolist() == [False, True]
        assert_works(pool)


def test_those_who_share_the_worker_are_lost_too() -> None:
    with begun(make(num_envs=6, num_threads=2)) as pool:
        pool.step([FINE] * 6)
        with crash_expected("environments (0-2)"):
            obs, *_, truncated, info = pool.step([FINE, SEGFAULT, FINE, FINE, FINE, FINE])
        assert truncated.tolist() == [True] * 3 + [False] * 3
        assert info["worker_crashed"].tolist() == [True] * 3 + [False] * 3
        assert obs[:, 0].tolist() == [0, 0, 0, 2, 2, 2]
        assert pool.step([FINE] * 6)[0][:, 0].tolist() == [0, 0, 0, 3, 3, 3]


def test_a_crash_noticed_in_another_call() -> None:
    """A worker killed between calls, and one that dies while another environment of it rests."""
    with begun(make(num_envs=4, num_threads=2)) as pool:
        victim = pool.stats()["worker_pids"][0]
        os.kill(victim, signal.SIGKILL)
        with crash_expected("was killed by SIGKILL"):
            *_, truncated, _ = pool.step([FINE] * 4)
        assert truncated.tolist() == [True, True, False, False]
        pool.step([FINE] * 4)
        with crash_expected("was killed by SIGABRT"):
            *_, truncated, info = pool.step([ABORT], [0])
        assert truncated.tolist() == [True]
        # Environment 1 went with it: its next row says so, without a second warning.
        *_, truncated, info = pool.step([FINE, FINE], [1, 2])
        assert truncated.tolist() == [True, False]
        assert info["worker_crashed"].tolist() == [True, False]
        assert pool.step([FINE] * 4)[0][:, 0].tolist() == [0, 0, 4, 3]


def test_same_step_autoreset_begins_anew_at_once() -> None:
    with make(num_envs=2, num_threads=2, autoreset_mode="SameStep") as pool:
        first, _ = pool.reset()
        with crash_expected("environments (1)"):
            obs, _, _, truncated, info = pool.step([FINE, SEGFAULT])
        assert truncated.tolist() == [False, True]
        assert info["final_info"]["worker_crashed"].tolist() == [False, True]
        assert info["final_obs"][1].tolist() == [0, 0]
        assert not info["worker_crashed"].any()
        assert obs[1, 0] == 0
        assert obs[1, 1] not in (0, first[1, 1])
        assert pool.step([FINE, FINE])[0][:, 0].tolist() == [2, 1]


def test_with_autoreset_disabled_a_reset_is_asked_for() -> None:
    with begun(make(num_envs=2, num_threads=2, autoreset_mode="Disabled")) as pool:
        with crash_expected("environments (1)"):
            pool.step([FINE, SEGFAULT])
        with refused(ResetNeededError, "environment 1 has ended"):
            pool.step([FINE, FINE])
        pool.reset([1])
        assert pool.step([FINE, FINE])[0][:, 0].tolist() == [2, 1]


def test_asynchronous_pools_go_on() -> None:
    with make(num_envs=6, batch_size=2, num_threads=3) as pool:
        pool.async_reset()
        crashed = 0
        steps = np.zeros(6, int)
        with warnings.catch_warnings(action="ignore", category=WorkerCrashWarning):
            while steps.min() < 12:
                *_, truncated, info = pool.recv()
                ids = info["env_id"]
                steps[ids] += 1
                assert (truncated == info["worker_crashed"]).all()
                crashed += int(truncated.sum())
                pool.send([SEGFAULT if (e, steps[e]) == (4, 5) else FINE for e in ids], ids)
        # Environment 1 shared the worker of 4.
        assert crashed == 2


def test_runs_with_crashes_can_be_repeated() -> None:
    def run() -> list[Any]:
        with make(num_envs=3, num_threads=3, seed=11) as pool:
            rows = [pool.reset()[0].tolist()]
            for step in range(12):
                deeds = [SEGFAULT if step in (2, 6) else FINE, FINE, FINE]
                rows.append(pool.step(deeds)[0].tolist())
            return rows

    with warnings.catch_warnings(action="ignore", category=WorkerCrashWarning):
        rows = run()
        assert rows == run()
    # Three episodes of environment 0, no two of one seed; the others never noticed.
    assert len({row[0][1] for row in rows if row[0][0] == 0 and row[0][1] != 0}) == 3
    assert [row[1][0] for row in rows] == list(range(13))


def test_a_reset_that_kills_ends_in_an_error_of_that_environment() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", WorkerCrashWarning)
        with make(num_envs=2, num_threads=2, crash_in="reset") as pool:
            for _ in range(2):
                with pytest.raises(EnvError) as caught:
                    pool.reset()
                assert set(caught.value.failures) == {0, 1}
                assert "was killed by SIGSEGV" in caught.value.failures[0]
            with refused(ResetNeededError, "failed earlier"):
                pool.step([FINE, FINE])


def test_a_constructor_that_throws_or_kills() -> None:
    with refused(EnvBuildError, "no such file: level.bin"):
        pools.make("Faulty", num_envs=2, fails_in="constructor", isolation="process")
    with refused(EnvBuildError, TASK, "killed by SIGSEGV", "while building"):
        make(num_envs=2, num_threads=2, crash_in="constructor")
    assert_works(make(num_envs=2))


def test_states_bring_a_lost_environment_back() -> None:
    with begun(make(num_envs=2, num_threads=2, huge=3_000_000, autoreset_mode="Disabled")) as pool:
        pool.step([FINE, FINE])
        states = pool.get_state()
        assert len(states[0]) > 3_000_000
        expected = pool.step([FINE, FINE])[0]
        with crash_expected("environments (0)"):
            pool.step([SEGFAULT, FINE])
        with pytest.raises(ValueError, match="its worker process died; reset it first"):
            pool.get_state([0])
        pool.set_state(None, states)
        assert (pool.step([FINE, FINE])[0] == expected).all()


@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
def test_nobody_is_in_an_environment_whose_process_died(mode: str) -> None:
    how = {"num_envs": 3, "num_threads": 3, "isolation": "process", "autoreset_mode": mode}
    with pools.make("Crowd", "gym", seed=0, **how) as pool:
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
    with begun(pools.make("Crowd", num_envs=2, isolation="process", step_timeout=60.0)) as pool:
        pool.step(pool.action_space.sample())
    with refused(OptionError, "step_timeout=60.0 is for environments with one player"):
        pools.make("Crowd", num_envs=2, step_timeout=60.0)
