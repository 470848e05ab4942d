"""numpy's ufuncs on values: an operation of the machine has the ufunc's name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np

from parallel_pool_tasks.errors import refused
from parallel_pool_tasks.program.numpy_loops import is_there
from parallel_pool_tasks.program.ops import loops, ops
from parallel_pool_tasks.program.tape import KINDS, Tape
from parallel_pool_tasks.trace.value import Value

_OF_BOOLS = {
    "add": "logical_or",
    "multiply": "logical_and",
    "bitwise_or": "logical_or",
    "bitwise_and": "logical_and",
    "bitwise_xor": "logical_xor",
    "invert": "logical_not",
    "maximum": "logical_or",
    "minimum": "logical_and",
    "absolute": "positive",
}
"""numpy's functions of these names do this to bools."""

_WHOLE = frozenset({"floor", "ceil", "rint", "trunc"})
_REDUCED: Mapping[Any, Any] = {
    np.add: np.sum,
    np.maximum: np.max,
    np.minimum: np.min,
    np.logical_and: np.all,
    np.logical_or: np.any,
}
_MOST_WHOLE = 2.0**53


def dtype_or_weak(each: Any) -> Any:
    """Returns the type by which numpy promotes what is given: Python's numbers are weak."""
    if isinstance(each, (bool, np.generic, np.ndarray, Value)):
        return np.dtype(bool) if isinstance(each, bool) else each.dtype
    if isinstance(each, (int, float)):
        return type(each)
    return np.asarray(each).dtype


def registers_of(
    tape: Tape, each: Any, dtype: np.dtype[Any], *, inside: bool = False
) -> np.ndarray[Any, Any]:
    """The registers of a value, or of constants as numbers of that dtype.

    inside: the value may be of a block that has ended.
    """
    if isinstance(each, Value):
        _expect_here(tape, each, inside)
        return each.registers
    numbers = np.asarray(each)
    if numbers.dtype == object:
        raise refused(f"{each!r} is here among values, expected numbers", tape.outside)
    numbers = numbers.astype(dtype)
    if (
        dtype.kind == "i"
        and numbers.size
        and np.abs(numbers.astype(np.float64)).max() > _MOST_WHOLE
    ):
        raise refused("an integer is beyond 2 ** 53, the largest in a task", tape.outside)
    first = tape.constants(numbers)
    registers = np.empty_like(numbers, np.int64)  # they lie in memory as the numbers do
    registers[...] = np.arange(first, first + numbers.size).reshape(numbers.shape)
    return registers


def _expect_here(tape: Tape, value: Value, inside: bool) -> None:
    if value.tape is not tape or value.part != tape.part:
        raise refused(
            f"a value that was made in {value.part} is used in {tape.part}: what is kept from one call to "
            "the next is an attribute of ep",
            tape.outside,
        )
    if not inside and value.blocks != tuple(tape.blocks[: len(value.blocks)]):
        raise refused(
            "a value that was made in a block of when, until or substeps is used outside of it: a loop returns "
            "values, and ep keeps them",
            tape.outside,
        )


def apply(tape: Tape, ufunc: np.ufunc, inputs: Sequence[Any]) -> Value:
    """Records the call of a ufunc of one result. Raises TaskError."""
    for each in inputs:
        if not isinstance(each, (bool, int, float, list, tuple, np.generic, np.ndarray, Value)):
            raise refused(f"np.{ufunc.__name__} of a {type(each).__name__}, expected numbers")
    if ufunc.nout != 1:
        raise refused(f"np.{ufunc.__name__}, which has several results, is not in the language")
    given = tuple(dtype_or_weak(each) for each in inputs)
    try:
        *taken, made = ufunc.resolve_dtypes((*given, None))
    except TypeError as error:
        raise refused(f"numpy has no such operation: {error}") from None
    name = _operation(ufunc, taken)
    if name in loops():
        _expect_forwards(name, inputs)
    return emit(tape, name, made, inputs, taken)


def _expect_forwards(name: str, inputs: Sequence[Any]) -> None:
    """Raises TaskError for operands that numpy reads backwards, without vectors, and so rounds otherwise."""
    for each in inputs:
        array = each.registers if isinstance(each, Value) else np.asarray(each)
        if any(stride < 0 for stride in array.strides):
            raise refused(
                f"numpy computes np.{name} of what is turned round in another way: x.copy() first"
            )


