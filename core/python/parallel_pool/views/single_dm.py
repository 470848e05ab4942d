"""One environment as a plain `dm_env.Environment`: a pool of one, with the batch axis taken away."""

from __future__ import annotations

from typing import Any

import dm_env
import numpy as np

from parallel_pool.schema.dm_specs import specs_of
from parallel_pool.schema.object_rows import ObjectRows
from parallel_pool.schema.players import is_multi_player
from parallel_pool.schema.trees import map_tree
from parallel_pool.views.dm import DmPool
from parallel_pool.views.single import OneEnvironment, batch_of


class SingleDmEnv(OneEnvironment[DmPool], dm_env.Environment):  # type: ignore[misc]
    """One environment as a `dm_env.Environment`: `SingleDmEnv("CartPole-v1", **options)`.

    Takes the arguments of `parallel_pool.make`. As in dm_env, a FIRST TimeStep has no reward and no discount,
    and `step` on a new environment or after a LAST TimeStep ignores its action and begins an episode. The
    observation is the environment's own, without the pool's env_id and info.
    """

    _envpools_layout = True

    def __init__(self, task_id: str, **arguments: Any) -> None:
        pool = self._open(DmPool, task_id, arguments)
        self._fresh = True
        if is_multi_player(pool.definition.fields):
            self._refuse(
                f"{task_id} has several players, and a single dm_env.Environment has one: use "
                f"parallel_pool.pettingzoo.parallel_env({task_id!r}), or a pool"
            )

    def reset(self, *, seed: int | None = None) -> dm_env.TimeStep:
        """Returns the FIRST TimeStep of a new episode. seed: reseeds the environment's generator."""
        handle = self._pool.reset_handle(None, None if seed is None else [seed])
        return handle.map(self._next).result

    def step(self, action: Any) -> dm_env.TimeStep:
        """Returns the next TimeStep: FIRST for a new environment, and after LAST."""
        if self._fresh:
            return self.reset()
        actions = batch_of(action, self._pool.spec.action_space)
        return self._pool.step_handle(actions, None).map(self._next).result

    def recv(self) -> dm_env.TimeStep:
        """The TimeStep of a reset or step that was interrupted by an exception of a signal handler.

        Raises NothingPendingError if the call was interrupted before it started: repeat it.
        """
        return self._pool.recv_handle().map(self._next).result

    def _next(self, result: Any) -> dm_env.TimeStep:
        self._fresh = False
        return _first_row(self._pool._time_step(result))

    def observation_spec(self) -> Any:
        """The spec of the observation, nested as the observation is."""
        return specs_of(self._pool.definition.fields, "obs")

    def action_spec(self) -> Any:
        """The spec of the action."""
        return self._pool.action_spec()


def _first_row(step: dm_env.TimeStep) -> dm_env.TimeStep:
    kind = dm_env.StepType(int(step.step_type[0]))
    observation = map_tree(_row, step.observation[0])  # `obs` or `pixels`
    if kind is dm_env.StepType.FIRST:
        return dm_env.TimeStep(kind, None, None, observation)
    return dm_env.TimeStep(kind, float(step.reward[0]), float(step.discount[0]), observation)


def _row(rows: Any) -> Any:
    return rows[0] if isinstance(rows, ObjectRows) else np.asarray(rows[0])
