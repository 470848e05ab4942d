"""What a reset leaves behind, and autoreset in all its modes."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from parallel_pool.testing.env_under_test import EnvUnderTest, Row, first_difference, flatten
from parallel_pool.testing.findings import Finding


def fresh_start(tested: EnvUnderTest) -> str | None:
    """After a reset with a seed nothing is left of what was before it."""
    table = tested.actions(2)

    def play(pool: Any) -> list[Row]:
        results = [pool.reset(seed=[21, 22])]
        for step in range(min(40, table.steps)):
            results.append(pool.step(table.rows(np.full(2, step), np.arange(2))))
        return [flatten(result) for result in results]

    with tested.pool(num_envs=2, seed=0) as pool:
        fresh = play(pool)
        for step in range(table.steps):
            pool.step(table.rows(np.full(2, step), np.arange(2)))
        used = play(pool)
    if difference := first_difference(fresh, used):
        raise Finding(
            f"an environment that has played before differs from a fresh one with the same seed: "
            f"{difference}. reset() has to set every member that step() reads"
        )
    return None


def autoreset(tested: EnvUnderTest) -> str | None:
    """NEXT_STEP, SAME_STEP and DISABLED show the same episodes.

    Environments are reset once by hand, each at another step, lest all episodes end together.
    """
    envs, limit = 5, 25
    table = tested.actions(envs)
    by_hand = 4 + 3 * np.arange(envs)

    def episodes(mode: str) -> list[list[Row]]:
        """Per environment the rows of all episodes, each beginning with its reset."""
        records: list[list[Row]] = [[] for _ in range(envs)]
        number = np.zeros(envs, int)  # of the next action of each environment
        with tested.pool(
            num_envs=envs, seed=2, max_episode_steps=limit, autoreset_mode=mode
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
                result = pool.step(table.rows(number, np.arange(envs)))
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

    usual = episodes("NextStep")
    ends = sum(
        bool(row.get("truncated")) or bool(row.get("terminated")) for each in usual for row in each
    )
    for mode in ("SameStep", "Disabled"):
        for env, (mine, theirs) in enumerate(zip(usual, episodes(mode), strict=True)):
            common = min(len(mine), len(theirs))
            if difference := first_difference(mine[:common], theirs[:common]):
                raise Finding(
                    f"environment {env} plays differently with autoreset {mode} than with NextStep: "
                    f"{difference}. A reset may not depend on whether the last action was ignored, nor "
                    "on how the step before it ended"
                )
    return f"{ends} ends of episodes"
