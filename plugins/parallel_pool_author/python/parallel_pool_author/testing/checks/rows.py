"""The plugin writes its own rows, all of them, and nothing else."""

from __future__ import annotations

import numpy as np
from parallel_pool import native_checks

from parallel_pool_author.testing import deep
from parallel_pool_author.testing.env_under_test import (
    Actions,
    EnvUnderTest,
    Row,
    first_difference,
    flatten,
)
from parallel_pool_author.testing.findings import Finding

LANES = 7
"""Enough for lanes in the middle of a shard, and odd. Of the even ones, which are not reset all the time, one
does its least and one its most."""
DEEP = 2000
"""Steps in which every other lane plays its episodes to their ends, ..."""
SECONDS = 1.0
"""... or as many as can be in this time."""
HELD = 16
"""Actions that are held on to, each by a lane."""


def rows(tested: EnvUnderTest) -> str | None:
    """One shard steps between guard bytes: parts of it, masked resets, every field of every row; with random
    actions, and far into episodes with lanes that do the same all the time.
    """
    config = tested.config
    native = config.env.native_id
    lanes = max(LANES, min(config.plugin.declaration(native)["preferred_lanes"], 64))
    late = None
    try:
        # Before any other: what the first environment of a process does has to be the usual.
        deep.usual(tested)
    except Finding as finding:
        late = finding
    _between_guards(tested, tested.actions(lanes), lanes)
    if late is not None:
        raise late
    table = tested.actions(2 * HELD, held=False)
    for number in range(HELD):
        table.hold_one(2 * number, number)
    steps = _between_guards(tested, table, 2 * HELD, calls=DEEP, seconds=SECONDS)
    return (
        f"{table.steps} calls of {lanes} lanes, {steps} of {2 * HELD}, "
        f"{deep.steps(tested)} of each of {deep.ROLES} alone"
    )


def _between_guards(
    tested: EnvUnderTest, table: Actions, lanes: int, calls: int = 0, seconds: float = 0.0
) -> int:
    arrays = table.arrays(tested.config)
    steps, findings = native_checks.check_rows(*tested.native, lanes, arrays, calls, seconds)
    if findings:
        raise Finding("; ".join(findings))
    return steps


def leftovers(tested: EnvUnderTest) -> str | None:
    """No row shows what lay in its memory before: batches are handed out again and again."""
    envs = 3
    table = tested.actions(envs)
    steps = min(table.steps, 60)

    def play(pattern: int) -> list[Row]:
        records = []
        with tested.pool(num_envs=envs, seed=9) as pool:
            flat = flatten(pool.reset())
            for step in range(steps):
                records.append({path: np.array(rows) for path, rows in flat.items()})
                _scribble(flat, pattern)
                flat = {}  # with the last reference the batch goes back to the pool
                flat = flatten(pool.step(table.at(step)))
        return records

    words = "a row shows what an earlier batch left in its memory"
    advice = (
        "Write every element of the observation and the info in every reset and step, also what has not "
        "changed, and keep what you want to read again in members of your own"
    )
    if difference := first_difference(play(0x11), play(0x77)):
        raise Finding(f"{words}: {difference}. {advice}")
    deep.compare(tested, words, advice, fill=0x77)
    return None


def _scribble(flat: Row, pattern: int) -> None:
    for rows in flat.values():
        if not rows.flags.writeable:
            continue
        if rows.dtype.kind == "b":
            rows[...] = pattern == 0x77
        else:
            rows[...] = np.frombuffer(bytes([pattern]) * rows.dtype.itemsize, rows.dtype)[0]
