"""Integers of every type and range are numpy's."""

import ctypes
from typing import Any

import numpy as np
import pytest
from native_generators import (
    GENERATIONS,
    NARROW_TYPES,
    WIDE_TYPES,
    MakePair,
    NativeRng,
    assert_same,
    limits,
)
from numpy_generators import NumpyRng

INT64_MIN, INT64_MAX = limits(np.int64)

SPANS = [1, 2, 3, 6, 10, 100, 255, 256, 257, 1000, 2**16, 3 * 2**29, 2**31 - 1, 2**31, 2**31 + 1]
SPANS += [3 * 2**30, 2**32 - 1, 2**32, 2**32 + 1, 2**40, 3 * 2**61, 2**63 - 1]


@pytest.mark.parametrize("span", SPANS)
@pytest.mark.parametrize("low", [0, 1, -1, -5, -(2**62), INT64_MIN])
def test_ranges(make_pair: MakePair, low: int, span: int) -> None:
    pair = make_pair(span % 1000)
    high = min(low + span, INT64_MAX)
    assert_same(pair, "integers", low, high, 400)
    for endpoint in (False, True):
        for _ in range(5):
            assert_same(pair, "integers", low, high, endpoint=endpoint)


def test_everything(make_pair: MakePair) -> None:
    pair = make_pair(5)
    for dtype in WIDE_TYPES:
        for endpoint in (False, True):
            assert_same(pair, "integers", *limits(dtype), 1000, dtype, endpoint)


@pytest.mark.parametrize("dtype", NARROW_TYPES + WIDE_TYPES)
def test_types(make_pair: MakePair, dtype: Any) -> None:
    pair = make_pair(17)
    lowest, highest = limits(dtype)
    ranges = [(lowest, highest), (lowest, lowest), (lowest, 0), (0, 1), (0, 2), (3, 100), (0, 127)]
    # Two thirds of the type's values: a third of the draws is rejected.
    ranges.append((lowest, lowest + (highest - lowest) // 3 * 2))
    for low, high in ranges:
        if high > highest:
            continue
        for count in (1, 2, 3, 33, 1001):
            assert_same(pair, "integers", low, high, count, dtype, endpoint=True)
        # One value at a time: what is left of a word is dropped.
        for _ in range(5):
            assert_same(pair, "integers", low, high, None, dtype, endpoint=True)
            if low < high:
                assert_same(pair, "integers", low, high, None, dtype)


def test_short_names(library: ctypes.CDLL) -> None:
    ours, reference = NativeRng(library, 23), NumpyRng(23)
    for low, high in [(0, 6), (-3, 3), (-(2**31), 2**31), (5, 6)] * 50:
        bounds = ctypes.c_int64(low), ctypes.c_int64(high), ctypes.c_bool(False)
        drawn = ours.call("integers32", ours.address, *bounds, result=ctypes.c_int32)
        assert drawn == reference.integers(low, high, None, np.int32)
        drawn = ours.call("below", ours.address, ctypes.c_uint32(high + 4), result=ctypes.c_uint32)
        assert drawn == reference.integers(0, (high + 4) % 2**32)
    assert ours.state() == reference.state()


@pytest.mark.parametrize(
    ("dtype", "low", "high", "endpoint"),
    [
        (np.uint8, 0, 0, False),
        (np.uint8, 1, 0, True),
        (np.uint8, -1, 5, False),
        (np.uint8, 0, 257, False),
        (np.bool_, 0, 2, True),
        (np.int32, 0, 2**31 + 1, False),
        (np.int64, INT64_MIN, INT64_MIN, False),
        (np.int64, 5, 4, False),
        (np.uint64, 2**64 - 1, 0, True),
    ],
)
def test_bad_ranges_throw_and_draw_nothing(
    library: ctypes.CDLL, generation: str, dtype: Any, low: int, high: int, endpoint: bool
) -> None:
    native, numpy = GENERATIONS[generation]
    ours = native(library, 1)
    before = ours.state()
    for count in (None, 3):
        with pytest.raises(ValueError):
            numpy(1).integers(low, high, count, dtype, endpoint)
        with pytest.raises(ValueError):
            ours.integers(low, high, count, dtype, endpoint)
    assert ours.state() == before
