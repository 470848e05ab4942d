"""A number or an array of the simulation while a task is traced: known by its registers, not by its numbers.

An array's registers are an array of the same shape, so whatever moves numbers without computing (slices,
reshapes, stacks) is done to the registers, by numpy itself, and costs no instruction. dtypes of results are
what numpy says, too (NEP 50).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NoReturn, cast

import numpy as np

from parallel_pool_tasks.errors import TaskError, author_line, refused
from parallel_pool_tasks.program.tape import KINDS, Tape


class Value(np.lib.mixins.NDArrayOperatorsMixin):
    """Stands for a numpy array or scalar in the methods of a task."""

    def __init__(self, tape: Tape, registers: Any, dtype: Any) -> None:
        self.tape = tape
        self.part = tape.part
        self.blocks = tuple(tape.blocks)
        self.registers: np.ndarray[Any, Any] = np.asarray(registers, np.int64)
        self.dtype: np.dtype[Any] = np.dtype(dtype)
        if self.dtype.name not in KINDS:
            raise refused(
                f"a value of dtype {self.dtype} is made here, expected one of {', '.join(KINDS)}: "
                "x.astype(np.float64)"
            )

    # ---- what an array knows of itself ------------------------------------------------------------

    @property
    def shape(self) -> tuple[int, ...]:
        """The lengths of the axes."""
        return tuple(self.registers.shape)

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return self.registers.ndim

    @property
    def size(self) -> int:
        """The number of elements."""
        return self.registers.size

    @property
    def T(self) -> Value:
        """The value with its axes in reverse order."""
        return self.of(self.registers.T)

    def __len__(self) -> int:
        if not self.shape:
            raise refused("a number has no length")
        return len(self.registers)

    def __iter__(self) -> Iterator[Value]:
        return (self[i] for i in range(len(self)))

    def of(self, registers: Any, dtype: Any = None) -> Value:
        """Other registers of the same tape, and of the same part."""
        made = Value(self.tape, registers, self.dtype if dtype is None else dtype)
        made.part, made.blocks = self.part, self.blocks
        return made

    # ---- parts and other shapes -------------------------------------------------------------------

    def __getitem__(self, key: Any) -> Value:
        if isinstance(key, Value):
            return cast("Value", self.tape.language.looked_up(self, key))
        if isinstance(key, tuple) and any(isinstance(each, Value) for each in key):
            raise refused(
                "an index is a value of the simulation, which is known only when the program runs: "
                "np.where(mask, a, b) chooses between values"
            )
        return self.of(self.registers[key])

    def __setitem__(self, key: Any, value: Any) -> NoReturn:
        raise refused(
            "a value cannot be changed in place: make a new one, such as "
            "np.concatenate([x[:2], [y], x[3:]]) or np.where(mask, y, x)"
        )

    def reshape(self, *shape: Any) -> Value:
        """Returns the elements in another shape."""
        return self.of(self.registers.reshape(*shape))

    def transpose(self, *axes: Any) -> Value:
        """Returns the value with its axes in this order, by default reversed."""
        return self.of(self.registers.transpose(*axes))

    def ravel(self) -> Value:
        """Returns the elements in one axis."""
        return self.of(self.registers.ravel())

    flatten = ravel

    def copy(self) -> Value:
        """Returns an equal value: values do not change."""
        return self.of(self.registers.copy())

    def astype(self, dtype: Any) -> Value:
        """Returns the value in this dtype."""
        return cast("Value", self.tape.language.converted(self, np.dtype(dtype)))

    # ---- numpy's protocols ------------------------------------------------------------------------

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **keywords: Any) -> Any:
        if ufunc is np.matmul and method == "__call__" and not keywords:
            return self.tape.language.product(self.tape, *inputs)
        if method == "reduce" and len(inputs) == 1:
            return self.tape.language.reduced(ufunc, inputs[0], **keywords)
        if "out" in keywords:
            raise refused(f"np.{ufunc.__name__} in place: x = x + y instead of x += y, and no out=")
        if method != "__call__" or keywords:
            what = f"np.{ufunc.__name__}" + (f".{method}" if method != "__call__" else "")
            with_these = f" with {', '.join(keywords)}" if keywords else ""
            raise refused(f"{what}{with_these} is not in the language of tasks")
        return self.tape.language.apply(self.tape, ufunc, inputs)

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        return self.tape.language.call(self.tape, function, args, kwargs)

    def __pow__(self, exponent: Any) -> Value:
        return cast("Value", self.tape.language.power(self, exponent))

    def __rpow__(self, base: Any) -> NoReturn:
        raise refused("a power with a value as exponent is not in the language of tasks")

    def sum(self, axis: Any = None) -> Value:
        """Returns the sum along an axis, or of all elements."""
        return cast("Value", np.sum(self, axis))

    def mean(self, axis: Any = None) -> Value:
        """Returns the mean along an axis, or of all elements."""
        return cast("Value", np.mean(self, axis))

    def min(self, axis: Any = None) -> Value:
        """Returns the least element along an axis, or of all."""
        return cast("Value", np.min(self, axis))

    def max(self, axis: Any = None) -> Value:
        """Returns the largest element along an axis, or of all."""
        return cast("Value", np.max(self, axis))

    def any(self, axis: Any = None) -> Value:
        """Returns True where an element along an axis, or any at all, is not 0."""
        return cast("Value", np.any(self, axis))

    def all(self, axis: Any = None) -> Value:
        """Returns True where all elements along an axis, or all at all, are not 0."""
        return cast("Value", np.all(self, axis))

    def dot(self, other: Any) -> Value:
        """Returns the product with another vector or matrix."""
        return cast("Value", np.dot(self, other))

    def argmax(self, axis: Any = None) -> Value:
        """Returns the place of the largest element along an axis, or of all."""
        return cast("Value", np.argmax(self, axis))

    def argmin(self, axis: Any = None) -> Value:
        """Returns the place of the least element along an axis, or of all."""
        return cast("Value", np.argmin(self, axis))

    def clip(self, low: Any = None, high: Any = None) -> Value:
        """Returns the elements within these bounds."""
        return cast("Value", np.clip(self, low, high))

    # ---- what only a number could do ----------------------------------------------------------------

    __hash__ = None  # type: ignore[assignment]

    def __bool__(self) -> NoReturn:
        raise refused(
            "this asks whether a value of the simulation is true, which is known only when the program "
            f"runs: use {_instead_of_truth(author_line().text)}"
        )

    def __float__(self) -> NoReturn:
        raise self._no_number("float")

    def __int__(self) -> NoReturn:
        raise self._no_number("int")

    def __index__(self) -> NoReturn:
        raise self._no_number("int")

    def __array__(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise refused(
            "this makes an array of numbers of a value of the simulation, which has none before the "
            "program runs: np.stack([x, y]) makes one of values, and x.astype(np.float32) another dtype"
        )

    def _no_number(self, kind: str) -> TaskError:
        called = re.search(r"\bmath\.(\w+)", author_line().text)
        use = f"np.{called[1]} instead of math.{called[1]}" if called else "numpy's functions"
        return refused(
            f"this takes the {kind} of a value of the simulation, which is known only when the program "
            f"runs: use {use}"
        )


_TRUTHS = (
    (r"\bmax\(", "np.maximum(a, b) instead of max"),
    (r"\bmin\(", "np.minimum(a, b) instead of min"),
    (r"\band\b", "a & b instead of `a and b`"),
    (r"\bor\b", "a | b instead of `a or b`"),
    (r"<[^<]*<|>[^>]*>", "(a < x) & (x < b) instead of `a < x < b`"),
    (r"\bnot\b", "~a instead of `not a`"),
    (r"\bany\(", "np.any(x) instead of any"),
    (r"\ball\(", "np.all(x) instead of all"),
)


def _instead_of_truth(line: str) -> str:
    """The function to use in that line."""
    for pattern, use in _TRUTHS:
        if re.search(pattern, line):
            return use
    return "np.where(condition, a, b) instead of `if`"
