"""Handles: used once, in order, and never a way to memory that is gone."""

import gc
import time
import weakref
from typing import Any

import jax
import numpy as np
import pytest
from learners.xla.programs import jitted
from test_envs.pools import begun, make
from test_envs.threads import in_threads

ACTIONS = np.zeros(2, np.int32)


def told(call: Any, *arguments: Any) -> str:
    with pytest.raises(RuntimeError) as caught:
        jax.block_until_ready(call(*arguments))
    return str(caught.value)


def test_used_twice_and_out_of_order(backend: str) -> None:
    with begun(make(num_envs=2)) as pool:
        first, step = jitted(pool, backend)
        second, _ = step(first, ACTIONS)
        third, _ = step(second, ACTIONS)
        used = told(step, first, ACTIONS)
        assert "is for call 0 of the pool, whose next call is 2" in used
        assert "XLA_FLAGS=--xla_gpu_enable_dynamic_slice_fusion=false" in used
        ahead = third.at[2].add(1)
        assert "is for call 3 of the pool, whose next call is 2" in told(step, ahead, ACTIONS)
        _, result = step(third, ACTIONS)  # nothing of that has stepped anything
        assert np.asarray(result[-1]["elapsed_step"]).tolist() == [3, 3]


def test_captured_by_a_program() -> None:
    with begun(make(num_envs=2)) as pool:
        handle, _, _, step = pool.xla()
        again = jax.jit(lambda: step(handle, ACTIONS)[1][0])
        again()
        assert "use it once" in told(again)


def test_the_current_one_after_an_error() -> None:
    with begun(make(num_envs=2)) as pool:
        handle, step = jitted(pool)

        def body(handle: Any, action: Any) -> Any:
            handle, result = step(handle, action)
            return handle, result[0]

        actions = np.zeros((5, 2), np.int32)
        actions[3, 0] = 9
        scan = jax.jit(lambda handle: jax.lax.scan(body, handle, actions))
        assert "is 9" in told(scan, handle)
        assert "whose next call is 3" in told(step, handle, ACTIONS)
        _, result = step(pool.xla().handle, ACTIONS)
        assert np.asarray(result[-1]["elapsed_step"]).tolist() == [4, 4]


def test_closed(backend: str) -> None:
    pool = make(num_envs=2)
    pool.reset()
    handle, step = jitted(pool, backend)
    handle, _ = step(handle, ACTIONS)
    pool.close()
    assert "closed" in told(step, handle, ACTIONS)
    assert "closed" in told(step, handle, ACTIONS)


def test_collected(backend: str) -> None:
    """Compiled ahead of time, and the pool gone, with another in its place."""
    pool = make(num_envs=2)
    pool.reset()
    handle, step = jitted(pool, backend)
    ahead = step.lower(handle, ACTIONS).compile()
    handle, _ = ahead(handle, ACTIONS)
    del pool
    gc.collect()
    assert "is gone" in told(ahead, handle, ACTIONS)
    with begun(make(num_envs=2)) as other:
        other.xla(backend)
        assert "is gone" in told(ahead, handle, ACTIONS)


def test_no_handles() -> None:
    with begun(make(num_envs=2)) as pool:
        _, recv, send, step = pool.xla()
        for wrong in (None, 3, np.zeros(4, np.int32), np.zeros(3, np.uint32)):
            for call in (recv, lambda h: send(h, ACTIONS), lambda h: step(h, ACTIONS)):
                with pytest.raises(TypeError, match="pass on the one"):
                    call(wrong)
        invented = np.array([4_000_000_000, 1, 0, 0], np.uint32)
        assert "is gone" in told(step, invented, ACTIONS)


def test_programs_keep_no_pool_alive() -> None:
    pool = make(num_envs=2)
    reference = weakref.ref(pool)
    program = pool.xla()
    del pool
    gc.collect()
    assert reference() is None
    assert len(program) == 4


def test_nothing_to_wait_for() -> None:
    with begun(make(num_envs=4, batch_size=2)) as pool:
        handle, recv, _, _ = pool.xla()
        recv = jax.jit(recv)
        handle, _ = recv(handle)
        assert "nothing is on its way" in told(recv, handle)


def test_several_threads() -> None:
    """One handle for several threads: each call is made once, and all other threads are told."""
    with begun(make(num_envs=2, max_count=1000)) as pool:
        handle, step = jitted(pool)
        jax.block_until_ready(step(handle, ACTIONS))
        done, refused = [], []
        end = time.monotonic() + 0.5

        def play() -> None:
            while time.monotonic() < end:
                try:
                    done.append(jax.block_until_ready(step(pool.xla().handle, ACTIONS)))
                except RuntimeError as error:
                    refused.append(str(error))

        in_threads(*[play] * 4)
        assert done
        assert all("of the pool" in each for each in refused)
        assert int(pool.xla().handle[2]) == 1 + len(done)
