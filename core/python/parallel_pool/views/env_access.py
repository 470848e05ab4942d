"""Gymnasium's access to single environments of a vector environment: call, get_attr, set_attr."""

from __future__ import annotations

from typing import Any

from parallel_pool import _core
from parallel_pool.config.pool_config import PoolConfig
from parallel_pool.config.python_env import Serializer
from parallel_pool.pool_errors import NotOfferedError
from parallel_pool.workers.python_envs.questions import ask_call, ask_set

_OF_THE_POOL = ("reset", "step", "close", "set_attr")
"""Methods of environments that only the pool may call."""
_NOT_SHARED = ("np_random", "np_random_seed")
"""Attributes of a pool that do not describe its environments."""


class EnvAccess:
    """A part of `GymnasiumPool`."""

    _pool: _core.Pool
    _config: PoolConfig
    single_observation_space: Any
    single_action_space: Any
    render: Any

    def call(self, name: str, *args: Any, **kwargs: Any) -> tuple[Any, ...]:
        """Calls the method (or reads the attribute) `name` of each environment, wrappers included.

        Python environments: any method or attribute. Raises EnvAccessError with the traceback of the first
        environment that raised, or returned what cannot be pickled; AlreadyPendingError. Native
        environments: `render` and the attributes of `get_attr`; others raise NotOfferedError.
        """
        return self.call_of(None, name, *args, **kwargs)

    def call_of(self, env_ids: Any, name: str, *args: Any, **kwargs: Any) -> tuple[Any, ...]:
        """As `call`, for the environments `env_ids` (None: all) only."""
        if name in _OF_THE_POOL:
            raise ValueError(f"call({name!r}) would bypass the pool: use its own {name}")
        if self._config.python is not None:
            serializer = self._serializer()
            return tuple(ask_call(self._pool, serializer, name, args, kwargs, env_ids=env_ids))
        if name == "render":
            ids = () if env_ids is None else (env_ids,)
            return tuple(self.render(*ids, *args, **kwargs))
        values = self._attribute(name)
        return tuple(values[each] for each in _core.env_ids(env_ids, num_envs=len(values)))

    def get_attr(self, name: str) -> tuple[Any, ...]:
        """Returns the attribute `name` of each environment.

        Python environments: as `call`. Native environments: an option, such as `g`; an argument of the pool,
        such as `max_episode_steps`; `observation_space` and `action_space` of one environment; and attributes
        of the pool that are the same for all, such as `spec`. Others raise NotOfferedError.
        """
        return self.call(name)

    def set_attr(self, name: str, values: Any) -> None:
        """Sets the attribute `name` of each Python environment. Raises the errors of `call`.

        values: a list or tuple with one value per environment, or one value for all.
        """
        serializer = self._serializer()
        if not isinstance(values, (list, tuple)):
            self.set_attr_of(None, name, values)
            return
        count = int(self._config.arguments.num_envs)
        if len(values) != count:
            raise ValueError(f"there are {len(values)} values of {name!r} for {count} environments")
        for number, value in enumerate(values):
            ask_set(self._pool, serializer, name, value, [number])

    def set_attr_of(self, env_ids: Any, name: str, value: Any) -> None:
        """As `set_attr`, with one value for the environments `env_ids` (None: all)."""
        ask_set(self._pool, self._serializer(), name, value, env_ids)

    def _attribute(self, name: str) -> tuple[Any, ...]:
        count = int(self._config.arguments.num_envs)
        variants = self._config.variants
        if any(each["name"] == name for each in variants.visible):
            return tuple(variants.shown(env)[name] for env in range(count))
        if name in ("observation_space", "action_space"):
            return (getattr(self, f"single_{name}"),) * count
        if name in self._config.values:
            return (self._config.values[name],) * count
        found = None if name.startswith("_") or name in _NOT_SHARED else getattr(self, name, None)
        if (found is None and name != "render_mode") or callable(found):
            raise self._not_offered()
        return (found,) * count

    def _serializer(self) -> Serializer:
        if self._config.python is None:
            raise self._not_offered()
        return self._config.python.serializer

    def _not_offered(self) -> NotOfferedError:
        return NotOfferedError(
            f"{self._config.env.id} is no Python object: read_array, config and stats say what can be "
            "known of it"
        )
