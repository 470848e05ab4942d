"""Blocks of a program: instructions that run if a value is true, or again and again.

A value that is made in a block has a number only if the block runs, so it is for that block alone.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from parallel_pool_tasks.errors import refused
from parallel_pool_tasks.program.tape import Operand, Tape
from parallel_pool_tasks.trace.ufuncs import registers_of
from parallel_pool_tasks.trace.value import Value

_FLOAT64 = np.dtype(np.float64)
_here = threading.local()
MOST_ROUNDS = 1_000_000
"""The most rounds of loops within each other (src/reader.hpp)."""


def recording() -> Tape | None:
    """The tape that this thread records a task on; None while a task runs in Python."""
    return getattr(_here, "tape", None)


@contextmanager
def recorded_on(tape: Tape) -> Iterator[None]:
    """While the author's methods are traced."""
    before, _here.tape = recording(), tape
    try:
        yield
    finally:
        _here.tape = before


def when(condition: Value, body: Callable[[], Any]) -> Any:
    """Records a body that runs if the condition is true."""
    tape = condition.tape
    with _block(tape, "when", _truth(tape, condition)):
        given = body()
    tape.emit("end_when", _FLOAT64)
    return given


def until(tape: Tape, draw: Callable[[], Any], accept: Callable[[Any], Any], limit: int) -> Any:
    """Records a loop that ends where `accept` is true."""
    with _loop(tape, "until", limit):
        drawn = draw()
        accepted = _truth(tape, accept(drawn))
    tape.emit("end_until", _FLOAT64, accepted)
    return _of_outside(tape, drawn)


def repeat(tape: Tape, count: int, body: Callable[[], Any]) -> Any:
    """Records a loop of `count` rounds."""
    with _loop(tape, "repeat", count):
        given = body()
    tape.emit("end_repeat", _FLOAT64)
    return _of_outside(tape, given)


@contextmanager
def _block(tape: Tape, op: str, *operands: Any) -> Iterator[None]:
    tape.emit(op, _FLOAT64, *operands)
    tape.begin_block()
    try:
        yield
    finally:
        tape.end_block()


@contextmanager
def _loop(tape: Tape, op: str, rounds: int) -> Iterator[None]:
    before, tape.rounds = tape.rounds, tape.rounds * rounds
    if tape.rounds > MOST_ROUNDS:
        raise refused(
            f"loops within each other take {tape.rounds:,} rounds, expected at most {MOST_ROUNDS:,}"
        )
    with _block(tape, op, rounds):
        yield
    tape.rounds = before


def _truth(tape: Tape, value: Any) -> Operand:
    registers = registers_of(tape, value, np.dtype(bool))
    if registers.size != 1:
        raise refused(f"a condition has the shape {registers.shape}, expected one bool: np.all(x)")
    return Operand(int(registers.reshape(-1)[0]))


def _of_outside(tape: Tape, given: Any) -> Any:
    """Returns what a loop made in its last round, for what comes behind it."""
    if isinstance(given, (tuple, list)):
        return type(given)(_of_outside(tape, each) for each in given)
    if not isinstance(given, Value):
        return given
    return Value(tape, registers_of(tape, given, given.dtype, inside=True), given.dtype)
