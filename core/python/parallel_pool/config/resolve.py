"""Makes a PoolConfig from the description of a pool's environments."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from parallel_pool.config.arguments import Argument, PoolArguments
from parallel_pool.config.chunks import in_chunks
from parallel_pool.config.kinds import IntRange
from parallel_pool.config.pictures import pixels_of
from parallel_pool.config.pool_config import Description, PoolConfig
from parallel_pool.config.seeds import drawn, key_of, listed, spread
from parallel_pool.config.transform import transform_of
from parallel_pool.config.transform.kinds import checked
from parallel_pool.errors import OptionError
from parallel_pool.plugin_api import EnvSpec
from parallel_pool.schema.players import is_multi_player
from parallel_pool.schema.texts import as_bytes

_LEAST_BYTES = 256
"""The least memory that an environment takes, of any kind. CartPole takes 360 bytes."""


def resolve(described: Description) -> PoolConfig:
    """Decides what is the same for all kinds of environments. Builds and changes nothing.

    Raises OptionError; MemoryError if so many environments cannot fit in memory.
    """
    env, fields, python = described.env, described.fields, described.python
    players = described.max_players if is_multi_player(fields) else 1
    arguments = _with_players(env.id, described.arguments, players)
    arguments = _with_rendering(env, arguments)
    asked = None if arguments.transform is None else checked(env.id, arguments.transform)
    channels = None if asked is None else asked.channels
    pixels = pixels_of(env, described.variants, fields, arguments, channels)
    if pixels is not None:
        fields = pixels.fields(fields)
    if arguments.texts == "bytes":
        fields = [as_bytes(field) for field in fields]
    transform = None
    if asked is not None:
        transform = transform_of(env.id, asked, players, fields, drawn=pixels is not None)
        fields = transform.fields
        arguments = replace(arguments, transform=dict(vars(asked)))
    if arguments.action_chunk is not None or arguments.chunk_rewards:
        fields = in_chunks(env.id, fields, arguments)
    count = arguments.num_envs
    _expect_memory(count)
    episode_seeds = listed(env.id, arguments.episode_seeds, arguments.episode_order)
    arguments = replace(arguments, episode_seeds=episode_seeds)
    # As with Gymnasium, an environment in Python is given no seed that nobody chose. Where the seeds of
    # episodes are listed, the pool's say which is which.
    seeds = spread(arguments.seed, count, key_of(arguments.rank), described.seed_bits)
    given = described.given
    if arguments.thread_affinity is not None:
        given = {**given, "thread_affinity": arguments.thread_affinity}
    if python is not None and arguments.seed_globals:
        python = replace(python, global_seeds=seeds)
    resolved = {"arguments": arguments, "fields": fields, "python": python, "given": given}
    return PoolConfig(
        **{**vars(described), **resolved},
        seeds=drawn(seeds) if python is None or episode_seeds is not None else seeds,
        pixels=pixels,
        transform=transform,
    )


def _expect_memory(num_envs: int) -> None:
    """Raises MemoryError before anything of the size of the pool is made."""
    np.empty((num_envs, _LEAST_BYTES), np.uint8)  # reserved, never written, freed at once


def _with_players(env_id: str, arguments: PoolArguments, players: int) -> PoolArguments:
    """Effective values for environments with at most so many players."""
    if arguments.max_num_players not in (1, players):
        raise OptionError(
            f"{env_id}: max_num_players is {arguments.max_num_players!r}, but the environment has "
            f"{players}: it decides that itself; leave it out"
        )
    if players > 1:
        refused = {
            "nan_action": arguments.nan_action == "truncate",
            # Allowed with several players if there is a process to kill.
            "step_timeout": arguments.step_timeout is not None and arguments.isolation is None,
        }
        for name in (name for name, given in refused.items() if given):
            raise OptionError(
                f"{env_id}: {name}={getattr(arguments, name)!r} is for environments with one player, and this "
                f"one has up to {players}"
            )
    return replace(arguments, max_num_players=players)


def _with_rendering(env: EnvSpec, arguments: PoolArguments) -> PoolArguments:
    """Checks what only the environment decides of `render_mode`, `render_env_id` and `render_camera_*`.

    The names are EnvPool's, 0 and -1 mean "the usual", as there; a camera of -2 is the free one, if the
    environment has one.
    """
    mode = arguments.render_mode
    if mode is not None and mode not in env.render_modes:
        if mode == "human" and "rgb_array" in env.render_modes:
            hint = (
                "for a window wrap a pool with render_mode='rgb_array' in "
                "gymnasium.wrappers.vector.HumanRendering"
            )
        elif env.render_modes:
            hint = f"it has {', '.join(map(repr, env.render_modes))}"
        else:
            hint = "it has no renderer; use None"
        raise OptionError(f"{env.id}: render_mode is {mode!r}, but {hint}")
    drawn = Argument("render_env_id", 0, IntRange(0, arguments.num_envs - 1))
    arguments = replace(arguments, render_env_id=drawn.check(env.id, arguments.render_env_id))
    if arguments.render_camera_name is not None and arguments.render_camera_id != -1:
        raise OptionError(
            f"{env.id}: give the number of a camera (render_camera_id, camera_id) or its name "
            "(render_camera_name, camera_name), not both"
        )
    return arguments
