"""The spec of a pool: spaces, dm_env specs and configuration, known before any environment is made."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Mapping
from copy import copy, deepcopy
from dataclasses import fields
from typing import Any

import gymnasium
import numpy as np
from gymnasium.envs.registration import EnvSpec as GymnasiumEnvSpec

from parallel_pool.computed_once import computed_once
from parallel_pool.config.options import Declaration
from parallel_pool.config.pool_config import PoolConfig
from parallel_pool.configure import make_config
from parallel_pool.registry.gymnasium_ids import ENTRY_POINTS, VECTOR_ENTRY_POINT
from parallel_pool.schema.spaces import space_of

_REMADE = (
    "num_envs",
    "batch_size",
    "seed",
    "rank",
    "world_size",
    "autoreset_mode",
    "episode_statistics",
)
"""Arguments of `make` that a pool made from the spec of another pool inherits."""


class PoolSpec(GymnasiumEnvSpec):
    """A Gymnasium EnvSpec with the attributes of EnvPool's specs.

    `config`: a namedtuple of all keyword arguments; `observation_space` and `action_space`: of one environment;
    `observation_spec()` and `action_spec()`: dm_env's, of one environment.
    """

    def __init__(self, config: PoolConfig, *, single: bool = False) -> None:
        python = config.python
        own = config.variants.shared if python is None else python.options
        kwargs = {"task_id": config.task_id, **own}
        if not single:
            kwargs |= {name: config.values[name] for name in _REMADE if name in config.given}
            differing = config.variants.own if python is None else config.arguments.env_options
            if differing:
                kwargs["env_options"] = differing
        super().__init__(
            id=config.env.id,
            entry_point=ENTRY_POINTS[config.env.backend][config.env.max_episode_steps is not None],
            vector_entry_point=VECTOR_ENTRY_POINT,
            reward_threshold=config.arguments.reward_threshold,
            max_episode_steps=config.arguments.max_episode_steps,
            kwargs=kwargs,
        )
        self._config = config

    def merged(self, spec: GymnasiumEnvSpec | None) -> PoolSpec:
        """A copy in which all fields of Gymnasium's EnvSpec are those of `spec`."""
        copied = copy(self)
        for field in fields(GymnasiumEnvSpec) if spec is not None else ():
            setattr(copied, field.name, getattr(spec, field.name))
        # Threads are of this process; a spec is for any.
        copied.kwargs = {key: each for key, each in copied.kwargs.items() if key != "thread_pool"}
        return copied

    def __copy__(self) -> PoolSpec:
        copied = object.__new__(type(self))
        vars(copied).update(vars(self))
        return copied

    def __deepcopy__(self, memo: dict[int, Any]) -> PoolSpec:
        # The config never changes and holds a loaded library; make_vec empties the copy's kwargs.
        copied = copy(self)
        copied.kwargs = deepcopy(self.kwargs, memo)
        return copied

    def __reduce__(self) -> Any:
        # A library cannot be pickled; the other process finds its own.
        taken = {each.name: getattr(self, each.name) for each in fields(GymnasiumEnvSpec)}
        decided = {"gym_reset_return_info": self._config.arguments.gym_reset_return_info}
        return _made_again, (self._config.task_id, {**self._config.given, **decided}, taken)

    @property
    def definition(self) -> PoolConfig:
        """The definition of such a pool: typed, complete and frozen."""
        return self._config

    @computed_once
    def config(self) -> Any:
        """All keyword arguments with their effective values, as attributes."""
        return namedtuple("Config", self._config.values)(**self._config.values)  # noqa: PYI024

    @computed_once
    def observation_space(self) -> gymnasium.Space[Any]:
        """The observation space of one environment."""
        config = self._config
        unchanged = config.transform is None and config.arguments.texts == "str"
        if config.python is not None and unchanged:
            return config.python.observation_space
        return space_of(config.fields, "obs")

    @computed_once
    def action_space(self) -> gymnasium.Space[Any]:
        """The action space of one environment."""
        python = self._config.python
        if python is not None and self._config.arguments.action_chunk is None:
            return python.action_space
        return space_of(self._config.fields, "action")

    @computed_once
    def info_space(self) -> gymnasium.spaces.Dict:
        """The entries that one environment adds to `info`, by name; of entries per player those of one.

        Empty for Python environments, which declare none.
        """
        if self._config.python is not None:
            return gymnasium.spaces.Dict()
        space = space_of(self._config.fields, "info")
        assert isinstance(space, gymnasium.spaces.Dict)  # infos have names
        return space

    @property
    def declared_options(self) -> list[dict[str, Any]]:
        """The environment's own options.

        Each has name, kind ("int", "float", "bool", "str", "array"), default (the preset of this id, or the
        library's), range ((low, high), inclusive, None where unbounded; or None), choices (of a text; empty:
        any) and doc. Options that a plugin sets itself are left out.
        """
        presets = self._config.env.options
        return [declared(each, presets) for each in self._config.variants.visible]

    @property
    def declared_reset_options(self) -> list[dict[str, Any]]:
        """The environment's own options of resets, described in the same way."""
        return [declared(each, {}) for each in self._config.reset_declarations]

    def observation_spec(self) -> Any:
        """dm_env's specs of one environment's observation."""
        from parallel_pool.schema.dm_specs import specs_of

        return specs_of(self._config.fields, "obs")

    def action_spec(self) -> Any:
        """dm_env's spec of one environment's action."""
        from parallel_pool.schema.dm_specs import specs_of

        return specs_of(self._config.fields, "action")


def _made_again(task_id: str | list[str], given: dict[str, Any], taken: dict[str, Any]) -> PoolSpec:
    spec = PoolSpec(make_config(task_id, given))
    for name, value in taken.items():
        setattr(spec, name, value)
    return spec


def declared(declaration: Declaration, presets: Mapping[str, Any]) -> dict[str, Any]:
    """An option as `PoolSpec.declared_options` has it."""
    default = presets.get(declaration["name"], declaration["default"])
    bounds = (declaration["low"], declaration["high"])
    return {
        "name": declaration["name"],
        "kind": declaration["kind"],
        "default": default.tolist() if isinstance(default, np.ndarray) else default,
        "range": None if bounds == (None, None) else bounds,
        "choices": tuple(declaration["choices"]),
        "doc": declaration["doc"],
    }
