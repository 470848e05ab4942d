"""Workers that die, hang or are left behind. Each test in a process of its own."""

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
import warnings
from typing import Any

import numpy as np
import pytest
from parallel_pool import EnvBuildError, EnvError, ResetNeededError, WorkerCrashWarning
from test_envs.checks import assert_works, refused
from test_envs.compiling import SOURCES
from test_envs.crashing_pools import (
    ABORT,
    FINE,
    HANG,
    KILL,
    LEAVE,
    SEGFAULT,
    TASK,
    THROW,
    crash_expected,
    gone,
    make,
    use_in_worker,
)

pytestmark = pytest.mark.own_process


def test_row_36_a_native_crash_loses_its_environments_only() -> None:
    with make(num_envs=4, num_threads=4) as pool:
        first, info = pool.reset()
        pids = info["pid"]
        assert sorted(pids) == sorted(pool.stats()["worker_pids"])
        assert os.getpid() not in pids
        with crash_expected(
            f"worker process {pids[2]} of {TASK} (plugin crashing 0.0.0) was killed by SIGSEGV",
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
    with make(num_envs=2, num_threads=2) as pool:
        pool.reset()
        with crash_expected(how, "environments (1)"):
            *_, truncated, _ = pool.step([FINE, deed])
        assert truncated.tolist() == [False, True]
        assert_works(pool)


def test_those_who_share_the_worker_are_lost_too() -> None:
    with make(num_envs=6, num_threads=2) as pool:
        pool.reset()
        pool.step([FINE] * 6)
        with crash_expected("environments (0-2)"):
            obs, *_, truncated, info = pool.step([FINE, SEGFAULT, FINE, FINE, FINE, FINE])
        assert truncated.tolist() == [True] * 3 + [False] * 3
        assert info["worker_crashed"].tolist() == [True] * 3 + [False] * 3
        assert obs[:, 0].tolist() == [0, 0, 0, 2, 2, 2]
        assert pool.step([FINE] * 6)[0][:, 0].tolist() == [0, 0, 0, 3, 3, 3]


def test_a_crash_noticed_in_another_call() -> None:
    """A worker killed between calls, and one that dies while another environment of it rests."""
    with make(num_envs=4, num_threads=2) as pool:
        pool.reset()
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
    with make(num_envs=2, num_threads=2, autoreset_mode="Disabled") as pool:
        pool.reset()
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
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", WorkerCrashWarning)
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

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", WorkerCrashWarning)
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


def test_a_constructor_that_kills() -> None:
    with refused(EnvBuildError, TASK, "killed by SIGSEGV", "while building"):
        make(num_envs=2, num_threads=2, crash_in="constructor")
    assert_works(make(num_envs=2))


def test_an_exception_is_no_crash() -> None:
    with make(num_envs=2, num_threads=1) as pool:
        pids = pool.stats()["worker_pids"]
        pool.reset()
        with pytest.raises(EnvError) as caught:
            pool.step([FINE, THROW])
        assert caught.value.failures == {1: "no fuel"}
        assert pool.stats()["worker_pids"] == pids
        assert_works(pool)


def test_states_bring_a_lost_environment_back() -> None:
    with make(num_envs=2, num_threads=2, huge=3_000_000, autoreset_mode="Disabled") as pool:
        pool.reset()
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


# ---- hanging -------------------------------------------------------------------------------------


def test_a_hung_environment_is_killed_after_step_timeout() -> None:
    with make(num_envs=2, num_threads=2, step_timeout=0.5) as pool:
        pool.reset()
        began = time.monotonic()
        with crash_expected("took more than 0.5 seconds and was killed", "environments (0)"):
            *_, truncated, _ = pool.step([HANG, FINE])
        assert time.monotonic() - began < 20
        assert truncated.tolist() == [True, False]
        assert_works(pool)


def test_close_does_not_wait_for_ever_for_a_hung_environment() -> None:
    pool = make(num_envs=2, batch_size=1, num_threads=2)
    pids = pool.stats()["worker_pids"]
    pool.async_reset()
    pool.recv()
    pool.recv()
    pool.send([HANG, FINE])
    pool.recv()
    began = time.monotonic()
    pool.close()
    assert time.monotonic() - began < 30
    assert all(gone(pid) for pid in pids)


# ---- ends ----------------------------------------------------------------------------------------


def test_close_leaves_no_process_and_no_descriptor() -> None:
    descriptors = len(os.listdir("/proc/self/fd"))
    for _ in range(3):
        pool = make(num_envs=4, num_threads=2)
        pids = pool.stats()["worker_pids"]
        assert_works(pool)
        pool.close()
        pool.close()
        assert not any(os.path.exists(f"/proc/{pid}") for pid in pids)
    assert len(os.listdir("/proc/self/fd")) == descriptors


def test_workers_hold_no_descriptor_of_ours() -> None:
    read, write = os.pipe()
    os.set_inheritable(write, True)
    with make(num_envs=1) as pool:
        (pid,) = pool.stats()["worker_pids"]
        links = [os.readlink(f"/proc/{pid}/fd/{each}") for each in os.listdir(f"/proc/{pid}/fd")]
        assert os.readlink(f"/proc/self/fd/{write}") not in links
    os.close(read)
    os.close(write)


def test_ctrl_c_is_the_pools_business() -> None:
    with make(num_envs=2, batch_size=1, num_threads=2) as pool:
        pids = pool.stats()["worker_pids"]
        pool.async_reset()
        pool.recv()
        pool.recv()
        pool.send([HANG], [0])
        # As a terminal does it: to everyone in the group.
        threading.Timer(0.3, os.killpg, (os.getpgid(0), signal.SIGINT)).start()
        began = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            pool.recv()
        assert time.monotonic() - began < 5
        assert not any(gone(pid, 0.1) for pid in pids)
        pool.send([FINE], [1])
        assert pool.recv()[4]["env_id"].tolist() == [1]


def test_ctrl_c_interrupts_a_synchronous_step_that_hangs() -> None:
    pool = make(num_envs=2, num_threads=2)
    pids = pool.stats()["worker_pids"]
    pool.reset()
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        pool.step([HANG, FINE])
    assert time.monotonic() - began < 5
    with pytest.raises(TimeoutError):
        pool.recv(timeout=0.05)
    os.kill(pids[0], signal.SIGKILL)
    with crash_expected("was killed by SIGKILL"):
        *_, truncated, _ = pool.recv()
    assert truncated.tolist() == [True, False]
    assert_works(pool)


def test_a_state_is_saved_while_a_neighbour_works() -> None:
    """They share a worker, which answers one call at a time."""
    with make(num_envs=3, num_threads=1) as pool:
        first, _ = pool.reset()
        before = pool.get_state([2])
        pool.send([FINE], [0])
        assert pool.get_state([2]) == before
        pool.send([THROW], [1])
        pool.set_state([2], before)
        assert pool.recv()[0][:, 0].tolist() == [1]
        with pytest.raises(EnvError) as caught:
            pool.recv()
        assert caught.value.failures == {1: "no fuel"}
        assert first.shape == (3, 2)


PARENT = """
import sys, time
sys.path.insert(0, {tests!r})
from test_envs import crashing_pools
pool = crashing_pools.make(num_envs=2, num_threads=2)
pool.reset()
print(*pool.stats()["worker_pids"], flush=True)
if {end!r} == "exit":
    sys.exit()
if {end!r} == "step":
    pool.step([4, 4])
time.sleep(100)
"""


@pytest.mark.parametrize("end", ["exit", "sleep", "step"])
def test_workers_go_with_their_parent(end: str) -> None:
    """It exits without closing, or is killed, with idle workers or busy ones."""
    command = [sys.executable, "-c", PARENT.format(tests=str(SOURCES.parent), end=end)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        pids = [int(pid) for pid in parent.stdout.readline().split()]
        assert len(pids) == 2
        if end == "exit":
            assert parent.wait(30) == 0
        else:
            time.sleep(0.2)
            parent.kill()
    assert all(gone(pid) for pid in pids)


def test_a_forked_child_leaves_the_workers_alone() -> None:
    pool = make(num_envs=2, num_threads=2)
    pool.reset()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        try:
            pool.close()
            del pool
        finally:
            os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    assert_works(pool)
    pool.close()


def test_isolated_pools_in_spawned_workers() -> None:
    context = multiprocessing.get_context("spawn")
    with context.Pool(2) as workers:
        assert sorted(workers.map(use_in_worker, [1, 2])) == [1, 2]
