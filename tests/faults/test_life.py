"""Rows of the fault matrix: the life of a pool, of its process, and what is left when they end."""

import os
import signal
import subprocess
import sys
import time
import warnings
from functools import partial
from typing import Any

import numpy as np
import pytest
from gymnasium.error import ClosedEnvironmentError
from parallel_pool import ForkedPoolError
from test_envs.checks import assert_works, refused, reset_all, resident_bytes
from test_envs.compiling import SOURCES
from test_envs.faulty_pools import FINE, SLOW, faulty, soon
from test_envs.pools import make
from test_envs.threads import threads_of_this_process

pytestmark = pytest.mark.own_process(limit=40)


def test_row_19_use_after_close() -> None:
    for env_type in ("gymnasium", "gym", "dm"):
        pool = make(env_type=env_type, num_envs=4, num_threads=2)
        pool.reset()
        state = pool.get_state()
        pool.close()
        for use in (
            *(partial(pool.step, np.zeros(4, int)), partial(pool.send, np.zeros(4, int))),
            *(pool.recv, partial(pool.recv, timeout=0), pool.reset, pool.async_reset),
            *(pool.get_state, partial(pool.set_state, None, state)),
        ):
            with refused(ClosedEnvironmentError, "the pool is closed"):
                use()


@pytest.mark.parametrize("batch_size", [4, 2])
@pytest.mark.parametrize("step_timeout", [None, 30.0])
def test_row_22_exit_with_work_pending(batch_size: int, step_timeout: float | None) -> None:
    global kept
    kept = faulty(
        num_envs=4, batch_size=batch_size, num_threads=2, slow_ms=200, step_timeout=step_timeout
    )
    reset_all(kept)
    kept.send([SLOW] * 4, [0, 1, 2, 3])  # the runner sees that the process ends with status 0


@pytest.mark.parametrize("step_timeout", [None, 5.0])
def test_row_23_a_forked_child_steps(step_timeout: float | None) -> None:
    pool = make(num_envs=4, num_threads=2, step_timeout=step_timeout)
    pool.reset()
    pid = os.fork()
    if pid == 0:
        with refused(ForkedPoolError, "in the child", "spawn"):
            pool.step([0] * 4)
        with make(num_envs=4, num_threads=2, step_timeout=step_timeout) as own:
            assert_works(own)
        raise SystemExit(0)  # through atexit, with the parent's pool alive
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    assert_works(pool)


@pytest.mark.own_process(limit=120)  # 250 pools take five seconds, or many of a busy machine
@pytest.mark.parametrize(
    ("batch_size", "threads", "step_timeout"),
    [(8, 3, None), (16, 2, 5.0), pytest.param(16, 1, None, marks=pytest.mark.slow)],
)
def test_row_34_memory_over_200_pools(
    batch_size: int, threads: int, step_timeout: float | None
) -> None:
    """The slope of a line through the resident memory: less than 4 KiB for each pool."""
    warnings.simplefilter("ignore")  # more threads than CPUs
    sizes = []
    for number in range(250):
        arguments: dict[str, Any] = {"nan_action": "truncate", "step_timeout": step_timeout}
        arguments |= {"num_envs": 16, "batch_size": batch_size, "num_threads": threads}
        with make("Types", **arguments) as pool:
            action = pool.action_space.sample()
            pool.async_reset()
            for _ in range(16 // batch_size):
                *_, info = pool.recv()
                pool.send(action, info["env_id"])
        if number >= 50 and number % 10 == 9:
            sizes.append((number, resident_bytes()))
    assert len(sizes) == 20
    slope = np.polyfit(*zip(*sizes, strict=True), 1)[0]
    assert slope < 4096
    assert threads_of_this_process() < 8


LONG_STEP = """
import sys
sys.path.insert(0, sys.argv[1])
from test_envs.faulty_pools import SLOW, faulty

pool = faulty(num_envs=2, num_threads=int(sys.argv[2]), slow_ms=60000,
              step_timeout=float(sys.argv[3]) or None)
pool.reset()
print("steps", flush=True)
pool.step([SLOW, SLOW])
"""


@pytest.mark.parametrize(("threads", "step_timeout"), [(1, 0), (2, 0), (2, 300)])
def test_row_40_sigterm_in_a_long_step(threads: int, step_timeout: int) -> None:
    """No handler of Python's or of ours is in the way: the process ends at once, by the signal."""
    arguments = [str(SOURCES.parent), str(threads), str(step_timeout)]
    command = [sys.executable, "-c", LONG_STEP, *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "steps\n"
        time.sleep(0.3)
        process.send_signal(signal.SIGTERM)
        assert process.wait(5) == -signal.SIGTERM


@pytest.mark.serial
def test_row_40_a_handler_of_sigterm_runs_while_recv_waits() -> None:
    """The usual way to end well: a handler that raises SystemExit, and the pool closed by it."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(3))
    with reset_all(faulty(num_envs=2, batch_size=1, num_threads=2, slow_ms=1000)) as pool:
        # What is known to be slow is done by the pool's threads, so that it is recv that waits.
        pool.send([SLOW], [1])
        pool.recv()
        pool.send([SLOW], [0])
        soon(lambda: os.kill(os.getpid(), signal.SIGTERM))
        with pytest.raises(SystemExit):
            pool.recv()
        assert pool.recv()[0][0, 0] == 1
        pool.send([FINE], [0])
        assert pool.recv()[0][0, 0] == 2
