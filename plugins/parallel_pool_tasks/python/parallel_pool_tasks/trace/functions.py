"""numpy's other functions on values."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any, cast

import numpy as np

from parallel_pool_tasks.errors import TaskError, refused
from parallel_pool_tasks.program.tape import Tape
from parallel_pool_tasks.trace.ufuncs import axes_in_memory, dtype_or_weak, emit, registers_of
from parallel_pool_tasks.trace.value import Value

_FLOAT64 = np.dtype(np.float64)
_BOOL = np.dtype(bool)
_SHORT = 4
"""The longest vector whose norm is that of the machine: a BLAS adds up longer ones in an order of its own."""

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
    """As numpy takes what it makes an array of: a number of Python is weak no longer."""
    return each if isinstance(each, Value) else np.asarray(each)


def _weak_sample(each: Any) -> Any:
    """What np.result_type promotes as the value."""
    found = dtype_or_weak(each)
    return found(0) if isinstance(found, type) else found


# ---- whole arrays ---------------------------------------------------------------------------------


def _whole(name: str, value: Any, axis: Any) -> Value:
    """The value, if all of it is to be folded. Raises TaskError."""
    if not isinstance(value, Value):
        raise refused(f"np.{name} of a list: np.{name}(np.stack([x, y]))")
    if axis not in (None, -1, 0) or (axis is not None and value.ndim != 1):
        raise refused(f"np.{name} along an axis of several is not in the language yet")
    return value


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
    return _folded(tape, "sum", value, dtype)


def _mean(tape: Tape, a: Any, axis: Any = None) -> Value:
    value = _whole("mean", a, axis)
    if value.dtype.kind != "f":
        value = converted(value, _FLOAT64)
    return cast("Value", np.divide(_sum(tape, value), value.size))


def _extreme(op: str) -> Callable[..., Value]:
    def folded(tape: Tape, a: Any, axis: Any = None) -> Value:
        value = _whole(op, a, axis)
        return _folded(
            tape, "any" if op == "max" and value.dtype == _BOOL else op, value, value.dtype
        )

    return folded


def _truth(op: str) -> Callable[..., Value]:
    def folded(tape: Tape, a: Any, axis: Any = None) -> Value:
        return _folded(tape, op, _whole(op, a, axis), _BOOL)

    return folded


def _norm(tape: Tape, x: Any) -> Value:
    value = _whole("linalg.norm", x, None)
    if value.dtype != _FLOAT64 or value.ndim != 1 or value.size > _SHORT:
        raise refused(
            f"np.linalg.norm of {value.dtype} {value.shape} is not in the language, only of up to {_SHORT} "
            "float64: np.sqrt(np.sum(np.square(x)))"
        )
    return _folded(tape, "norm", value, _FLOAT64)


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
    np.linalg.norm: _norm,
    np.cross: _cross,
    np.diag: _diag,
    np.zeros_like: _filled(0),
    np.ones_like: _filled(1),
    np.shape: lambda tape, a: a.shape,
    np.ndim: lambda tape, a: a.ndim,
    np.size: lambda tape, a: a.size,
}
