"""Several actions in one call."""

from __future__ import annotations

from typing import Any

import numpy as np
from parallel_pool.pool_api import map_tree

from parallel_pool_author.testing.env_under_test import EnvUnderTest, flatten, parting, same
from parallel_pool_author.testing.findings import Finding

CHUNK = 8
LIMIT = 43
"""Steps of an episode: it ends within a chunk."""


def chunks(tested: EnvUnderTest) -> str | None:
    """A chunk of actions shows what the last of its steps shows, and earns what all of them earn."""
    table = tested.actions(1)
    axis = 1 if tested.config.max_players == 1 else 2  # behind the players
    manner: dict[str, Any] = {"num_envs": 1, "seed": 3, "max_episode_steps": LIMIT}
    with tested.pool(**manner, action_chunk=CHUNK) as many, tested.pool(**manner) as one:
        many.reset()
        one.reset()
        for begin in range(0, table.steps, CHUNK):
            steps = np.arange(begin, begin + CHUNK) % table.steps
            each = table.rows(steps, np.zeros_like(steps))
            chunk = many.step(map_tree(lambda array: np.stack(array[:, np.newaxis], axis), each))
            made = int(chunk[4]["chunk_steps"][0])
            rows = [flatten(one.step(table.at(step))) for step in steps[: max(made, 1)]]
            alone = rows[-1] | {
                path: np.asarray(sum(row[path] for row in rows))
                for path in rows[-1]
                if path.startswith("reward")
            }
            for path, value in flatten(chunk).items():
                if path in alone and not same(value, alone[path]):
                    index, mine, theirs = parting(value, alone[path])
                    raise Finding(
                        f"{path}{index} is {mine} after {made} steps in one call, from step {begin} on, and "
                        f"{theirs} after the same steps one by one. What `unseen(true)` leaves out has to "
                        "be there if the episode ends in the step, and may not change what comes later"
                    )
    return None
