"""A pool beside Gymnasium's own environments, step by step, with the same seeds and actions."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import parallel_pool

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
        obs, info = ours.reset(seed=first)
        answers = [env.reset(seed=first + i) for i, env in enumerate(theirs)]
        done = np.zeros(num_envs, bool)
        _same_rows(obs, [answer[0] for answer in answers], "first observation")
        _same_info(info, [answer[-1] for answer in answers], keys)
        for step in range(steps):
            actions = policy(draw, obs, num_envs)
            obs, reward, terminated, truncated, info = ours.step(actions)
            answers = [
                (*env.reset()[:1], 0.0, False, False, {}) if was_done else env.step(actions[i])
                for i, (env, was_done) in enumerate(zip(theirs, done, strict=True))
            ]
            _same_rows(obs, [answer[0] for answer in answers], f"observation of step {step}")
            np.testing.assert_array_equal(reward, [float(answer[1]) for answer in answers])
            np.testing.assert_array_equal(terminated, [answer[2] for answer in answers])
            np.testing.assert_array_equal(truncated, [answer[3] for answer in answers])
            _same_info(info, [answer[4] for answer in answers], keys)
            done = terminated | truncated
            ended += int(done.sum())
    return ended


def _original(original: str | Callable[..., Any], options: dict[str, Any]) -> Any:
    if callable(original):
        return original(**options)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*out of date.*")
        return gymnasium.make(original, disable_env_checker=True, **options)


def _same_rows(ours: Any, theirs: list[Any], what: str) -> None:
    if isinstance(ours, tuple):
        for i, column in enumerate(ours):
            _same_rows(column, [row[i] for row in theirs], what)
        return
    expected = np.array(theirs)
    assert ours.dtype == expected.dtype
    np.testing.assert_array_equal(ours, expected, err_msg=what)


def _same_info(ours: dict[str, Any], theirs: list[dict[str, Any]], keys: tuple[str, ...]) -> None:
    for i, info in enumerate(theirs):
        if not info:  # of a reset by the way
            continue
        for key in keys:
            np.testing.assert_array_equal(ours[key][i], info[key], err_msg=key)


def any_of(count: int) -> Any:
    """Any of so many actions, whatever is observed."""
    return lambda draw, _, n: draw.integers(0, count, n)
