"""What a pool is to be: checked, complete, and not built yet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from parallel_pool import _core
from parallel_pool.config.arguments import ARGUMENTS
from parallel_pool.config.env_options import EnvVariants
from parallel_pool.config.options import Declaration
from parallel_pool.config.pictures import Pixels
from parallel_pool.config.python_env import SEED_BITS, PythonEnv
from parallel_pool.config.ranks import key_of
from parallel_pool.config.seeds import spread
from parallel_pool.config.transform import Transform
from parallel_pool.errors import OptionError
from parallel_pool.plugin_api import EnvSpec
from parallel_pool.schema.fields import Field


@dataclass(frozen=True)
class PoolConfig:
    """Checked: a pool built from it can only fail where the environment itself does."""

    env: EnvSpec
    """Of the first environment; of all of them, unless several ids were given."""
    task_id: str | list[str]
    """The canonical id, or one per environment where several were given."""
    variants: EnvVariants
    """How each environment is to be built."""
    plugin: _core.Plugin
    cpus: list[list[int]]
    """Where the pool's own threads may run: see `placement.thread_cpus`."""
    values: dict[str, Any]
    """Every keyword argument with its effective value, common ones first, as `env.config` shows it."""
    declarations: Sequence[Declaration]
    """The options that the library declares, with its own defaults."""
    reset_declarations: Sequence[Declaration]
    """The arguments that `reset(options=...)` takes besides `reset_mask`."""
    fields: Sequence[Field]
    max_players: int
    given: Mapping[str, Any]
    """The keyword arguments that were given, as they were given."""
    seeds: list[int]
    """One per environment, each in 0 .. 2**64 - 1."""
    arguments: dict[str, Any]
    """What was asked for, the seeds included: `make_config(task_id, arguments)` gives this config again,
    in another process too. So threads that are shared with other pools are not in here."""
    python: PythonEnv | None = None
    """For environments written in Python."""
    pixels: Pixels | None = None
    """Where observations have pictures; `fields` has them, the library scenes in their place."""
    transform: Transform | None = None
    """What makes observations and rewards ready for a learner; `fields` has the result of it."""
    limit_inside: bool = False
    """The environment keeps its time limit itself: the pool has none."""

    @property
    def options(self) -> dict[str, Any]:
        """Values for the library, of environment 0; what is not here has the library's default."""
        return self.variants.distinct[0].options

    @property
    def has_infos(self) -> bool:
        """Whether answers have what the environment adds to the info."""
        return bool(self.values["infos"] == "all")

    def spread(self, seed: Any, count: int) -> list[int | None]:
        """Seeds for a reset of so many environments: see `seeds.spread`."""
        bits = 64 if self.python is None else SEED_BITS
        return spread(seed, count, key_of(self.values["rank"]), bits)

    def native(self) -> _core.PoolConfig:
        """The same for the native pool, which a view completes with the columns that it wants."""
        values = self.values
        native = _core.PoolConfig()
        for argument in ARGUMENTS:
            if argument.native:
                setattr(native, argument.native, values[argument.name])
        native.seeds = self.seeds
        native.max_episode_steps = 0 if self.limit_inside else values["max_episode_steps"] or 0
        if self.cpus:
            native.cpus = self.cpus
        if values["thread_pool"] is not None:
            native.thread_pool = values["thread_pool"]._native
        if values["isolation"] is None:  # a worker that hangs is killed by those who wait for it
            native.step_timeout = values["step_timeout"] or 0.0
        return native


def with_reset_info(config: PoolConfig) -> PoolConfig:
    """The same for a view whose `reset` always gives the info. Raises OptionError where it is not to."""
    if config.values["gym_reset_return_info"] is False:
        raise OptionError(
            f"{config.env.id}: gym_reset_return_info=False is the interface of gym before 0.26; "
            "use env_type='gym', whose reset returns the observation alone"
        )
    return with_values(config, gym_reset_return_info=True)


def with_values(config: PoolConfig, **decided: Any) -> PoolConfig:
    """The same with what a view has decided itself, as `env.config` is to show it."""
    return replace(config, values={**config.values, **decided})


def in_envpools_layout(config: PoolConfig) -> PoolConfig:
    """The same with pictures as EnvPool has them: channels first, those of a stack one after the other."""
    if config.pixels is None:
        return config
    pixels = replace(config.pixels, channels_first=True)
    return replace(config, pixels=pixels, fields=pixels.fields(config.fields))
