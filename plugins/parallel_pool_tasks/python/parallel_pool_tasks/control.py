"""Does with values what `if`, loops and brackets do with numbers, in both ways to run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from parallel_pool_tasks.errors import refused
from parallel_pool_tasks.trace import blocks
from parallel_pool_tasks.trace.functions import looked_up
from parallel_pool_tasks.trace.value import Value

T = TypeVar("T")
MOST_ROUNDS = 10_000
"""The most rounds of one loop (src/reader.hpp)."""


def lookup(table: Any, index: Any) -> Any:
    """`table[index]`: a row of an array of constants or values, by one whole number that may be a value.

    An index out of bounds is an error of the environment.
    """
    if not isinstance(table, Value):
        table = np.asarray(table)
    return looked_up(table, index) if isinstance(index, Value) else table[index]


def when(condition: Any) -> Callable[[Callable[[], Any]], None]:
    """Runs the function below it if the condition, one bool, is true:

        @when(ep.time >= ep.next_push)
        def _():
            sim.qvel[0:2] = sim.qvel[0:2] + rng.uniform(-0.5, 0.5, 2)
            ep.next_push = ep.time + 2.0

    It writes, draws and calls the engine; values that it makes stay in it, but for what it gives to `ep`.
    """

    def run(body: Callable[[], Any]) -> None:
        traced = isinstance(condition, Value)
        given: Any = None
        if traced or condition:
            given = blocks.when(condition, body) if traced else body()
        if given is not None:
            raise refused("a block of `when` returns something, which may not have run: np.where")

    return run


def until(draw: Callable[[], T], accept: Callable[[T], Any], *, limit: int = 1000) -> T:
    """Draws again and again until `accept` of what was drawn is true, and returns that.

    draw returns an array, or a tuple of arrays, and may write and call the engine. An environment that accepts
    none of `limit` draws fails.
    """
    limit = _rounds(limit)
    if (tape := blocks.recording()) is not None:
        found: T = blocks.until(tape, draw, accept, limit)
        return found
    for _ in range(limit):
        drawn = draw()
        if accept(drawn):
            return drawn
    raise refused(f"until: nothing was accepted in {limit} tries")


def substeps(count: int, body: Callable[[], T]) -> T:
    """Runs the body `count` times, and returns what the last one returns: an array, a tuple of arrays or None.

    What one round hands to the next is an attribute of `ep`. Python's own `for` does the same, with a
    program as long as all rounds.
    """
    count = _rounds(count)
    if (tape := blocks.recording()) is not None:
        last: T = blocks.repeat(tape, count, body)
        return last
    for _ in range(count - 1):
        body()
    return body()


def _rounds(count: Any) -> int:
    if isinstance(count, Value) or int(count) != count or not 1 <= count <= MOST_ROUNDS:
        raise refused(f"a loop has {count!r} rounds, expected a whole number, 1 .. {MOST_ROUNDS:,}")
    return int(count)
