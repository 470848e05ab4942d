"""numpy's other functions on values."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any, cast

import numpy as np

from parallel_pool_tasks.errors import TaskError, refused
from parallel_pool_tasks.program.tape import Operand, Tape
from parallel_pool_tasks.trace.ufuncs import (
    axes_in_memory,
    dtype_or_weak,
    emit,
    expect_loop,
    registers_of,
)
from parallel_pool_tasks.trace.value import Value

_FLOAT64 = np.dtype(np.float64)
_BOOL = np.dtype(bool)
_SHORT = 4
"""The longest vector whose norm is that of the machine; longer ones are products of numpy's."""

MOVES = frozenset(
    {
        np.atleast_1d,
        np.atleast_2d,
        np.broadcast_to,
        np.concatenate,
        np.copy,
        np.delete,
        np.diagonal,
        np.expand_dims,
        np.flip,
        np.hstack,
        np.moveaxis,
        np.ravel,
        np.repeat,
        np.reshape,
        np.roll,
        np.split,
        np.squeeze,
        np.stack,
        np.swapaxes,
        np.take,
        np.tile,
        np.transpose,
        np.vstack,
    }
)
"""The functions that move numbers and compute nothing: numpy does to the registers what it does to numbers."""


def call(tape: Tape, function: Callable[..., Any], args: Any, kwargs: Mapping[str, Any]) -> Any:
    """Records the call of a function of numpy. Raises TaskError that names the author's line."""
    if function in MOVES:
        return _moved(tape, function, args, kwargs)
    own = _FUNCTIONS.get(function)
    if own is None:
        raise refused(
            f"{_name(function)} is not in the language of tasks: run the task in Python "
            "(parallel_pool_tasks.reference), or write it in C++"
        )
    try:
        inspect.signature(own).bind(tape, *args, **kwargs)
    except TypeError:
        raise refused(f"{_name(function)} with these arguments is not in the language") from None
    return own(tape, *args, **kwargs)


def converted(value: Value, dtype: np.dtype[Any]) -> Value:
    """`value.astype(dtype)`."""
    if dtype == value.dtype:
        return value.of(value.registers)
    if dtype == _BOOL:
        return cast("Value", np.not_equal(value, 0))
    if dtype.kind == "i" and value.dtype.kind == "f":
        return emit(value.tape, "trunc", dtype, (value,), (value.dtype,))
    if dtype == np.float32 and value.dtype != _BOOL:
        return emit(value.tape, "positive", dtype, (value,), (value.dtype,))
    return value.of(value.registers, dtype)  # exact


def _name(function: Callable[..., Any]) -> str:
    module = getattr(function, "__module__", "numpy").replace("numpy", "np", 1)
    return f"{module}.{getattr(function, '__name__', function)}"


def _moved(tape: Tape, function: Callable[..., Any], args: Any, kwargs: Mapping[str, Any]) -> Any:
    if any(_holds_values(each) for each in (*args[1:], *kwargs.values())):
        raise refused(f"{_name(function)} takes values as its first argument only")
    # First on numbers of the same dtypes, for the dtype of the result.
    try:
        sample = function(*(_mapped(each, _zeros) for each in args), **kwargs)
        if "dtype" in kwargs or any(sample is each for each in (*args, *kwargs.values())):
            raise refused(
                f"{_name(function)} with dtype or out is not in the language: x.astype(np.float32) makes "
                "another dtype"
            )
        several = isinstance(sample, (list, tuple))
        dtype = (sample[0] if several else sample).dtype
        taken = lambda each: registers_of(tape, each, dtype)  # noqa: E731
        moved = function(*(_mapped(each, taken, True) for each in args), **kwargs)
    except TaskError:
        raise
    except (ValueError, TypeError, IndexError) as error:
        raise refused(f"{_name(function)}: {error}") from None
    if several:
        return [Value(tape, each, dtype) for each in moved]
    return Value(tape, moved, dtype)


def _zeros(value: Value) -> Any:
    return np.zeros(value.shape, value.dtype)[()]


