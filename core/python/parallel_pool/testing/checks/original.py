"""Agreement with the environment that this one reproduces."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from parallel_pool.schema.trees import map_tree
from parallel_pool.testing.env_under_test import Actions, EnvUnderTest, parting
from parallel_pool.testing.findings import Finding, Inapplicable


def reference(tested: EnvUnderTest) -> str | None:
    """Same seed, same actions: the same observations, rewards and ends as the original, bit for bit."""
    if tested.reference is None:
        raise Inapplicable("no reference was named")
    seeds = range(5)
    table = tested.actions(len(seeds))
    for env, seed in enumerate(seeds):
        original = _made(tested)
        try:
            with tested.pool(
                num_envs=1, seed=[seed], autoreset_mode="Disabled", texts="str"
            ) as pool:
                mine = pool.reset()[0]
                theirs = original.reset(seed=seed)[0]
                _agree(mine, theirs, seed, "the first observation")
                for step in range(table.steps):
                    action = table.rows(np.array([step]), np.array([env]))
                    obs, reward, terminated, truncated, _ = pool.step(action)
                    answer = original.step(_first(action))
                    moment = f"step {step + 1}"
                    _agree(obs, answer[0], seed, f"the observation of {moment}")
                    _agree(reward, float(answer[1]), seed, f"the reward of {moment}")
                    _agree(terminated, bool(answer[2]), seed, f"terminated at {moment}")
                    _agree(truncated, bool(answer[3]), seed, f"truncated at {moment}")
                    if answer[2] or answer[3]:
                        _agree(
                            pool.reset()[0], original.reset()[0], seed, f"the reset after {moment}"
                        )
        finally:
            original.close()
    return f"{len(seeds)} seeds of {table.steps} steps"


def leaves_its_bounds(tested: EnvUnderTest, table: Actions, steps: int, env: int) -> bool:
    """Whether the original, if one was named, shows what is not in its own observation space, when it plays as
    environment `env` of a pool with the seeds 1, 2, 3 ... has for so many steps. Equality is for `reference`.
    """
    if tested.reference is None:
        return False
    original = _made(tested)
    try:
        seen, _ = original.reset(seed=1 + env)
        over = False
        for step in range(steps):
            if over:  # NEXT_STEP: the action is ignored
                seen, over = original.reset()[0], False
                continue
            action = _first(table.rows(np.array([step % table.steps]), np.array([env])))
            seen, _, terminated, truncated, _ = original.step(action)
            over = terminated or truncated
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of a number that is no array
            return not original.observation_space.contains(seen)
    finally:
        original.close()


def _made(tested: EnvUnderTest) -> Any:
    import gymnasium

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the original's own space
        named = isinstance(tested.reference, str)
        return (
            gymnasium.make(tested.reference, disable_env_checker=True)
            if named
            else tested.reference()
        )


def _first(action: Any) -> Any:
    return map_tree(lambda rows: rows[0], action)


def _agree(mine: Any, theirs: Any, seed: int, what: str) -> None:
    if isinstance(theirs, dict):
        for name in theirs:
            _agree(mine[name], theirs[name], seed, f"{what} ({name})")
        return
    if isinstance(theirs, tuple):
        for index, each in enumerate(theirs):
            _agree(mine[index], each, seed, f"{what} ({index})")
        return
    if not np.array_equal(np.asarray(mine)[0], np.asarray(theirs), equal_nan=False):
        where, ours, originals = parting(np.asarray(mine)[0], theirs)
        raise Finding(
            f"{what}{where} with seed {seed} is {ours}, and the original's is {originals}"
        )
