"""EnvPool's spec object: the description of a pool that is not built yet."""

from __future__ import annotations

import pprint
from collections import namedtuple
from collections.abc import Mapping
from functools import cache
from typing import Any

import gymnasium
from parallel_pool.pool_api import PoolSpec, computed_once

from parallel_pool_envpool.arguments import (
    ParsedArguments,
    config_of,
    effective_config,
    parse_arguments,
)
from parallel_pool_envpool.array_spec import (
    ArraySpec,
    action_array_specs,
    dm_specs_of,
    state_array_specs,
)
from parallel_pool_envpool.errors import asserting
from parallel_pool_envpool.records import nested, record_of


class _OfTask:
    """An attribute of a class of specs that is computed when it is first read."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, instance: Any, owner: type[EnvSpec]) -> Any:
        defaults = dict(owner._defaults())
        values = {
            "_config_keys": list(defaults),
            "_default_config_values": tuple(defaults.values()),
            "gen_config": namedtuple("Config", defaults, defaults=defaults.values()),  # noqa: PYI024
        }
        for name, value in values.items():
            setattr(owner, name, value)
        return values[self._name]


class EnvSpec(PoolSpec):
    """The spec of one id, as `make_spec` returns it. Also a Gymnasium EnvSpec, so it has `id`.

    Each id has a class of its own: `type(spec)(type(spec).gen_config(num_envs=4))` is the spec of another
    pool of that id. Spaces and specs are those of one environment.
    """

    gen_config: Any = _OfTask()
    """The class of `config`: a namedtuple with the id's defaults."""
    _config_keys: Any = _OfTask()
    _default_config_values: Any = _OfTask()
    _task_id: str

    def __init__(self, config: Any = ()) -> None:
        """config: a `gen_config`, a tuple of its values, or a mapping of the arguments that differ.

        Raises OptionError, UnknownEnvError and PluginError as `parallel_pool.make_spec`; the first two
        are AssertionErrors as well.
        """
        given = config if isinstance(config, Mapping) else self._differing(config)
        with asserting():
            self._parsed: ParsedArguments = parse_arguments(self._task_id, given)
            super().__init__(config_of(self._task_id, self._parsed))

    @classmethod
    def _differing(cls, config: Any) -> dict[str, Any]:
        """The arguments of a `gen_config` that are not the defaults."""
        pairs = zip(cls._config_keys, config, cls._default_config_values, strict=False)
        return {name: value for name, value, default in pairs if not _same(value, default)}

    @classmethod
    def _defaults(cls) -> dict[str, Any]:
        parsed = parse_arguments(cls._task_id, {})
        values = effective_config(config_of(cls._task_id, parsed), parsed)
        # The effective values of these depend on the others.
        return {**values, "batch_size": 0, "num_threads": 0}

    @property
    def shows_windows(self) -> bool:
        """True if render_mode is "human"."""
        return self._parsed.human

    @computed_once
    def config(self) -> Any:
        """Every argument with its effective value, as attributes of a namedtuple."""
        return self.gen_config(**effective_config(self._config, self._parsed))

    @property
    def _config_values(self) -> tuple[Any, ...]:
        return tuple(self.config)

    @computed_once
    def state_array_spec(self) -> dict[str, ArraySpec]:
        """The arrays of a result by name: "obs...", "info:...", "reward" and so on."""
        return state_array_specs(self._config)

    @computed_once
    def action_array_spec(self) -> dict[str, ArraySpec]:
        """The arrays of an action by name: "env_id", "players.env_id", and its own."""
        return action_array_specs(self._config)

    @property
    def _state_keys(self) -> list[str]:
        return list(self.state_array_spec)

    @property
    def _action_keys(self) -> list[str]:
        return list(self.action_array_spec)

    @property
    def _state_spec(self) -> tuple[Any, ...]:
        return tuple(each.raw() for each in self.state_array_spec.values())

    @property
    def _action_spec(self) -> tuple[Any, ...]:
        return tuple(each.raw() for each in self.action_array_spec.values())

    def observation_spec(self) -> Any:
        """dm_env's specs of the `observation` of a TimeStep, in a namedtuple that is nested in the same way."""
        flat = self.state_array_spec
        keys = [key for key in flat if key.startswith(("obs", "info"))]
        return record_of("State", nested(dm_specs_of(flat, keys)))

    def action_spec(self) -> Any:
        """dm_env's spec of an action; a namedtuple of specs if it has several parts."""
        flat = self.action_array_spec
        keys = [key for key in flat if key not in ("env_id", "players.env_id")]
        specs = dm_specs_of(flat, keys)
        return specs[keys[0]] if len(keys) == 1 else record_of("Action", nested(specs))

    @property
    def gymnasium_observation_space(self) -> gymnasium.Space[Any]:
        """Equals `observation_space`, which may be gym's in `legacy`."""
        return PoolSpec(self._config).observation_space

    @property
    def gymnasium_action_space(self) -> gymnasium.Space[Any]:
        """Equals `action_space`, which may be gym's in `legacy`."""
        return PoolSpec(self._config).action_space

    def __reduce__(self) -> Any:
        return _spec_of, (self._task_id, dict(self._given()))

    def _given(self) -> dict[str, Any]:
        """The arguments in a form that can be given again, with the same seeds."""
        parsed = self._parsed
        seeds = {"env_seed": parsed.env_seed} if parsed.env_seed else {}
        human = {"render_mode": "human"} if parsed.human else {}
        given = {key: each for key, each in self._config.given.items() if key != "thread_pool"}
        return {**given, "seed": parsed.seed, "base_path": parsed.base_path, **seeds, **human}

    def __repr__(self) -> str:
        return f"{type(self).__name__}{pprint.pformat(self.config)[len('Config') :]}"


@cache
def spec_class(task_id: str) -> type[EnvSpec]:
    """The class of specs of an id, which need not exist: what makes a spec of it says so."""
    return type(f"{short_name(task_id)}EnvSpec", (EnvSpec,), {"_task_id": task_id})


def short_name(task_id: str) -> str:
    """CartPole of carts/CartPole-v1."""
    return task_id.rpartition("/")[2].rpartition("-v")[0]


def _spec_of(task_id: str, arguments: Mapping[str, Any]) -> EnvSpec:
    """Pickles name this function: its name and arguments stay."""
    return spec_class(task_id)(arguments)


def _same(one: Any, other: Any) -> bool:
    try:
        return bool(one == other)
    except ValueError:  # arrays: whether they are equal does not matter
        return False