def _mapped(each: Any, of_value: Callable[[Any], Any], lists: bool = False) -> Any:
    """Arguments with each value replaced; with `lists`, numbers beside values in a list too."""
    if isinstance(each, Value):
        return of_value(each)
    if isinstance(each, (list, tuple)):
        if lists and _holds_values(each):
            inner = [
                _mapped(part, of_value, True) if _holds_values(part) else of_value(part)
                for part in each
            ]
            return type(each)(inner)
        return type(each)(_mapped(part, of_value, lists) for part in each)
    return each


def _holds_values(each: Any) -> bool:
    if isinstance(each, (list, tuple)):
        return any(_holds_values(part) for part in each)
    return isinstance(each, Value)


# ---- choices --------------------------------------------------------------------------------------


def _where(tape: Tape, condition: Any, x: Any, y: Any) -> Value:
    dtype = np.result_type(*(_weak_sample(each) for each in (x, y)))
    if isinstance(condition, Value):
        condition = converted(condition, _BOOL)
    return emit(tape, "where", dtype, (condition, x, y), (_BOOL, dtype, dtype))


def _clip(tape: Tape, a: Any, a_min: Any = None, a_max: Any = None) -> Value:
    if a_min is None or a_max is None:
        if a_min is None and a_max is None:
            return converted(a, a.dtype)
        return cast("Value", np.maximum(a, a_min) if a_max is None else np.minimum(a, a_max))
    a = _array(a)
    dtype = np.result_type(*(_weak_sample(each) for each in (a, a_min, a_max)))
    return emit(tape, "clip", dtype, (a, a_min, a_max), (dtype,) * 3)


def _array(each: Any) -> Any:
    """Returns what numpy makes an array of: a number of Python is weak no longer."""
    return each if isinstance(each, Value) else np.asarray(each)


def _weak_sample(each: Any) -> Any:
    """Returns what np.result_type promotes like the value."""
    found = dtype_or_weak(each)
    return found(0) if isinstance(found, type) else found


# ---- whole arrays ---------------------------------------------------------------------------------


def _whole(name: str, value: Any, axis: Any) -> Value:
    """The value, if all of it is to be folded. Raises TaskError."""
    if not isinstance(value, Value):
        raise refused(f"np.{name} of a list: np.{name}(np.stack([x, y]))")
    if axis is not None:
        _number_of(axis, value)
    return value


def _number_of(axis: Any, value: Value) -> int:
    if isinstance(axis, (bool, Value)) or not isinstance(axis, (int, np.integer)):
        raise refused(f"the axis is {axis!r}, expected one whole number")
    if not -value.ndim <= axis < value.ndim:
        raise refused(f"axis {axis} is out of bounds for an array of dimension {value.ndim}")
    return int(axis) % value.ndim


def _along(
    value: Value, axis: Any, whole: Callable[[Value], Value], pair: Any = None, anew: bool = False
) -> Value:
    """The array folded along one axis: row by row by `whole`, or all rows at once by `pair`.

    anew: `pair` adds up, whose order matters: numpy goes along the axis that is the fastest in memory, and
    folds it by itself if it is that one.
    """
    axis = _number_of(axis, value)
    if value.ndim == 1:
        return whole(value)
    parts = np.moveaxis(value.registers, axis, 0)
    if pair is not None and len(parts) > 1:
        if anew and any(each < 0 for each in value.registers.strides):
            raise refused(
                "numpy adds up what is turned round in an order of its own: x.copy() first"
            )
        long = [each for each in axes_in_memory(value.registers) if value.shape[each] > 1]
        if not anew or long[-1] != axis:
            result = value.of(parts[0])
            for each in parts[1:]:
                result = pair(result, value.of(each))
            return result
    rows = parts.reshape(len(parts), -1).T
    results = [whole(value.of(each.copy())) for each in rows]
    folded = np.empty_like(parts[0])  # it lies in memory as numpy's result does
    folded[...] = np.stack([each.registers for each in results]).reshape(folded.shape)
    return Value(value.tape, folded, results[0].dtype)


