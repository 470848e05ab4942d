"""What goes wrong while a program runs: environments that fail, signals, pools that are closed meanwhile."""

import os
import signal
import threading
import time
from typing import Any

import jax
import numpy as np
import parallel_pool
import pytest
import test_envs.sleepy_envs  # registers gym:Sleepy-v0  # noqa: F401
from learners.xla.programs import jitted
from parallel_pool.pool_errors import EnvError, NotOfferedError
from test_envs.faulty_pools import FINE, THROWS, faulty, soon
from test_envs.pools import begun, make


def test_an_environment_that_fails(faulty_library: str) -> None:
    with begun(faulty(num_envs=3)) as pool:
        handle, step = jitted(pool, narrow=True)
        with pytest.raises(RuntimeError, match=r"1 environment failed; environment 1: .*EnvError"):
            jax.block_until_ready(step(handle, np.array([FINE, THROWS, FINE])))
        with pytest.raises(EnvError) as caught:
            pool.recv()
        assert list(caught.value.failures) == [1]
        assert caught.value.result[-1]["elapsed_step"].tolist()[::2] == [1, 1]
        pool.reset([1])
        _, result = step(pool.xla(narrow=True).handle, np.array([FINE] * 3))
        assert np.asarray(result[-1]["elapsed_step"]).tolist() == [2, 1, 2]


def test_an_error_that_nobody_asks_for(faulty_library: str) -> None:
    with begun(faulty(num_envs=2)) as pool:
        handle, step = jitted(pool, narrow=True)
        with pytest.raises(RuntimeError, match="environment 0"):
            jax.block_until_ready(step(handle, np.array([THROWS, FINE])))
        with pytest.raises(RuntimeError, match="environment 0"):  # is to be reset
            jax.block_until_ready(step(pool.xla(narrow=True).handle, np.array([FINE, FINE])))
        program = pool.xla(narrow=True)
        handle, _ = program.reset(program.handle)
        jax.block_until_ready(step(handle, np.array([FINE, FINE])))


@pytest.mark.own_process
def test_ctrl_c() -> None:
    """Where Python's main thread waits in the program itself, as it does for a single step."""
    with begun(make("SleepyLate", num_envs=2, num_threads=2)) as pool:
        handle, step = jitted(pool)
        handle, _ = step(handle, np.array([20, 20]))
        soon(lambda: os.kill(os.getpid(), signal.SIGINT))
        with pytest.raises(RuntimeError, match="KeyboardInterrupt; what is on its way stays so"):
            jax.block_until_ready(step(handle, np.array([1500, 1500])))
        assert pool.recv()[1].tolist() == [1500, 1500]
        handle, result = step(pool.xla().handle, np.array([0, 0]))
        assert np.asarray(result[1]).tolist() == [0, 0]


@pytest.mark.own_process
def test_closed_and_collected_while_a_program_waits() -> None:
    for collected in (False, True):
        pool = make("SleepyLate", num_envs=2, num_threads=2)
        pool.reset()
        handle, step = jitted(pool)
        handle, _ = step(handle, np.array([0, 0]))
        told: list[str] = []

        def play(step: Any = step, handle: Any = handle, told: list[str] = told) -> None:
            try:
                jax.block_until_ready(step(handle, np.array([400, 400])))
            except RuntimeError as error:
                told.append(str(error))

        thread = threading.Thread(target=play)
        thread.start()
        time.sleep(0.1)
        if collected:
            del pool
        else:
            pool.close()
        thread.join()
        assert len(told) == 1
        assert "the pool is closed" in told[0]


@pytest.mark.parametrize("isolation", ["process", "thread"])
def test_python_environments(isolation: str) -> None:
    arguments: dict[str, Any] = {"num_envs": 2, "isolation": isolation}
    with (
        parallel_pool.make("gym:Sleepy-v0", **arguments) as pool,
        pytest.raises(NotOfferedError, match="infos='minimal'"),
    ):
        pool.xla()
    with begun(parallel_pool.make("gym:Sleepy-v0", infos="minimal", **arguments)) as pool:
        handle, step = jitted(pool, narrow=True)

        def body(handle: Any, action: Any) -> Any:
            handle, (obs, *_) = step(handle, action)
            return handle, obs

        scan = jax.jit(lambda handle: jax.lax.scan(body, handle, np.zeros((5, 2), int)))
        _, obs = scan(handle)
        np.testing.assert_array_equal(obs[:, :, 0], np.arange(1, 6)[:, None] * np.ones(2))
