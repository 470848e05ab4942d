"""Episodes end, and it is the host that begins the next one."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from parallel_pool_author.testing.env_under_test import EnvUnderTest, Row, flatten
from parallel_pool_author.testing.findings import Finding, Inapplicable

ENVS = 8
FAR = 3000
"""Steps within which some episode that has no limit should have ended, ..."""
SECONDS = 1.0
"""... or as many as can be in this time, if those are more. Slower environments are not waited for."""
ENOUGH = 3
"""Ends that look like beginnings are no chance any more."""


def endings(tested: EnvUnderTest) -> str | None:
    """Some episode ends, or there is a limit; and an episode's last observation is not the next one's first."""
    tested.expect_resets()
    table = tested.actions(ENVS)
    ends: dict[int, int] = {}
    last: dict[int, Row] = {}
    before: dict[int, Row] = {}
    shown: dict[int, Row] = {}
    limit = _limit(tested)
    with tested.pool(num_envs=ENVS, seed=10, autoreset_mode="Disabled") as pool:
        shown = _observed(pool.reset())
        start, step = time.monotonic(), 0  # the first reset may take long, and steps need not
        while (
            len(ends) < ENVS
            and time.monotonic() - start < SECONDS
            and (step < limit if limit is not None else not ends or step < FAR)
        ):
            result = pool.step(table.at(step))
            now = _observed(result)
            # An episode that the host's limit cuts short in this step does not end by itself.
            own = result[2] if limit is not None and step + 1 == limit else result[2] | result[3]
            for env in np.flatnonzero(own).tolist():
                if env not in ends:
                    ends[env], before[env], last[env] = step, shown[env], now[env]
            if (over := np.flatnonzero(result[2] | result[3])).size:
                pool.reset(over)  # later episodes are not looked at
            shown = now
            step += 1
    if not ends and limit is None and "rare_ends" not in tested.spec.tags:
        if step < FAR:
            raise Inapplicable(
                f"no episode ended within {step} steps, which is as far as time allows"
            )
        raise Finding(
            f"no episode has ended within {step} steps of {ENVS} environments, and there is no limit: "
            "users who count or record episodes would wait for ever. Return `terminated` or `truncated`, or "
            "give max_episode_steps in the C++ type; if random play comes to no end, or there is none on "
            "purpose, say so: EnvSpec(..., tags=('rare_ends',))"
        )
    differing = [env for env in ends if not _same(before[env], last[env])]
    if len(differing) >= ENOUGH:
        begun = _begun_instead(tested, table, ends)
        if all(_same(begun[env], last[env]) for env in ends) and not _alike(
            tested, table, ends, before
        ):
            raise Finding(
                "the last observation of an episode is the first one of the next, in all of "
                f"{len(ends)} episodes: the environment resets itself in step. Leave that to the host: when an "
                "episode ends, write what is observed at its end, and return that it ended; reset() is called "
                "before the next step"
            )
    return f"{len(ends)} of {ENVS} first episodes ended by themselves within {step} steps"


def _alike(tested: EnvUnderTest, table: Any, ends: dict[int, int], before: dict[int, Row]) -> bool:
    """Returns True if a reset shows what a step shows that ends nothing, as where both throw the same dice.
    It cannot be told where all episodes end with their first step.
    """
    last_but_one = {env: end - 1 for env, end in ends.items() if end > 0}
    if not last_but_one:
        return True
    begun = _begun_instead(tested, table, last_but_one)
    return all(_same(begun[env], before[env]) for env in last_but_one)


def _limit(tested: EnvUnderTest) -> int | None:
    """Steps after which the host ends an episode, if it does."""
    with tested.pool(num_envs=1) as pool:
        limit: int | None = pool.config["max_episode_steps"]
    return limit or None


def _observed(result: Any) -> dict[int, Row]:
    """Returns the observation of each environment."""
    flat = {path: rows for path, rows in flatten(result).items() if path.startswith("obs")}
    return {env: {path: np.array(rows[env]) for path, rows in flat.items()} for env in range(ENVS)}


def _begun_instead(tested: EnvUnderTest, table: Any, ends: dict[int, int]) -> dict[int, Row]:
    """Returns what each environment shows if it is reset at the step with which its first episode ended."""
    begun: dict[int, Row] = {}
    with tested.pool(num_envs=ENVS, seed=10, autoreset_mode="Disabled") as pool:
        pool.reset()
        for step in range(max(ends.values()) + 1):
            now = np.array([env for env, end in ends.items() if end == step], np.int64)
            if now.size:
                flat = flatten(pool.reset(now))
                for row, env in enumerate(now.tolist()):
                    begun[env] = {
                        path: np.array(rows[row])
                        for path, rows in flat.items()
                        if path.startswith("obs")
                    }
            result = pool.step(table.at(step))
            if (over := np.flatnonzero(result[2] | result[3])).size:
                pool.reset(over)
    return begun


def _same(one: Row, other: Row) -> bool:
    return all(np.array_equal(one[path], other[path]) for path in one)
