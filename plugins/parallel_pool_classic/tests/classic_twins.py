"""A pool beside Gymnasium's own environments, step by step, with the same seeds and actions."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import parallel_pool
from test_envs.lockstep import Lockstep

Policy = Callable[[np.random.Generator, Any, int], Any]
"""(draw, the observations of all environments, their number) -> their actions."""


def lockstep(
    task_id: str,
    policy: Policy,
    *,
    num_envs: int,
    steps: int,
    seed: int = 0,
    original: str | Callable[..., Any] | None = None,
    keys: tuple[str, ...] = (),
    **options: Any,
) -> int:
    """Steps both; gives the number of episodes that ended.

    original: the id, or what makes the environment; default: the same id. keys: of the info that both have.
    """
    draw = np.random.default_rng(seed)
    theirs = [_original(original or task_id, options) for _ in range(num_envs)]
    first = int(draw.integers(0, 2**60))
    ended = 0
    with parallel_pool.make(task_id, num_envs=num_envs, **options) as ours:
        run = Lockstep(task_id, first)
        obs, info = ours.reset(seed=first)
        answers = [env.reset(seed=first + i) for i, env in enumerate(theirs)]
        done = np.zeros(num_envs, bool)
        for lane, (expected, wanted) in enumerate(answers):
            run.same(lane, "observation", _row(obs, lane), expected)
            _same_info(run, lane, info, wanted, keys)
        for step in range(steps):
            run.step = step
            actions = policy(draw, obs, num_envs)
            obs, reward, terminated, truncated, info = ours.step(actions)
            for lane, env in enumerate(theirs):
                answer = (
                    (*env.reset()[:1], 0.0, False, False, {})
                    if done[lane]
                    else env.step(actions[lane])
                )
                run.same(lane, "observation", _row(obs, lane), answer[0])
                run.same(lane, "reward", reward[lane], float(answer[1]))
                run.same(lane, "terminated", terminated[lane], answer[2], dtype=False)
                run.same(lane, "truncated", truncated[lane], answer[3], dtype=False)
                _same_info(run, lane, info, answer[4], keys)
            done = terminated | truncated
            ended += int(done.sum())
    return ended


def _original(original: str | Callable[..., Any], options: dict[str, Any]) -> Any:
    if callable(original):
        return original(**options)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*out of date.*")
        return gymnasium.make(original, disable_env_checker=True, **options)


def _row(obs: Any, lane: int) -> Any:
    return tuple(column[lane] for column in obs) if isinstance(obs, tuple) else obs[lane]


def _same_info(
    run: Lockstep, lane: int, ours: dict[str, Any], theirs: dict[str, Any], keys: tuple[str, ...]
) -> None:
    """Those of a reset that a step does are not compared."""
    for key in keys if theirs else ():
        run.same(lane, f"info[{key!r}]", ours[key][lane], theirs[key], dtype=False)


def any_of(count: int) -> Any:
    """Any of so many actions, whatever is observed."""
    return lambda draw, _, n: draw.integers(0, count, n)
