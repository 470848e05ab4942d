"""Checks what Python environments return before it becomes a row. Values that do not fit are errors.

numpy would broadcast (1,) into (4,), and turn None into NaN, 300 into 44 and 2.7 into 2.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import copy_context
from typing import Any

import numpy as np
import numpy.typing as npt

from parallel_pool.errors import ParallelPoolError

Write = Callable[[int, Any], None]


class RowError(ParallelPoolError, ValueError):
    """A value does not fit into its space. The text names the value, and what is expected."""


def checked_writer(column: npt.NDArray[Any], name: str) -> Write:
    """Writes values to rows of `column`. Raises RowError.

    Allowed are conversions that lose at most digits: numbers of the same kind, integers that fit, integers and
    bools as floats, bools as integers.
    """
    shape, dtype = column.shape[1:], column.dtype
    # Settings of numpy are part of a context; this one is the writer's own.
    strict = copy_context()
    strict.run(np.seterr, over="raise")
    low, high = 1, 0  # where plain ints need no look: nowhere
    if shape == () and dtype.kind in "iu":
        low, high = int(np.iinfo(dtype).min), int(np.iinfo(dtype).max)

    def write(row: int, value: Any) -> None:
        # The fast path: most values have the right type and shape.
        fits = type(value) is np.ndarray and value.dtype is dtype and value.shape == shape
        if fits or (type(value) is int and low <= value <= high):
            column[row] = value
            return
        array = _fitting(value, shape, dtype, name)
        try:
            strict.run(column.__setitem__, row, array)
        except FloatingPointError:
            beyond = array[np.isfinite(array) & (np.abs(array) > np.finfo(dtype).max)]
            raise RowError(
                f"{name} is {beyond.flat[0]}, which does not fit into the {dtype} of its space"
            ) from None

    return write


def text_writer(
    column: npt.NDArray[Any] | None, write: Callable[[Any], None], name: str, max_length: int
) -> Write:
    """Writes texts to rows of bytes of `column`, or if that is None to `write`. Raises RowError."""

    def checked(row: int, value: Any) -> None:
        if not isinstance(value, str):
            raise RowError(f"{name} is a {type(value).__name__}, and its space has texts")
        if column is None:
            write(value)
            return
        text = value.encode()
        if len(text) > column.shape[1] or "\0" in value:
            raise RowError(
                f"{name} has {len(value)} characters that do not fit into its row of bytes: its space has at "
                f"most {max_length}, none of them a zero"
            )
        column[row] = 0
        column[row, : len(text)] = np.frombuffer(text, np.uint8)

    return checked


def _fitting(value: Any, shape: tuple[int, ...], dtype: np.dtype[Any], name: str) -> Any:
    try:
        array = np.asarray(value)
    except ValueError as error:  # rows of different lengths
        raise RowError(f"{name} is {value!r}, which is no array: {error}") from None
    if array.shape != shape:
        raise RowError(f"{name} has shape {array.shape}, and its space has {shape}")
    kind = array.dtype.kind
    if np.can_cast(array.dtype, dtype, "safe") or (kind in "fiu" and dtype.kind == "f"):
        return array
    if kind in "iu" and dtype.kind in "iu":
        info = np.iinfo(dtype)
        wrong = array[(array < info.min) | (array > info.max)]
        if wrong.size == 0:
            return array
        raise RowError(
            f"{name} is {wrong.flat[0]}, which does not fit into the {dtype} of its space"
        )
    shown = repr(value)
    raise RowError(
        f"{name} is of dtype {array.dtype}, and its space of {dtype}: "
        + (shown if len(shown) < 100 else shown[:97] + "...")
    )


def checked_number(value: Any, name: str) -> Any:
    """A reward: one real number."""
    if type(value) in (float, int, np.float64):
        return value
    array = np.asarray(value)
    if array.size != 1 or array.dtype.kind not in "fiub":
        raise RowError(f"{name} is {value!r}, expected a number")
    return array.item()


def checked_flag(value: Any, name: str) -> bool:
    """terminated or truncated: a bool, or 0 or 1."""
    if type(value) is bool:
        return value
    array = np.asarray(value)
    if array.size != 1 or array.dtype.kind not in "biu" or array.item() not in (0, 1):
        raise RowError(f"{name} is {value!r}, expected a bool")
    return bool(array.item())
