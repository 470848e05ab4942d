"""Agreement with the environment that this one reproduces."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from typing import Any

import gymnasium
import numpy as np
from parallel_pool.author_api import hooks, registry
from parallel_pool.errors import PluginError
from parallel_pool.plugin_api import EnvSpec
from parallel_pool.pool_api import map_tree

from parallel_pool_author.testing.beside import Play, made, play_beside
from parallel_pool_author.testing.env_under_test import Actions, EnvUnderTest
from parallel_pool_author.testing.findings import Inapplicable

SEEDS = 5


def reference(tested: EnvUnderTest) -> str | None:
    """Same seed, same actions: the same observations, rewards and ends as the original, bit for bit.

    Where none is named, as the environment that the plugin makes in Python, with all of its infos.
    """
    named = tested.reference is not None
    original = tested.reference if named else _in_python(tested)
    if original is None:
        raise Inapplicable("no reference was named")
    tested.expect_resets()
    table = tested.actions(SEEDS)

    def act(play: Play) -> Any:
        return table.rows(np.full(SEEDS, play.step), np.arange(SEEDS))

    with tested.pool(num_envs=SEEDS, texts="str") as pool:
        play_beside(pool, original, act, steps=table.steps, infos=() if named else None)
    return f"{SEEDS} seeds of {table.steps} steps" + ("" if named else " beside Python")


def _in_python(tested: EnvUnderTest) -> Callable[[], Any] | None:
    config = tested.config
    make = made_in_python(tested.spec, config.variants.distinct[0].asked)
    limit = config.arguments.max_episode_steps
    if make is None or limit is None:
        return make
    return lambda: gymnasium.wrappers.TimeLimit(make(), limit)


def made_in_python(spec: EnvSpec, options: Mapping[str, Any]) -> Callable[[], Any] | None:
    """Returns what makes a native environment in Python; None where the plugin has nothing."""
    try:
        return hooks.env_factory(registry().plugin(spec.family), spec, options)
    except PluginError:
        return None


def leaves_its_bounds(tested: EnvUnderTest, table: Actions, steps: int, env: int) -> bool:
    """Returns True if the original, if one was named, shows what is not in its own observation space. It plays
    `steps` steps as environment `env` of a pool with the seeds 1, 2, 3 ... Equality is for `reference`.
    """
    if tested.reference is None:
        return False
    original = made(tested.reference)
    try:
        seen, _ = original.reset(seed=1 + env)
        over = False
        for step in range(steps):
            if over:  # NEXT_STEP: the action is ignored
                seen, over = original.reset()[0], False
                continue
            rows = table.rows(np.array([step % table.steps]), np.array([env]))
            action = map_tree(lambda each: each[0], rows)
            seen, _, terminated, truncated, _ = original.step(action)
            over = terminated or truncated
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Gymnasium warns of a number that is no array
            return not original.observation_space.contains(seen)
    finally:
        original.close()
