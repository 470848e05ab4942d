"""Keeps an episode's attributes while a task is traced: each has registers of its own."""

from __future__ import annotations

from typing import Any

import numpy as np

from parallel_pool_tasks.errors import refused
from parallel_pool_tasks.program.tape import Tape
from parallel_pool_tasks.trace.ufuncs import dtype_or_weak, registers_of
from parallel_pool_tasks.trace.value import Value


class TracedEpisode:
    """`ep.name = value` keeps a value until the next reset; `reset` says which names there are."""

    _tape: Tape
    _kept: dict[str, Value]

    def __init__(self, tape: Tape) -> None:
        object.__setattr__(self, "_tape", tape)
        object.__setattr__(self, "_kept", {})

    def tune(self, name: str, numbers: np.ndarray[Any, Any]) -> None:
        """The task has a tunable with these numbers. Before anything else is kept."""
        tape = self._tape
        first = tape.fresh_kept(numbers.size)
        tape.tunables = tape.kept
        places = np.arange(first, first + numbers.size).reshape(numbers.shape)
        tape.initial |= dict(zip(places.ravel().tolist(), numbers.ravel().tolist(), strict=True))
        self._kept[name] = Value(tape, places, numbers.dtype)

    def __setattr__(self, name: str, value: Any) -> None:
        tape = self._tape
        found = dtype_or_weak(value)
        dtype = np.dtype({float: np.float64, int: np.int64}.get(found, found))
        registers = registers_of(tape, value, dtype)
        kept = self._kept.get(name)
        if kept is None:
            if tape.part != "reset":
                raise refused(new_here(name))
            if tape.blocks:
                raise refused(f"ep.{name} begins in a block, which need not run: reset begins it")
            first = tape.fresh_kept(registers.size)
            places = np.arange(first, first + registers.size).reshape(registers.shape)
            kept = self._kept[name] = Value(tape, places, dtype)
        if (kept.dtype, kept.shape) != (dtype, registers.shape):
            raise refused(changed(name, kept, dtype, registers.shape))
        source = tape.operand(registers.reshape(-1))
        tape.emit("positive", dtype, registers.size, int(kept.registers.flat[0]), source)

    def __getattr__(self, name: str) -> Value:
        if name.startswith("_"):
            raise AttributeError(name)
        tape = self._tape
        kept = self._kept.get(name)
        if kept is None:
            raise refused(unknown(name))
        first = tape.fresh(kept.size)
        tape.emit(
            "positive", kept.dtype, kept.size, first, tape.operand(kept.registers.reshape(-1))
        )
        return Value(tape, np.arange(first, first + kept.size).reshape(kept.shape), kept.dtype)


# The texts of errors, for both ways to run a task.


def new_here(name: str) -> str:
    """Says that a step begins a name."""
    return f"ep.{name} is new here: reset begins it, such as with ep.{name} = 0.0"


def unknown(name: str) -> str:
    """Says that a name is read and was never set."""
    return f"there is no ep.{name}: reset begins it"


def changed(name: str, kept: Any, dtype: Any, shape: Any) -> str:
    """Says that a kept value gets another type."""
    return (
        f"ep.{name} is {kept.dtype} of shape {kept.shape}, and gets {dtype} of shape {shape}: "
        f"x.astype(np.{kept.dtype}) makes the dtypes equal"
    )
