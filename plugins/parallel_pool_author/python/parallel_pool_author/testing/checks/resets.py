"""Checks that a reset leaves nothing behind, and autoreset in all its modes."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from parallel_pool_author.testing import deep
from parallel_pool_author.testing.env_under_test import EnvUnderTest, Row, first_difference, flatten
from parallel_pool_author.testing.findings import Finding, Inapplicable


def fresh_start(tested: EnvUnderTest) -> str | None:
    """After a reset with a seed nothing is left of what was before it."""
    if "history" in tested.spec.tags:
        raise Inapplicable("tagged as one with a history")
    table = tested.actions(2)
    with tested.pool(num_envs=2, seed=0) as pool:
        fresh = table.play(pool, 40, seed=[21, 22])
        for step in range(table.steps):
            pool.step(table.at(step))
        used = table.play(pool, 40, seed=[21, 22])
    words = "an environment that has played before differs from a fresh one with the same seed"
    advice = (
        "reset() has to set every member that step() reads, also what is seldom changed. A random generator of "
        "your own (std::mt19937) goes on as well: take numbers from the pp::Rng that reset and step are "
        "given, or seed yours in `void seed(uint64_t)`"
    )
    if difference := first_difference(fresh, used):
        raise Finding(f"{words}: {difference}. {advice}")
    deep.compare(tested, words, advice, times=2)
    return None


ENVS = 5
"""Environments that are reset by themselves."""
LIMIT = 25
"""Steps of their episodes."""


def autoreset(tested: EnvUnderTest) -> str | None:
    """NEXT_STEP, SAME_STEP and DISABLED show the same episodes."""
    tested.expect_resets()
    envs = list(range(ENVS))
    usual = _episodes(tested, "NextStep", envs)
    ends = sum(
        bool(row.get("truncated")) or bool(row.get("terminated")) for each in usual for row in each
    )
    for mode in ("SameStep", "Disabled"):
        for env, (mine, theirs) in enumerate(
            zip(usual, _episodes(tested, mode, envs), strict=True)
        ):
            if difference := _parted(mine, theirs):
                raise Finding(
                    f"environment {env} plays differently with autoreset {mode} than with NextStep: "
                    f"{difference}. {_cause(tested, mode, env)}"
                )
    return f"{ends} ends of episodes"


def _parted(mine: list[Row], theirs: list[Row]) -> str | None:
    common = min(len(mine), len(theirs))
    return first_difference(mine[:common], theirs[:common])


def _cause(tested: EnvUnderTest, mode: str, env: int) -> str:
    """Modes differ in what is stepped while others are reset: alone, an environment has no others."""
    usual, other = (_episodes(tested, each, [env])[0] for each in ("NextStep", mode))
    if _parted(usual, other):
        return (
            "A reset may not depend on whether the last action was ignored, nor on how the step before it "
            "ended"
        )
    return (
        "Alone in its pool it does not, so it depends on its neighbours. In a batch kernel, state belongs to "
        "lane rows.first() + i, not to row i, and only rows that are selected draw random numbers; elsewhere "
        "it may be a generator that all share, such as std::rand"
    )


def _episodes(tested: EnvUnderTest, mode: str, roles: list[int]) -> list[list[Row]]:
    """Per environment the rows of all episodes, each beginning with its reset. Environment i of the pool has
    the seed and the actions of roles[i].

    Environments are reset once by hand, each at another step, lest all episodes end together.
    """
    envs, table = len(roles), tested.actions(ENVS)
    acted = np.array(roles)
    by_hand = 4 + 3 * acted
    records: list[list[Row]] = [[] for _ in roles]
    number = np.zeros(envs, int)  # counts the actions of each environment
    with tested.pool(
        num_envs=envs, seed=list(2 + acted), max_episode_steps=LIMIT, autoreset_mode=mode
    ) as pool:

        def put(flat: Row, env: int, row: int) -> None:
            taken = ("obs", "reward", "terminated", "truncated")
            records[env].append(
                {path: rows[row] for path, rows in flat.items() if path.split("/")[0] in taken}
            )

        def begin(ids: npt.NDArray[Any]) -> None:
            if len(ids) > 0:
                begun = flatten(pool.reset(ids))
                for row, env in enumerate(ids.tolist()):
                    put({p: rows for p, rows in begun.items() if p.startswith("obs")}, env, row)

        begin(np.arange(envs))
        over = np.zeros(envs, bool)
        while (number < table.steps).all():
            result = pool.step(table.rows(number, acted))
            flat = flatten(result)
            first = {path: rows for path, rows in flat.items() if path.startswith("obs")}
            ended = result[2] | result[3]
            if mode == "NextStep":
                for env in range(envs):
                    put(first if over[env] else flat, env, env)
                number += ~over
                begin(np.flatnonzero((number == by_hand) & ~over & ~ended))
                over = ended
                continue
            number += 1
            if mode == "SameStep":
                last = flatten(result[4]["final_obs_dense"], "obs")
                for env in range(envs):
                    if ended[env]:
                        put({**flat, **last}, env, env)
                        put(first, env, env)
                    else:
                        put(flat, env, env)
                begin(np.flatnonzero((number == by_hand) & ~ended))
                continue
            for env in range(envs):
                put(flat, env, env)
            begin(np.flatnonzero((number == by_hand) | ended))
    return records
