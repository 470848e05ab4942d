"""The definition of a pool: checked, complete, and not built yet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from parallel_pool import _core
from parallel_pool.computed_once import computed_once
from parallel_pool.config.arguments import ARGUMENTS, PoolArguments
from parallel_pool.config.env_options import EnvVariants
from parallel_pool.config.options import Declaration
from parallel_pool.config.pictures import Pixels
from parallel_pool.config.python_env import SEED_BITS, PythonEnv
from parallel_pool.config.seeds import key_of, spread
from parallel_pool.config.transform import Transform
from parallel_pool.errors import OptionError
from parallel_pool.plugin_api import EnvSpec
from parallel_pool.schema.fields import Field, tree_of


@dataclass(frozen=True, kw_only=True)
class Description:
    """The environments of a pool, native or in Python. `config.resolve` makes a PoolConfig of it."""

    env: EnvSpec
    """The spec of the first environment; with one id that of all."""
    task_id: str | list[str]
    """The canonical id, or one per environment if several were given."""
    arguments: PoolArguments
    """The arguments of all pools, with effective values."""
    own: Mapping[str, Any]
    """The environment's own options, with effective values, as `config` shows them."""
    given: Mapping[str, Any]
    """The keyword arguments that were given, as they were given."""
    variants: EnvVariants
    """How each environment is built."""
    fields: Sequence[Field]
    max_players: int
    cpus: list[list[int]]
    """Where the pool's own threads may run: see `placement.thread_cpus`."""
    reset_declarations: Sequence[Declaration] = ()
    """The arguments that `reset(options=...)` takes besides `reset_mask`."""
    python: PythonEnv | None = None
    """For environments written in Python."""
    resets_itself: bool = False
    """The step that ends an episode gives the first observation of the next; there is no last one."""
    limit_inside: bool = False
    """The environment keeps its time limit itself: the pool has none."""

    @property
    def plugin(self) -> _core.Plugin:
        """The library of the environments."""
        return self.variants.plugin

    @property
    def declarations(self) -> Sequence[Declaration]:
        """The options that the library declares, with its own defaults."""
        return self.variants.declarations

    @property
    def keeps_last(self) -> bool:
        """Whether results of SAME_STEP have the last observation and infos of episodes that ended."""
        return self.arguments.autoreset_mode == "SameStep" and not self.resets_itself

    @property
    def seed_bits(self) -> int:
        """The bits of seeds that nobody wrote: derived for ranks, for parts of a RayPool, and after a crash."""
        return 64 if self.python is None else SEED_BITS


@dataclass(frozen=True, kw_only=True)
class Columns:
    """The columns that a view needs in its batches."""

    reward32: bool = False
    """Rewards as float32 too."""
    dm: bool = False
    """dm_env's step types and discounts."""
    statistics: bool = False
    """Return, length and time of episodes."""
    flat_players: bool = False
    """One row per player, not one place per player in the row of its environment."""
    step_begins: bool = False
    """The first step of an environment that was never reset resets it, with autoreset NextStep."""


