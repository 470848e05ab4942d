"""Which calls copy, by the addresses of arrays: the table of docs/jax.md."""

import threading
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import parallel_pool
import pytest
from jax import lax
from learners.xla.programs import elsewhere, jitted
from parallel_pool.pool_errors import AlreadyPendingError, EnvError, NothingPendingError
from test_envs.faulty_pools import FINE, THROWS, faulty
from test_envs.pools import begun, make
from test_envs.xla_probe import address_in_program, addresses

N = 5


def rows_of(array: Any) -> list[int]:
    """Where the rows of observations of Address lie."""
    return [array.unsafe_buffer_pointer() + 8 * row for row in range(len(array))]


def test_environments_write_where_xla_wants_it() -> None:
    """Steps and resets, of all or of some, in threads of their own as those of JAX."""
    with make("Address", num_envs=N, num_threads=2) as pool:
        program = pool.xla()
        step, reset = jax.jit(program.step), jax.jit(program.reset)
        handle, (obs, _) = elsewhere(lambda: reset(program.handle))
        assert addresses(obs) == rows_of(obs)
        kept = [obs]
        for _ in range(20):
            handle, result = elsewhere(lambda handle=handle: step(handle, np.ones(N, int)))
            kept.append(result[0])
        some = np.array([1, 3])
        handle, result = elsewhere(lambda: step(handle, np.ones(2, int), some))
        kept.append(result[0])
        assert [addresses(each) for each in kept] == [rows_of(each) for each in kept]
        assert np.asarray(result[-1]["env_id"]).tolist() == [1, 3]


def test_environments_write_where_a_scan_wants_it() -> None:
    """The carry lies in one of two buffers, and never in a batch of the pool."""
    with make("Address", num_envs=N) as pool:
        obs, _ = pool.reset()
        step = pool.xla().step
        batches = {obs.ctypes.data}
        batches |= {pool.step(np.ones(N, int))[0].ctypes.data for _ in range(20)}

        def body(handle: Any, _: Any) -> Any:
            handle, (obs, *_) = step(handle, np.ones(N, int))
            return handle, obs

        scan = jax.jit(lambda handle: lax.scan(body, handle, None, length=50))
        _, obs = elsewhere(lambda: scan(pool.xla().handle))
        seen = {addresses(each)[0] for each in obs}
        assert len(seen) <= 2
        assert not seen & batches


def test_pythons_main_thread_copies() -> None:
    """Because Ctrl-C ends a call there before the environments are done."""
    with make("Address", num_envs=N) as pool:
        program = pool.xla()
        handle, (obs, _) = jax.jit(program.reset)(program.handle)
        assert not set(addresses(obs)) & set(rows_of(obs))
        _, result = jax.jit(program.step)(handle, np.ones(N, int))
        assert not set(addresses(result[0])) & set(rows_of(result[0]))


def test_what_is_awaited_or_masked_is_copied() -> None:
    with begun(make("Address", num_envs=N, autoreset_mode="Disabled")) as pool:
        program = pool.xla()
        handle, recv, send, step = program

        def play() -> Any:
            sent = send(handle, np.ones(N, int))
            after, (obs, *_) = recv(sent)
            after, result = step(after, np.ones(N, int))
            after, (again, _) = program.reset(after, np.arange(N) == 2, result)
            return obs, again

        obs, again = elsewhere(play)
        assert not set(addresses(obs)) & set(rows_of(obs))
        assert addresses(again)[2] != rows_of(again)[2]


def test_rows_of_an_answer_with_failures_come_home(faulty_library: str) -> None:
    with begun(faulty(num_envs=3)) as pool:
        handle, step = jitted(pool, narrow=True)

        def play() -> str:
            try:
                jax.block_until_ready(step(handle, np.array([FINE, THROWS, FINE])))
            except RuntimeError as error:
                return str(error)
            return ""

        assert "1 environment failed" in elsewhere(play)
        with pytest.raises(EnvError) as caught:
            pool.recv()
        assert caught.value.result[-1]["elapsed_step"].tolist()[::2] == [1, 1]
        assert caught.value.result[-1]["env_id"].tolist() == [0, 1, 2]


def test_nobody_else_gets_what_a_program_waits_for() -> None:
    """It lies in memory of XLA's."""
    with begun(make("SleepyLate", num_envs=2, num_threads=2)) as pool:
        handle, step = jitted(pool)
        handle, _ = step(handle, np.array([0, 0]))
        given: list[Any] = []
        thread = threading.Thread(
            target=lambda: given.append(jax.block_until_ready(step(handle, np.array([500, 500]))))
        )
        thread.start()
        refused = 0
        while thread.is_alive():
            try:
                pool.recv(timeout=0.01)
            except AlreadyPendingError:
                refused += 1
            except NothingPendingError:
                pass
            thread.join(0.01)
        assert refused > 0
        assert np.asarray(given[0][1][1]).tolist() == [500, 500]


def test_outside_of_programs() -> None:
    """Batches are aligned as XLA wants it, so it can share them."""
    with parallel_pool.make("CartPole-v1", num_envs=64) as pool:
        obs, _ = pool.reset()
        ours = obs.ctypes.data
        assert jax.device_put(obs).unsafe_buffer_pointer() == ours
        assert jax.dlpack.from_dlpack(obs).unsafe_buffer_pointer() == ours
        assert address_in_program(jax, obs) == ours
        for copied in (jnp.asarray(obs), jnp.array(obs)):
            assert copied.unsafe_buffer_pointer() != ours
            assert address_in_program(jax, copied) == copied.unsafe_buffer_pointer()
            assert np.asarray(copied).ctypes.data == copied.unsafe_buffer_pointer()
