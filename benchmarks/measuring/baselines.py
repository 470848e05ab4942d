"""Drivers of ParallelPool's own pools and of Gymnasium's; what all drivers of others are made with.

They get the same options where they have them under some name. One that is not installed, or does not have the
environment, raises `Absent`, which says so.
"""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from parallel_pool.benchmarking.actions import draw_actions
from parallel_pool.errors import ParallelPoolError

from measuring.drivers import Driver, LockstepDriver, QueueDriver

MAX_PROCESSES = 128
"""Of Gymnasium's AsyncVectorEnv, which has one per environment: thousands exhaust the memory."""


class Absent(ParallelPoolError):
    """A baseline cannot take part; the text says why."""


@dataclass(frozen=True)
class Task:
    """What all are to do."""

    task_id: str
    """An id of ParallelPool, canonical or bare."""
    num_envs: int
    batch_size: int | None = None
    """None or num_envs: in lockstep."""
    num_threads: int | None = None
    """None: as each likes."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """Of the environment, under ParallelPool's names."""

    @property
    def is_async(self) -> bool:
        """Whether batches are smaller than the pool."""
        return self.batch_size is not None and self.batch_size < self.num_envs

    @property
    def rows(self) -> int:
        """Environment steps per call."""
        return self.batch_size or self.num_envs

    @property
    def bare_id(self) -> str:
        """The id without the family: what Gymnasium and EnvPool call the environment."""
        return self.task_id.rpartition("/")[2]

    @property
    def sizes(self) -> dict[str, Any]:
        """The keyword arguments of a pool that are not options of the environment."""
        sizes = {
            "num_envs": self.num_envs,
            "batch_size": self.batch_size,
            "num_threads": self.num_threads,
        }
        return {name: value for name, value in sizes.items() if value is not None}


def drive(
    name: str,
    env: Any,
    task: Task,
    *,
    actions: Sequence[Any] | None = None,
    integers: Any = None,
    takes_env_ids: bool = True,
) -> Driver:
    """A driver of a pool that has the methods of Gymnasium's or EnvPool's.

    actions: None draws them; integers: of this dtype. takes_env_ids: see QueueDriver.
    """
    if actions is None:
        actions = draw_actions(env.single_action_space, task.rows)
        if integers is not None:
            whole = env.single_action_space.dtype is not None and np.issubdtype(
                env.single_action_space.dtype, np.integer
            )
            actions = [each.astype(integers) if whole else each for each in actions]
    if task.is_async:
        return QueueDriver(
            name, env, task.num_envs, task.rows, actions, takes_env_ids=takes_env_ids
        )
    return LockstepDriver(name, env, task.num_envs, actions)


def parallel_pool(
    task: Task,
    *,
    view: str = "gymnasium",
    name: str = "ParallelPool",
    actions: Sequence[Any] | None = None,
) -> Driver:
    """ParallelPool in one of its views, "gymnasium" or "gym"."""
    from parallel_pool.making import make

    env = make(task.task_id, view, **task.sizes, **task.options)
    integers = np.int32 if view == "gym" else None
    return drive(name, env, task, actions=actions, integers=integers)


def gymnasium_vector(
    task: Task,
    mode: str,
    *,
    name: str | None = None,
    factory: Callable[[], Any] | None = None,
) -> Driver:
    """Gymnasium's own; `mode` is "sync", "async" or "vector_entry_point" (written with numpy).

    factory: makes one environment; None: `gymnasium.make` of the id does.
    There are no asynchronous batches in Gymnasium: always in lockstep.
    """
    if mode == "async" and task.num_envs > MAX_PROCESSES:
        raise Absent(
            f"{task.num_envs} environments would be as many processes; {MAX_PROCESSES} at most"
        )
    import gymnasium

    in_step = Task(task.task_id, task.num_envs, options=task.options)  # no batch_size
    name = name or f"Gymnasium {mode}"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # remarks on the environments' versions and spaces
        if mode == "vector_entry_point":
            if not getattr(gymnasium.registry.get(task.bare_id), "vector_entry_point", None):
                raise Absent(f"Gymnasium has no vectorised {task.bare_id}")
            env: Any = gymnasium.make_vec(task.bare_id, task.num_envs, vectorization_mode=mode)
            return drive(name, env, in_step)
        factory = factory or _gymnasium_factory(task)
        kinds = {"sync": gymnasium.vector.SyncVectorEnv, "async": gymnasium.vector.AsyncVectorEnv}
        env = kinds[mode]([factory] * task.num_envs)
        return drive(name, env, in_step)


def _gymnasium_factory(task: Task) -> Callable[[], Any]:
    import gymnasium

    if task.bare_id not in gymnasium.registry:
        raise Absent(
            f"Gymnasium has no {task.bare_id} of its own; games with wrappers: benchmarks/baselines.py"
        )
    return partial(gymnasium.make, task.bare_id)


def effective_options(task: Task) -> dict[str, Any]:
    """The options with ParallelPool's defaults for those not given, so that baselines do the same."""
    from parallel_pool.making import make_spec

    try:
        spec = make_spec(task.task_id, **task.options)
    except ParallelPoolError:
        return dict(task.options)  # an environment that only the others have, or one in Python
    names = [each["name"] for each in spec.declared_options]
    effective = {name: getattr(spec.config, name) for name in (*names, "max_episode_steps")}
    return {name: value for name, value in effective.items() if value is not None}


def module_of(name: str) -> Any:
    """The module. Raises Absent, which names its package, where it is missing."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        package = name.partition(".")[0]
        raise Absent(f"{package} is not installed ({error})") from None
