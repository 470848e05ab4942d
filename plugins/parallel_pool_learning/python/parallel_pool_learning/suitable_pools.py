"""Says which pools a RolloutBuffer can step."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any

from gymnasium.vector import AutoresetMode, VectorEnv
from parallel_pool.errors import OptionError
from parallel_pool.pool_api import GymnasiumPool, expect_arrays

from parallel_pool_learning.pools import expect_kept


def counts_games(pool: VectorEnv[Any, Any, Any]) -> bool:
    """Returns True if its infos have the scores of whole games, which rewards do not add up to."""
    definition = getattr(pool.unwrapped, "definition", None)
    return definition is not None and bool(definition.reports_games)


def autoreset_mode_of(pool: VectorEnv[Any, Any, Any]) -> AutoresetMode:
    """The pool's autoreset mode. Raises OptionError if the pool does not fit a rollout of T x N."""
    name = type(getattr(pool, "unwrapped", pool)).__name__
    if not isinstance(pool, VectorEnv):
        raise OptionError(
            f"the pool is a {name}, expected a gymnasium.vector.VectorEnv: make it with env_type='gymnasium'"
        )
    if getattr(pool.unwrapped, "is_async", False):
        raise OptionError(
            "a rollout has a row of each environment in every step, and this pool answers with those that "
            "are done first: leave batch_size out"
        )
    if isinstance(pool.unwrapped, GymnasiumPool):
        expect_kept(pool.unwrapped.definition, "a rollout")
    if getattr(pool.unwrapped, "config", {}).get("max_num_players", 1) != 1:
        raise OptionError(
            "the environment has several players, whose rollouts are not kept: see docs/multi-player.md"
        )
    owner = getattr(pool.unwrapped.spec, "id", name)
    observed, acted = pool.single_observation_space, pool.single_action_space
    expect_arrays(observed, acted, owner, "a rollout")
    mode = pool.metadata.get("autoreset_mode", AutoresetMode.NEXT_STEP)
    if mode == AutoresetMode.DISABLED:
        raise OptionError(
            "the pool does not reset environments whose episode has ended: pass autoreset_mode='SameStep' or "
            "'NextStep'"
        )
    return AutoresetMode(mode)


def expect_arguments(num_steps: Any, **shares: Any) -> None:
    """Raises OptionError if there is no such number of steps, or a share is not in 0 .. 1."""
    if not _is(Integral, num_steps) or num_steps < 1:
        raise OptionError(f"num_steps is {num_steps!r}, expected an integer, at least 1")
    for name, value in shares.items():
        if not _is(Real, value) or not 0 <= value <= 1:
            raise OptionError(f"{name} is {value!r}, expected a number in 0 .. 1")


def _is(kind: type, value: Any) -> bool:
    return isinstance(value, kind) and not isinstance(value, bool)
