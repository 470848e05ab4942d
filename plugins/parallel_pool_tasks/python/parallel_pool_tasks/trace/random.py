"""The generator while a task is traced: its methods, as numpy's Generator and RandomState have them."""

from __future__ import annotations

from typing import Any, NoReturn, cast

import numpy as np

from parallel_pool_tasks.errors import refused
from parallel_pool_tasks.program.tape import Tape
from parallel_pool_tasks.trace.ufuncs import emit, registers_of
from parallel_pool_tasks.trace.value import Value

_FLOAT64 = np.dtype(np.float64)


class TracedRandom:
    """Records draws, in the order in which the methods make them."""

    def __init__(self, tape: Tape, generator: str) -> None:
        self._tape, self._generator = tape, generator

    def random(self, size: Any = None) -> Value:
        """Numbers from 0 to 1."""
        return self._drawn("random", size)

    def standard_normal(self, size: Any = None) -> Value:
        """Normal numbers of mean 0 and deviation 1."""
        return self._drawn("standard_normal", size)

    def standard_exponential(self, size: Any = None) -> Value:
        """Exponential numbers of mean 1."""
        return self._drawn("standard_exponential", size)

    def exponential(self, scale: Any = 1.0, size: Any = None) -> Value:
        """Exponential numbers of that mean."""
        shape = self._shape(size, scale)
        return cast("Value", np.multiply(scale, self._drawn("standard_exponential", shape)))

    def uniform(self, low: Any = 0.0, high: Any = 1.0, size: Any = None) -> Value:
        """Numbers from low to high."""
        return self._between("uniform", low, high, size)

    def normal(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Value:
        """Normal numbers of that mean and deviation."""
        return self._between("normal", loc, scale, size)

    def integers(self, low: int, high: int | None = None, size: Any = None) -> Value:
        """Generator's whole numbers from low up to high, without high; from 0 up to low without high."""
        if self._generator != "Generator":
            raise refused("rng.integers is Generator's: rng.randint is RandomState's")
        return self._integers(low, high, size)

    def randint(self, low: int, high: int | None = None, size: Any = None) -> Value:
        """RandomState's whole numbers, as Generator's `integers`."""
        self._only_random_state("randint")
        return self._integers(low, high, size)

    def _integers(self, low: Any, high: Any, size: Any) -> Value:
        if high is None:
            low, high = 0, low
        if not all(isinstance(each, (int, np.integer)) for each in (low, high)) or low >= high:
            raise refused(
                f"whole numbers from {low!r} to {high!r}, expected ints that are known here"
            )
        int64 = np.dtype(np.int64)
        shape = self._shape(size)
        operands = [np.broadcast_to(np.int64(each), shape) for each in (low, high)]
        return emit(self._tape, "integers", int64, operands, (int64, int64))

    def rand(self, *shape: int) -> Value:
        """RandomState's name of `random`."""
        self._only_random_state("rand")
        return self._drawn("random", shape or None)

    def randn(self, *shape: int) -> Value:
        """RandomState's name of `standard_normal`."""
        self._only_random_state("randn")
        return self._drawn("standard_normal", shape or None)

    def random_sample(self, size: Any = None) -> Value:
        """RandomState's name of `random`."""
        self._only_random_state("random_sample")
        return self._drawn("random", size)

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("_"):
            raise AttributeError(name)
        raise refused(f"rng.{name} is not in the language of tasks yet")

    def _only_random_state(self, name: str) -> None:
        if self._generator != "RandomState":
            raise refused(
                f'rng.{name} is RandomState\'s: generator = "RandomState", or another name'
            )

    def _drawn(self, op: str, size: Any) -> Value:
        shape = self._shape(size)
        count = int(np.prod(shape, dtype=np.int64))
        if count < 1:
            raise refused(f"rng.{op} draws nothing")
        first = self._tape.fresh(count)
        self._tape.emit(op, _FLOAT64, count, first)
        return Value(self._tape, np.arange(first, first + count).reshape(shape), _FLOAT64)

    def _between(self, op: str, first: Any, second: Any, size: Any) -> Value:
        shape = self._shape(size, first, second)
        # In the order of the elements, row by row, as numpy draws them.
        operands = [
            Value(
                self._tape,
                np.broadcast_to(registers_of(self._tape, each, _FLOAT64), shape).copy(order="C"),
                _FLOAT64,
            )
            for each in (first, second)
        ]
        return emit(self._tape, op, _FLOAT64, operands, (_FLOAT64, _FLOAT64))

    def _shape(self, size: Any, *operands: Any) -> tuple[int, ...]:
        shapes = [np.shape(each) for each in operands]
        try:
            if size is not None:
                given = tuple(int(each) for each in np.atleast_1d(size))
                if np.broadcast_shapes(given, *shapes) != given:
                    raise ValueError(f"size {size} does not fit {shapes}")
                return given
            return np.broadcast_shapes(*shapes)
        except (ValueError, TypeError) as error:
            raise refused(str(error)) from None
