"""Environments that are gone leave nothing behind."""

from __future__ import annotations

import time

from parallel_pool.testing.findings import Finding, Inapplicable
from parallel_pool.testing.subject import Subject

TIMES = 1000
SECONDS = 20.0
"""A heavy environment is built fewer times than TIMES: as often as it can be in this time."""


def lifetime(subject: Subject) -> str | None:
    """Building, stepping and destroying, 1,000 times, does not grow the process."""
    from parallel_pool import _core

    recipe = subject.recipe
    lanes = 2
    actions = subject.actions(lanes, 1).arrays(recipe)

    def live(times: int) -> None:
        findings = _core._probe_lifetime(
            recipe.plugin, recipe.env.native_id, recipe.options, lanes, actions, times
        )
        if findings:
            raise Finding("; ".join(findings))

    if _core._allocated_bytes() < 0:
        raise Inapplicable("this system's malloc does not count its bytes")
    start = time.monotonic()
    live(20)  # caches fill, and it shows how long one takes
    each = (time.monotonic() - start) / 20
    times = int(min(TIMES, max(20, SECONDS / max(each, 1e-9))))
    live(times // 4)
    before = _core._allocated_bytes()
    live(times)
    grown = (_core._allocated_bytes() - before) / times
    # Less than a word each time is not a leak: it is somebody's log, or a table that grew.
    if grown >= 8:
        raise Finding(
            f"each environment that is built and destroyed leaves {grown / lanes:,.0f} bytes behind: "
            "something that the constructor, reset or step allocates is not freed by the destructor"
        )
    return f"{times} times"