def _folded(tape: Tape, op: str, value: Value, dtype: np.dtype[Any]) -> Value:
    flat = value.registers
    if not flat.transpose(axes_in_memory(flat)).flags.c_contiguous:
        raise refused("numpy adds up a part of a matrix in an order of its own: x.copy() first")
    registers = registers_of(tape, value, dtype).ravel(order="K")
    operand = tape.operand(registers, may_be_one=False)
    result = tape.fresh(1)
    tape.emit(op, dtype, registers.size, result, operand)
    return Value(tape, result, dtype)


def _sum(tape: Tape, a: Any, axis: Any = None) -> Value:
    value = _whole("sum", a, axis)
    dtype = np.dtype(np.int64) if value.dtype == _BOOL else value.dtype
    if axis is None:
        return _folded(tape, "sum", value, dtype)
    return _along(converted(value, dtype), axis, lambda row: _sum(tape, row), np.add, anew=True)


def _mean(tape: Tape, a: Any, axis: Any = None) -> Value:
    value = _whole("mean", a, axis)
    if value.dtype.kind != "f":
        value = converted(value, _FLOAT64)
    count = value.size if axis is None else value.shape[_number_of(axis, value)]
    return cast("Value", np.divide(_sum(tape, value, axis), count))


def _extreme(op: str) -> Callable[..., Value]:
    def folded(tape: Tape, a: Any, axis: Any = None) -> Value:
        value = _whole(op, a, axis)
        if axis is not None and value.ndim > 1:
            pair = np.maximum if op == "max" else np.minimum
            return _along(value, axis, lambda row: folded(tape, row), pair)
        return _folded(
            tape, "any" if op == "max" and value.dtype == _BOOL else op, value, value.dtype
        )

    return folded


def _truth(op: str) -> Callable[..., Value]:
    def folded(tape: Tape, a: Any, axis: Any = None) -> Value:
        value = _whole(op, a, axis)
        if axis is not None and value.ndim > 1:
            pair = np.logical_and if op == "all" else np.logical_or
            return _along(converted(value, _BOOL), axis, lambda row: folded(tape, row), pair)
        return _folded(tape, op, value, _BOOL)

    return folded


def _place_of(op: str) -> Callable[..., Value]:
    """The first of several that are equal, in the order of the indices."""

    def folded(tape: Tape, a: Any, axis: Any = None) -> Value:
        value = _whole(op, a, axis)
        if axis is not None and value.ndim > 1:
            return _along(value, axis, lambda row: folded(tape, row))
        operand = tape.operand(registers_of(tape, value, value.dtype).ravel(), may_be_one=False)
        result = tape.fresh(1)
        tape.emit(op, np.int64, value.size, result, operand)
        return Value(tape, result, np.int64)

    return folded


def _norm(tape: Tape, x: Any, ord: Any = None, axis: Any = None) -> Value:
    value = _whole("linalg.norm", x, axis)
    if ord is not None or value.dtype.kind != "f" or value.ndim < 1:
        raise refused("np.linalg.norm is of arrays of floats, without ord: np.sqrt(np.sum(x * x))")
    if axis is not None:
        return cast("Value", np.sqrt(_sum(tape, cast("Value", value * value), axis)))
    if value.dtype == _FLOAT64 and value.ndim == 1 and value.size <= _SHORT:
        return _folded(tape, "norm", value, _FLOAT64)
    flat = value.of(value.registers.ravel(order="K"))
    return cast("Value", np.sqrt(product(tape, flat, flat)))


# ---- products -------------------------------------------------------------------------------------