@dataclass(frozen=True, kw_only=True)
class PoolConfig(Description):
    """A checked definition: only the environment itself can fail when a pool is built from it.

    It never changes, and any number of pools can be built from it.
    """

    seeds: Sequence[int | None]
    """One per environment, each in 0 .. 2**64 - 1. None: an environment in Python that was given none."""
    pixels: Pixels | None = None
    """The pictures in observations, as `fields` has them; the library has scenes in their place."""
    transform: Transform | None = None
    """What is done to observations and rewards; `fields` has the result."""

    @computed_once
    def values(self) -> Mapping[str, Any]:
        """Every keyword argument with its effective value, common ones first, as `env.config` shows it."""
        return {"task_id": self.task_id, **vars(self.arguments), **self.own}

    @property
    def again(self) -> dict[str, Any]:
        """The given arguments and the seeds: `make_config(task_id, again)` makes this config again, also in
        another process. Threads that are shared with other pools are not included."""
        return {**self.given, "seed": self.seeds}

    @property
    def options(self) -> dict[str, Any]:
        """Values for the library, of environment 0. Missing options have the library's default."""
        return self.variants.distinct[0].options

    @property
    def has_infos(self) -> bool:
        """Whether results have the environment's own infos."""
        return self.arguments.infos == "all"

    @property
    def counts_games(self) -> bool:
        """Whether statistics are of whole games with their own points: of environments that have a score."""
        has_score = any(field["role"] == "score" for field in self.fields)
        return has_score and self.arguments.episode_statistics != "life"

    @property
    def reports_games(self) -> bool:
        """Whether infos of the view "gymnasium" have those statistics."""
        return self.counts_games and bool(self.arguments.episode_statistics)

    @property
    def chunk_trail(self) -> int:
        """How many observations of steps before the last of a chunk stacks take."""
        chunk, transform = self.arguments.action_chunk, self.transform
        if chunk is None or transform is None:
            return 0
        return min(transform.arguments.frame_stack, chunk) - 1

    @property
    def has_chunk_rewards(self) -> bool:
        """Whether results have the reward of each step of a chunk, or `transform` makes its rewards of them."""
        changed = self.transform is not None and self.transform.changes_rewards
        arguments = self.arguments
        return arguments.action_chunk is not None and (arguments.chunk_rewards or changed)

    def spread(self, seed: Any, env_id: Any = None) -> list[int | None]:
        """A seed, or None, for each of the environments `env_id` (None: all) that a reset names.

        For an int s environment i has s + i, whichever are named; a sequence has one for each of them: see
        `seeds.spread`. Ids that are none are left for the native pool to refuse.
        """
        count, key = self.arguments.num_envs, key_of(self.arguments.rank)
        if env_id is None:
            return spread(seed, count, key, self.seed_bits)
        named = np.asarray(env_id).ravel().tolist()
        if seed is None or isinstance(seed, (list, tuple, np.ndarray)):
            return spread(seed, len(named))
        envs = [each if isinstance(each, int) and 0 <= each < count else 0 for each in named]
        seeds = spread(seed, max(envs, default=0) + 1, key, self.seed_bits)
        return [seeds[env] for env in envs]

    @property
    def render_metadata(self) -> dict[str, Any]:
        """The part of Gymnasium's `metadata` that is about pictures."""
        env = self.env
        fps = {"render_fps": env.render_fps or 30} if env.render_modes else {}
        return {"render_modes": list(env.render_modes), **fps}

    @property
    def action_tree(self) -> Any:
        """The numbers of the action fields, nested as the action space is."""
        return tree_of(self.fields, "action", lambda number, _: number)

    def action_checker(self, num_envs: int) -> _core.ActionChecker:
        """Checks actions and ids as a pool of so many environments does."""
        return _core.ActionChecker(
            plugin=self.plugin,
            env_id=self.env.native_id,
            options=self.options,
            config=self.native(num_envs=num_envs),
            action_tree=self.action_tree,
        )

    def native(self, columns: Columns = Columns(), **more: Any) -> _core.PoolConfig:
        """The native config, with the columns of a view. more: members that are another's than this pool's."""
        arguments = self.arguments
        taken = (each for each in ARGUMENTS if each.native)
        members = {each.native: getattr(arguments, each.name) for each in taken}
        seeds = arguments.episode_seeds
        if seeds is not None:
            if isinstance(seeds, range):
                members["episode_range"] = (seeds.start, seeds.step % 2**64, len(seeds))
            else:
                members["episode_seeds"] = seeds
            members |= {
                "episodes_in_turns": arguments.episode_order == "turns",
                "first_env": arguments.num_envs * (arguments.rank or 0),
                "all_envs": arguments.num_envs * (arguments.world_size or 1),
            }
        if self.cpus:
            members["cpus"] = self.cpus
        if arguments.thread_pool is not None:
            members["thread_pool"] = arguments.thread_pool._native
        if arguments.isolation is None:  # else the waiting thread kills a worker that hangs
            members["step_timeout"] = arguments.step_timeout or 0.0
        members |= {
            "seeds": self.seeds,
            "max_episode_steps": 0 if self.limit_inside else arguments.max_episode_steps or 0,
            "action_chunk": arguments.action_chunk or 0,
            "chunk_rewards": self.has_chunk_rewards,
            "chunk_trail": self.chunk_trail,
            "standing": not arguments.copy,
            "reward32": columns.reward32,
            "dm_columns": columns.dm,
            "statistics": columns.statistics,
            "whole_games": self.counts_games,
            "flat_players": columns.flat_players,
            "step_begins": columns.step_begins and arguments.autoreset_mode == "NextStep",
        }
        return _core.PoolConfig(**members | more)


def with_reset_info(config: PoolConfig) -> PoolConfig:
    """A copy for views that always return the info of a reset. Raises OptionError if an argument forbids it."""
    if config.arguments.gym_reset_return_info is False:
        raise OptionError(
            f"{config.env.id}: gym_reset_return_info=False is the interface of gym before 0.26; "
            "use env_type='gym', whose reset returns the observation alone"
        )
    return returning_info(config, True)


def returning_info(config: PoolConfig, reset: bool) -> PoolConfig:
    """A copy with gym_reset_return_info as the view decides it, for `env.config`."""
    arguments = replace(config.arguments, gym_reset_return_info=reset)
    return replace(config, arguments=arguments)


def in_envpools_layout(config: PoolConfig) -> PoolConfig:
    """A copy with pictures as EnvPool has them, channels first, unless `transform` decides how they are."""
    flattened = config.transform is not None and config.transform.vector is not None
    if config.pixels is None or config.pixels.channels is not None or flattened:
        return config
    pixels = replace(config.pixels, channels="first")
    return replace(config, pixels=pixels, fields=pixels.fields(config.fields))
