"""Workers that hang, that share a call, and how they end. Each test in a process of its own."""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest
from parallel_pool import EnvError
from test_envs.checks import assert_works, in_child, reset_all
from test_envs.compiling import SOURCES
from test_envs.crashing_pools import FINE, HANG, THROW, crash_expected, gone, make
from test_envs.threads import interrupted

pytestmark = pytest.mark.own_process


def test_close_does_not_wait_for_ever_for_a_hung_environment() -> None:
    pool = reset_all(make(num_envs=2, batch_size=1, num_threads=2))
    pids = pool.stats()["worker_pids"]
    pool.send([HANG, FINE])
    pool.recv()
    began = time.monotonic()
    pool.close()
    assert time.monotonic() - began < 30
    assert all(gone(pid) for pid in pids)


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
    with reset_all(make(num_envs=2, batch_size=1, num_threads=2)) as pool:
        pids = pool.stats()["worker_pids"]
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
    assert interrupted(lambda: pool.step([HANG, FINE]), 0.3) < 5
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

    def closes() -> None:
        nonlocal pool
        pool.close()
        del pool

    in_child(closes)
    assert_works(pool)
    pool.close()