def product(tape: Tape, a: Any, b: Any) -> Value:
    """`a @ b` of vectors and matrices, by numpy's own loop, which is its BLAS's. Raises TaskError."""
    left, right = _array(a), _array(b)
    if not (1 <= left.ndim <= 2 and 1 <= right.ndim <= 2):
        raise refused("@ is of vectors and matrices")
    dtype = np.result_type(left.dtype, right.dtype)
    if dtype.kind != "f" or dtype.name not in ("float64", "float32"):
        raise refused(f"@ of {dtype} is not in the language: x.astype(np.float64)")
    expect_loop("matmul", dtype)
    # A vector is a row on the left, and a column on the right.
    one = registers_of(tape, left, dtype)
    two = registers_of(tape, right, dtype)
    one = one[np.newaxis] if left.ndim == 1 else one
    two = two[:, np.newaxis] if right.ndim == 1 else two
    if one.shape[1] != two.shape[0]:
        raise refused(f"@ of shapes {left.shape} and {right.shape}")
    operands, turned = [], 0
    for number, each in enumerate((one, two)):
        axes = axes_in_memory(each)
        if not each.transpose(axes).flags.c_contiguous:
            raise refused("numpy multiplies a part of an array in another order: x.copy() first")
        turned |= (1 << number) * (axes == [1, 0])
        flat = each.transpose(axes).ravel()
        operands.append(tape.operand(flat, may_be_one=False))
    (rows, inner), columns = one.shape, two.shape[1]
    first = tape.fresh(rows * columns)
    tape.emit("matmul", dtype, f"{rows} {inner} {columns}", first, *operands, turned)
    shape = (() if left.ndim == 1 else (rows,)) + (() if right.ndim == 1 else (columns,))
    return Value(tape, np.arange(first, first + rows * columns).reshape(shape), dtype)


def looked_up(table: Any, index: Value) -> Value:
    """`table[index]` of one whole number that is known when the program runs. Raises TaskError."""
    tape = index.tape
    if index.shape or index.dtype.kind != "i" or not np.ndim(table):
        raise refused(
            "an index that is a value is one int64, of the first axis: x[np.argmax(y)], lookup(TABLE, i)"
        )
    dtype = table.dtype
    registers = registers_of(tape, table, dtype)
    rows, shape = len(registers), registers.shape[1:]
    count = int(np.prod(shape, dtype=np.int64))
    rows_of_it = tape.operand(registers.ravel(), may_be_one=False)
    first = tape.fresh(count)
    at = Operand(int(registers_of(tape, index, index.dtype).reshape(-1)[0]))
    tape.emit("lookup", dtype, count, first, rows, rows_of_it, at)
    return Value(tape, np.arange(first, first + count).reshape(shape), dtype)


def _dot(tape: Tape, a: Any, b: Any) -> Any:
    return np.multiply(a, b) if () in (np.shape(a), np.shape(b)) else product(tape, a, b)


def _cross(tape: Tape, a: Any, b: Any) -> Value:
    if np.shape(a) != (3,) or np.shape(b) != (3,):
        raise refused("np.cross is of two vectors of three numbers")
    a, b = _array(a), _array(b)
    parts = [a[i] * b[k] - a[k] * b[i] for i, k in ((1, 2), (2, 0), (0, 1))]
    return cast("Value", np.stack(parts))


def _diag(tape: Tape, v: Value, k: int = 0) -> Any:
    if v.ndim != 1:
        return _moved(tape, np.diag, (v, k), {})
    moved = np.diag(registers_of(tape, v, v.dtype) + 1, k)
    zero = tape.constants(np.zeros(1))
    return Value(tape, np.where(moved > 0, moved - 1, zero), v.dtype)


def _filled(number: float) -> Callable[..., Any]:
    def made(tape: Tape, a: Value, dtype: Any = None) -> Any:
        return np.full(a.shape, number, dtype or a.dtype)

    return made


_FUNCTIONS: Mapping[Any, Callable[..., Any]] = {
    np.where: _where,
    np.clip: _clip,
    np.sum: _sum,
    np.mean: _mean,
    np.min: _extreme("min"),
    np.amin: _extreme("min"),
    np.max: _extreme("max"),
    np.amax: _extreme("max"),
    np.all: _truth("all"),
    np.any: _truth("any"),
    np.argmax: _place_of("argmax"),
    np.argmin: _place_of("argmin"),
    np.linalg.norm: _norm,
    np.dot: _dot,
    np.cross: _cross,
    np.diag: _diag,
    np.zeros_like: _filled(0),
    np.ones_like: _filled(1),
    np.shape: lambda tape, a: a.shape,
    np.ndim: lambda tape, a: a.ndim,
    np.size: lambda tape, a: a.size,
}