def _operation(ufunc: np.ufunc, taken: Sequence[np.dtype[Any]]) -> str:
    """The machine's operation for a ufunc that computes with these dtypes. Raises TaskError."""
    name = ufunc.__name__
    if all(each == np.dtype(bool) for each in taken):
        name = _OF_BOOLS.get(name, name)
    elif name in _WHOLE and all(each.kind == "i" for each in taken):
        name = "positive"
    unknown = [each for each in taken if each.name not in KINDS]
    if unknown:
        raise refused(
            f"np.{ufunc.__name__} computes in {unknown[0]} here, expected one of {', '.join(KINDS)}: "
            "x.astype(np.float64)"
        )
    if ops().get(name) not in ("nDA", "nDAB") or (
        taken[0].kind == "i" and (name in loops() or name == "reciprocal")
    ):
        raise refused(
            f"np.{ufunc.__name__} of {taken[0]} is not in the language of tasks: run the task in Python "
            "(parallel_pool_tasks.reference), or write it in C++"
        )
    if name in loops():
        expect_loop(name, taken[0])
    return name


def expect_loop(name: str, dtype: np.dtype[Any]) -> None:
    """Raises TaskError where the machine cannot call numpy's own function."""
    if not is_there(name, dtype):
        raise refused(
            f"the installed numpy {np.__version__} does not show how it computes np.{name} of {dtype}, so C++ "
            "would not compute the same: run the task in Python"
        )


def emit(
    tape: Tape,
    name: str,
    made: np.dtype[Any],
    inputs: Sequence[Any],
    taken: Sequence[np.dtype[Any]],
) -> Value:
    """Records an operation on each element of operands that are broadcast against each other."""
    registers = [registers_of(tape, each, dtype) for each, dtype in zip(inputs, taken, strict=True)]
    try:
        shape = np.broadcast_shapes(*(each.shape for each in registers))
    except ValueError as error:
        raise refused(str(error)) from None
    if 0 in shape:
        raise refused("an array without elements is made here")
    # Results lie in memory as numpy's would, for sums over several axes depend on that.
    flags: Any = [*(["readonly"] for _ in registers), ["writeonly", "allocate"]]
    result = np.nditer([*registers, None], op_flags=flags).operands[-1]
    axes = axes_in_memory(result)
    operands = [
        tape.operand(np.broadcast_to(each, shape).transpose(axes).ravel()) for each in registers
    ]
    first = tape.fresh(result.size)
    tape.emit(name, made, result.size, first, *operands)
    in_memory = result.transpose(axes)
    in_memory[...] = np.arange(first, first + result.size).reshape(in_memory.shape)
    return Value(tape, result, made)


def axes_in_memory(array: np.ndarray[Any, Any]) -> list[int]:
    """The axes, that with the longest strides first."""
    return sorted(range(array.ndim), key=lambda axis: -array.strides[axis])


def reduced(ufunc: np.ufunc, value: Any, axis: Any = 0, **keywords: Any) -> Value:
    """`ufunc.reduce(value)`, which is another name of np.sum and so on."""
    if ufunc not in _REDUCED or keywords:
        raise refused(f"np.{ufunc.__name__}.reduce is not in the language of tasks")
    return cast("Value", _REDUCED[ufunc](value, axis=axis))


def power(base: Value, exponent: Any) -> Value:
    """`base ** exponent`, as the operator: an array's square is a multiplication, a scalar's is C's pow."""
    if not isinstance(exponent, (int, float)) or isinstance(exponent, bool):
        raise refused("`**` with anything but a number as exponent: np.power(x, y)")
    if base.dtype != np.float64 and not (base.shape and base.dtype == np.float32):
        raise refused(f"a power of one {base.dtype} is not in the language: x * x, or np.square(x)")
    if not base.shape:
        dtype = np.dtype(np.float64)
        return emit(base.tape, "scalar_power", dtype, (base, float(exponent)), (dtype, dtype))
    short: Any = {2: np.square, 0.5: np.sqrt, -1: np.reciprocal, 1: np.positive}.get(exponent)
    return cast("Value", np.power(base, exponent) if short is None else short(base))
