"""What calls on CUDA alone have to do. Run by test_on_a_gpu.py, on the stand-in of fake_cuda."""

import gc

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from learners.xla.programs import jitted
from test_envs.fake_cuda import Fake
from test_envs.pools import begun, make

ACTIONS = np.zeros(2, np.int32)
COPY_IN, COPY_OUT = "cuMemcpyDtoHAsync_v2", "cuMemcpyHtoDAsync_v2"


def test_pinned_memory_is_the_pools(cuda: Fake) -> None:
    """Made once, for the pool's largest call, and freed with it in the context of its GPU."""
    before = cuda.allocations
    one, two = make(num_envs=2, max_count=1000), make(num_envs=2, max_count=1000)
    for pool in (one, two):
        pool.reset()
        handle, step = jitted(pool)
        for _ in range(3):
            handle, result = step(handle, ACTIONS)
        jax.block_until_ready(result)
    assert (cuda.blocks, cuda.retained, cuda.allocations - before) == (2, 2, 2)
    del one
    gc.collect()
    assert (cuda.blocks, cuda.retained) == (1, 1)
    del pool, two
    gc.collect()
    assert (cuda.blocks, cuda.retained, cuda.bytes) == (0, 0, 0)


def test_a_call_that_is_larger_gets_more(cuda: Fake) -> None:
    with begun(make(num_envs=600, max_count=1000)) as pool:
        handle, step = jitted(pool)
        handle, _ = step(handle, np.zeros(1, np.int32), np.array([5]))
        jax.block_until_ready(handle)
        small = cuda.bytes
        _, result = step(handle, np.zeros(600, np.int32))
        jax.block_until_ready(result)
        assert cuda.blocks == 1
        assert cuda.bytes > small
        assert np.asarray(result[-1]["elapsed_step"]).tolist() == [1 + (i == 5) for i in range(600)]
    gc.collect()


@pytest.mark.parametrize(
    ("function", "words", "steps"),
    [
        (COPY_IN, r"copy arguments of a call from the GPU: it was lost \(700\)", 0),
        ("cuStreamSynchronize", "finish what the program does", 0),
        ("cuMemHostAlloc", r"bytes of pinned memory: out of memory \(2\)", 0),
        (COPY_OUT, "copy results of a call to the GPU: it was lost", 1),
    ],
)
def test_what_the_driver_says(cuda: Fake, function: str, words: str, steps: int) -> None:
    """The program's error; before the results are copied nothing was stepped, and the handle is good."""
    with begun(make(num_envs=2)) as pool:
        handle, step = jitted(pool)
        cuda.fail(function)
        try:
            with pytest.raises(RuntimeError, match=words):
                jax.block_until_ready(step(handle, ACTIONS))
        finally:
            cuda.fail("")
        assert int(pool.xla().handle[2]) == steps
        _, result = step(pool.xla().handle, ACTIONS)
        assert np.asarray(result[-1]["elapsed_step"]).tolist() == [steps + 1] * 2
    del pool, step, result
    gc.collect()
    assert (cuda.blocks, cuda.retained) == (0, 0)


def test_every_bit_arrives() -> None:
    """NaNs of all kinds and denormal numbers too."""
    from parallel_pool_jax.platforms import set_apart

    kinds = (
        "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 bfloat16 float32 float64"
    )
    bits = np.random.default_rng(1).integers(256, size=8 * 512).astype(np.uint8)
    handle = np.array([7, 8, 2**32 - 1, 2**31 - 1], np.uint32)
    with jax.enable_x64(True):
        for dtype in map(jnp.dtype, kinds.split()):
            given = bits % 2 == 0 if dtype.kind == "b" else bits.view(dtype)
            same = jax.jit(lambda *arrays: set_apart(arrays))(handle, given)
            assert same[1].dtype == dtype
            assert [np.asarray(each).tobytes() for each in same] == [
                handle.tobytes(),
                given.tobytes(),
            ]
