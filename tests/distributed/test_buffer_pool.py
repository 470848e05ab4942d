"""Memory of batches: arrays are the caller's as long as he has them, and used again after that."""

import numpy as np
import pytest
from test_envs.libraries import needed

needed("ray")

from parallel_pool_ray.buffer_pool import ALIGNMENT, BufferPool  # noqa: E402

WANTED = [((3, 2), np.float32), ((3,), np.bool_), ((5, 0), np.int64)]


def test_arrays_are_as_asked_for_writable_and_aligned() -> None:
    arrays = BufferPool().arrays(WANTED)
    for array, (shape, dtype) in zip(arrays, WANTED, strict=True):
        assert (array.shape, array.dtype) == (shape, dtype)
        assert array.flags.writeable
        assert array.ctypes.data % ALIGNMENT == 0 or array.size == 0


def test_what_somebody_has_is_not_written_again() -> None:
    buffers = BufferPool()
    kept = []
    for number in range(10):
        first, _, _ = buffers.arrays(WANTED)
        first[:] = number
        kept.append(first[1:])  # a part of it is enough
        del first
    assert [each[0, 0] for each in kept] == list(range(10))
    assert len(buffers) == 10


@pytest.mark.parametrize("batches", [1, 3])
def test_what_nobody_has_is_used_again(batches: int) -> None:
    buffers = BufferPool()
    kept: list[object] = []
    for _ in range(50):
        kept = [*kept, buffers.arrays(WANTED)][-batches:]
    assert len(buffers) <= batches + 1
    larger = buffers.arrays([((1000,), np.float64)])
    assert larger[0].nbytes == 8000
