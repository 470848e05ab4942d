"""Environments that are gone leave nothing behind."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from parallel_pool import native_checks

from parallel_pool_author.testing import deep
from parallel_pool_author.testing.env_under_test import EnvUnderTest
from parallel_pool_author.testing.findings import Finding, Inapplicable

Live = Callable[[int], None]
"""Builds, plays and destroys environments; the argument says how many times."""
LANES, STEPS = 3, 48
"""Environments that are reset before they are destroyed, and their steps: every few of these reset one."""
TIMES = 1000
SECONDS = 20.0
"""A heavy environment is built fewer times than TIMES: as often as it can be in this time."""


def _held() -> dict[str, int]:
    """Counts what this process has beside memory; returns nothing where the system does not say."""
    own = {"open files": Path("/proc/self/fd"), "threads": Path("/proc/self/task")}
    return {
        what: sum(1 for _ in folder.iterdir()) for what, folder in own.items() if folder.exists()
    }


def _let_go(before: dict[str, int], many: int) -> None:
    # Fewer may belong to another library, one that opens its log once.
    for what, count in _held().items():
        if count - before[what] >= many:
            raise Finding(
                f"environments that are built and destroyed leave {what} behind, {count - before[what]} "
                "so far: the destructor has to let go of what the constructor, reset or step takes"
            )


def _as_often_as_can_be(live: Live, least: int, most: int, seconds: float) -> int:
    """Returns how many times it can be done in `seconds`. Does it `least` times first, and caches fill."""
    start = time.monotonic()
    live(least)
    each = (time.monotonic() - start) / least
    return int(min(most, max(least, seconds / max(each, 1e-9))))


def _growth(live: Live, times: int, harmless: float) -> float:
    """The bytes that each time leaves behind. More than is harmless has to be seen twice: what leaks goes on
    doing so, and a table that grew once does not.
    """
    grown = 0.0
    for _ in range(2):
        before = native_checks.allocated_bytes()
        live(times)
        grown = (native_checks.allocated_bytes() - before) / times
        if grown < harmless:
            break
    return grown


def lifetime(tested: EnvUnderTest) -> str | None:
    """Building, stepping and destroying, 1,000 times, does not grow the process."""
    lanes = 2
    actions = tested.actions(lanes, 1).arrays(tested.config)
    native = tested.native

    def live(times: int) -> None:
        if findings := native_checks.check_lifetime(*native, lanes, actions, times):
            raise Finding("; ".join(findings))

    if native_checks.allocated_bytes() <= 0:  # 0 with that of a sanitizer
        raise Inapplicable("the malloc of this process does not count its bytes")
    times = _as_often_as_can_be(live, 20, TIMES, SECONDS)
    held = _held()
    live(20)
    _let_go(held, 20)  # before there are more files than a process may have
    live(times // 4)
    held = _held()
    grown = _growth(live, times, 8)
    _let_go(held, times // 10)
    # Less than a word each time is not a leak: it is a log, or a table that grew.
    if grown >= 8:
        raise Finding(
            f"each environment that is built and destroyed leaves {grown / lanes:,.0f} bytes behind: "
            "something that the constructor, reset or step allocates is not freed by the destructor"
        )
    episodes(tested)
    long_episodes(tested)
    return f"{times} times"


def episodes(tested: EnvUnderTest) -> None:
    """Environments that are also reset, again and again, before they are destroyed."""
    arrays = tested.actions(LANES, STEPS).arrays(tested.config)
    native = tested.native

    def live(times: int) -> None:
        for _ in range(times):
            native_checks.check_rows(*native, LANES, arrays)

    times = _as_often_as_can_be(live, 5, TIMES // 10, SECONDS / 4)
    live(times // 4)
    grown = _growth(live, times, 8 * LANES)
    if grown >= 8 * LANES:
        raise Finding(
            f"environments that play several episodes leave {grown / LANES:,.0f} bytes each behind: what a "
            "reset or a step allocates has to be freed by the next one, not by the destructor alone"
        )


def long_episodes(tested: EnvUnderTest) -> None:
    """Deep play leaves nothing behind either."""

    def live(times: int) -> None:
        for _ in range(times):
            deep.parts(tested, memory=-1)

    live(2)
    steps = deep.steps(tested)
    if (grown := _growth(live, 2, 8 * steps)) >= 8 * steps:
        raise Finding(
            f"environments that play for {steps:,} steps leave {grown / deep.ROLES:,.0f} bytes each behind: "
            "what late steps of an episode allocate has to be freed by the destructor, or by the next reset"
        )
