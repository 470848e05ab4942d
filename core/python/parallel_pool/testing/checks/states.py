"""Saving and restoring, where the environment offers it."""

from __future__ import annotations

import numpy as np

from parallel_pool.pool_errors import StateError
from parallel_pool.testing.findings import Finding, Inapplicable
from parallel_pool.testing.subject import Row, Subject, first_difference, flatten


def state(subject: Subject) -> str | None:
    """An environment restored elsewhere goes on as the saved one does; saving changes nothing."""
    envs, cut = 3, 20
    table = subject.actions(envs)
    after = min(table.steps - cut, 60)
    with (
        subject.pool(num_envs=envs, seed=6) as pool,
        subject.pool(num_envs=envs, seed=600) as twin,
        subject.pool(num_envs=envs, seed=6) as untouched,
    ):
        for each in (pool, twin, untouched):
            each.reset()
        for step in range(cut):
            rows = table.rows(np.full(envs, step), np.arange(envs))
            pool.step(rows)
            untouched.step(rows)
            if step % 2:
                twin.step(rows)
        try:
            states = pool.get_state()
        except StateError as error:
            if "does not offer" in str(error):
                raise Inapplicable("it cannot be saved") from None
            raise
        twin.set_state(None, states)
        saved: list[Row] = []
        restored: list[Row] = []
        plain: list[Row] = []
        for step in range(cut, cut + after):
            rows = table.rows(np.full(envs, step), np.arange(envs))
            saved.append(flatten(pool.step(rows)))
            restored.append(flatten(twin.step(rows)))
            plain.append(flatten(untouched.step(rows)))
        seeded = [flatten(each.reset(seed=[1, 2, 3])) for each in (pool, twin)]
    if difference := first_difference(saved, plain):
        raise Finding(
            f"saving changes what follows: {difference}. save() has to be without effects"
        )
    if difference := first_difference(saved, restored):
        raise Finding(
            f"a restored environment goes on differently: {difference} (counted from the moment of "
            "saving). save() and load() have to name every member that the future depends on"
        )
    if difference := first_difference(seeded[:1], seeded[1:]):
        raise Finding(f"a restored environment resets differently: {difference}")
    return f"{max(map(len, states)):,} bytes"
