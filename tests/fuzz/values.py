"""What callers may hand over where an array is wanted: good, wrong, and hostile."""

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
from chooser import Chooser

DTYPES = (
    *("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "g", "c8", "c16", "?"),
    *(">i2", ">i4", ">i8", ">u4", ">f4", ">f8", "O", "S3", "U2", "M8[s]", "m8[s]", "V5"),
    *("i4,f8", "(2,)i4"),
)
SIZES = (0, 1, 2, 3, 4, 5, 8, 257)
SCALARS: tuple[Any, ...] = (
    *(None, True, False, 0, 1, 2, -1, 255, 2**31, 2**63, 2**64, -(2**63), 10**4000),
    *(0.0, 1.5, -0.0, float("nan"), float("inf"), 1e308, 1e-320, 1j, "", "0", b"1", ...),
    *(int, sys, object(), {}, set(), {0: 1}, range(4), slice(1), np.int64(1), np.float32(1)),
    *(np.ma.masked, np.datetime64("NaT"), np.array(1), memoryview(b"1234"), bytearray(4)),
)


class Hostile:
    """Converts itself into an array while doing something else first."""

    def __init__(self, then: Callable[[], Any], result: Any) -> None:
        self.then, self.result = then, result

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        self.then()
        return self.result

    def __repr__(self) -> str:
        self.then()
        return "Hostile()"


class Sequence:
    """Its length is not what it says, and its items are of every kind."""

    def __init__(self, said: int, item: Any) -> None:
        self.said, self.item = said, item

    def __len__(self) -> int:
        return self.said

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, int) and index >= self.said + 1:
            raise IndexError
        return self.item


def array(choose: Chooser, rows: int) -> Any:
    """An array of some dtype, shape, layout and content; mostly of as many rows as are right."""
    dtype = np.dtype(choose.pick(DTYPES))
    shape = [rows if choose.below(3) else choose.pick(SIZES)]
    shape += [choose.pick(SIZES[:5]) for _ in range(choose.pick((0, 0, 0, 1, 1, 2)))]
    if dtype.kind == "O":
        made = np.empty(shape, object)
        made.fill(choose.pick(SCALARS))
        return made
    size = int(np.prod(shape)) * dtype.itemsize
    # Letters that are none cannot be read by Python either.
    content = 0 if dtype.kind == "U" else choose.below(3)
    filler = bytes(size) if content == 0 else (choose.take(8) * (size // 8 + 1))[:size]
    made = np.ndarray(shape, dtype, bytearray(filler))
    if content == 2 and dtype.kind in "iuf":
        made = (np.arange(made.size).reshape(shape) % 5).astype(dtype)
    return _laid_out(choose, made)


def _laid_out(choose: Chooser, made: Any) -> Any:
    """The same values, or others, behind unusual strides."""
    layout = choose.below(8)
    if layout == 1:
        return made[::-1]
    if layout == 2:
        return np.asfortranarray(made)
    if layout == 3:
        return np.repeat(made, 2, axis=0)[::2]
    if layout == 4 and made.ndim > 1:
        return np.swapaxes(made, 0, -1)
    if layout == 5:
        made.flags.writeable = False
    if layout == 6 and made.dtype.itemsize > 1:
        # One byte off, so that no element is aligned.
        shifted = np.ndarray(made.shape, made.dtype, bytearray(made.nbytes + 1), offset=1)
        shifted[...] = made
        return shifted
    if layout == 7 and made.size:
        return np.broadcast_to(made[:1], made.shape)
    return made


def value(choose: Chooser, rows: int, then: Callable[[], Any], depth: int = 0) -> Any:
    """Something to pass as an action, as environment ids or inside of either."""
    kind = choose.below(12)
    if kind < 5 or depth > 3:
        return array(choose, rows)
    if kind == 5:
        return choose.pick(SCALARS)
    if kind == 6:
        return [choose.pick(SCALARS) for _ in range(choose.pick((0, 1, rows, rows, 7)))]
    if kind == 7:
        return tuple(value(choose, rows, then, depth + 1) for _ in range(choose.below(4)))
    if kind == 8:
        names = ("arm", "joint", "pair", "force", "grip", "0", "")
        return {choose.pick(names): value(choose, rows, then, depth + 1) for _ in range(3)}
    if kind == 9:
        return Hostile(then, value(choose, rows, then, depth + 1))
    if kind == 10:
        return Sequence(choose.pick(SIZES), choose.pick(SCALARS))
    return memoryview(choose.take(rows))
