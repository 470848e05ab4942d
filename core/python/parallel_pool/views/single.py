"""One environment as a plain `gymnasium.Env`: a pool of one, with the batch axis taken away."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, NoReturn, TypeAlias, TypeVar

import gymnasium
import numpy as np
from gymnasium import spaces

from parallel_pool.config.pool_config import PoolConfig
from parallel_pool.configure import make_config
from parallel_pool.errors import OptionError
from parallel_pool.registry import hooks, registry
from parallel_pool.schema.batches import is_mask, row_values
from parallel_pool.schema.players import reward_is_per_player
from parallel_pool.schema.text_spaces import ARRAYS
from parallel_pool.schema.trees import map_tree
from parallel_pool.views.base import PoolView
from parallel_pool.views.gymnasium import GymnasiumPool
from parallel_pool.views.pool_spec import PoolSpec
from parallel_pool.views.reset_arguments import reset_arguments

_Row: TypeAlias = tuple[Any, float, bool, bool, dict[str, Any]]
_NO_LIMIT = 2**31 - 1
SINGLE_FIXED = (
    "num_envs",
    "batch_size",
    "num_threads",
    "thread_pool",
    "rank",
    "world_size",
    "autoreset_mode",
    "episode_statistics",
    "env_options",
    "copy",
    "output",
    "device",
)
"""Arguments that a single environment decides itself."""


View = TypeVar("View", bound=PoolView)


class OneEnvironment(Generic[View]):
    """A part of the wrappers around a pool of one environment."""

    _pool: View
    _envpools_layout = False
    """As of `make_config`."""

    def _open(
        self, view: Callable[[PoolConfig], View], task_id: str, given: dict[str, Any], **own: Any
    ) -> View:
        """Makes the pool, with these own arguments. Raises OptionError for one that is fixed and was given."""
        for name in SINGLE_FIXED:
            if name in given:
                raise OptionError(f"{task_id}: a single environment takes no {name}")
        arguments = {"num_threads": 1, **own, **given}
        self._pool = view(make_config(task_id, arguments, envpools_layout=self._envpools_layout))
        return self._pool

    def _refuse(self, reason: str) -> NoReturn:
        """Closes the pool and raises OptionError."""
        self._pool.close()
        raise OptionError(reason)

    @property
    def config(self) -> dict[str, Any]:
        """All keyword arguments with their effective values."""
        return self._pool.config

    def close(self) -> None:
        """Destroys the environment. A second call has no effect."""
        self._pool.close()


class SingleEnv(OneEnvironment[GymnasiumPool], gymnasium.Env[Any, Any]):
    """`SingleEnv("CartPole-v1", **options)`: what `parallel_pool.make` takes, but for one environment.

    Observations have the shapes of the space, rewards are floats, flags are bools, and `info` has one
    value per key. Nothing resets by itself: a step after the end of an episode raises ResetNeededError.
    Use it for checkers, recorders and debugging.
    """

    def __init__(self, task_id: str, **arguments: Any) -> None:
        pool = self._open(GymnasiumPool, task_id, arguments, autoreset_mode="Disabled")
        if reward_is_per_player(pool.definition.fields):
            self._refuse(
                f"{task_id} has several players, and a gymnasium.Env has one reward: use "
                f"parallel_pool.pettingzoo.parallel_env({task_id!r}), or a pool"
            )
        self.observation_space = pool.single_observation_space
        self.action_space = pool.single_action_space
        self._obs = _row_of(self.observation_space)
        self.render_mode = pool.render_mode
        self.metadata = pool.definition.render_metadata
        self.spec = PoolSpec(pool.definition, single=True)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Returns (obs, info). seed: reseeds the environment's generator; None: the generator continues."""
        super().reset(seed=seed)
        mask, own = reset_arguments(self._pool.definition, options, None)
        if mask is not None:
            obs, info = self._pool.reset(seed=seed, options=options)
            return self._obs(obs), _info(info)
        handle = self._pool.reset_handle(None, None if seed is None else [seed], own)
        first: tuple[Any, dict[str, Any]] = handle.map(self._first).result
        return first

    def step(self, action: Any) -> _Row:
        """Returns (obs, reward, terminated, truncated, info)."""
        actions = batch_of(action, self.action_space)
        row: _Row = self._pool.step_handle(actions, None).map(self._next).result
        return row

    def recv(self) -> _Row:
        """The result of a reset or step that was interrupted by an exception of a signal handler.

        Raises NothingPendingError if the call was interrupted before it started: repeat it.
        """
        row: _Row = self._pool.recv_handle().map(self._next).result
        return row

    def _first(self, result: Any) -> tuple[Any, dict[str, Any]]:
        return self._obs(result[0]), _info(result[-1])

    def _next(self, result: Any) -> _Row:
        obs, reward, terminated, truncated, info = result
        flags = bool(terminated[0]), bool(truncated[0])
        return self._obs(obs), float(reward[0]), *flags, _info(info)

    def render(self) -> Any:
        """Returns a picture (uint8, height x width x 3), in mode "ansi" a text, None without a render_mode."""
        return None if self.render_mode is None else self._pool.render()[0]


def make_unlimited(task_id: str, **arguments: Any) -> SingleEnv:
    """For `gymnasium.make`, whose wrapper TimeLimit applies the limit of its EnvSpec."""
    return SingleEnv(task_id, **{"max_episode_steps": _NO_LIMIT, **arguments})


def make_python(task_id: str, **arguments: Any) -> gymnasium.Env[Any, Any]:
    """For `gymnasium.make`: an environment in Python as it is."""
    found = registry().resolve(task_id)
    given = {name: value for name, value in arguments.items() if value is not None}
    options = {**found.spec.options, **given}
    made: gymnasium.Env[Any, Any] = hooks.env_factory(found.plugin, found.spec, options)()
    return made


def _row_of(space: spaces.Space[Any]) -> Callable[[Any], Any]:
    """Takes the first row of a batch of elements of `space`."""
    if isinstance(space, spaces.Dict):
        members = {name: _row_of(each) for name, each in space.items()}
        return lambda batch: {name: row(batch[name]) for name, row in members.items()}
    if isinstance(space, spaces.Tuple):
        rows = [_row_of(each) for each in space]
        return lambda batch: tuple(row(each) for row, each in zip(rows, batch, strict=True))
    if not isinstance(space, ARRAYS):
        return lambda batch: batch[0]
    if isinstance(space, spaces.Discrete):
        number = np.dtype(space.dtype).type  # int64, however narrow the column is
        return lambda batch: number(batch[0])
    return lambda batch: batch[0, ...]  # an array also where the space has no dimensions


def batch_of(action: Any, space: spaces.Space[Any]) -> Any:
    """One action, however nested, as a batch of one. The pool refuses what does not fit the space."""
    if isinstance(space, spaces.Dict) and isinstance(action, dict):
        known = {key: each for key, each in space.items() if key in action}
        return {**action, **{key: batch_of(action[key], each) for key, each in known.items()}}
    if isinstance(space, spaces.Tuple) and isinstance(action, tuple) and len(action) == len(space):
        return tuple(batch_of(part, each) for part, each in zip(action, space, strict=True))
    if not isinstance(space, (spaces.Dict, spaces.Tuple, *ARRAYS)):
        return (action,)
    return map_tree(lambda leaf: np.asarray(leaf)[None], action)


def _info(batch: dict[str, Any]) -> dict[str, Any]:
    """Without masks, and without env_id, which is always 0."""
    return {
        name: _info(value) if isinstance(value, dict) else row_values(value)[0]
        for name, value in batch.items()
        if name != "env_id" and not is_mask(name, batch)
    }
