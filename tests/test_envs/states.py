"""Pools whose futures are compared, for the tests of saved states."""

from typing import Any

import numpy as np
from parallel_pool import make as make_again
from parallel_pool.schema.trees import map_tree
from test_envs.checks import leaves
from test_envs.pools import WALKS

ACTIONS: dict[str, int] = {"Count": 3, "Memory": 8, **dict.fromkeys(WALKS, 3)}
"""Environments with discrete actions, and how many."""


def actions_of(name: str, draw: np.random.Generator, n: int) -> Any:
    if name != "Types":
        return draw.integers(0, ACTIONS[name], n)
    return {
        "arm": {
            "force": draw.uniform(-1, 1, (n, 2)).astype(np.float32),
            "grip": draw.integers(0, 2, (n, 3)).astype(np.int8),
        },
        "joint": draw.integers(-2, 3, n),
        "pair": (draw.integers(0, 3, n), draw.integers(0, 2, (n, 2))),
    }


def equal(left: Any, right: Any) -> None:
    """Every array of two results, but what is measured or says nothing."""
    for result in (left, right):
        info = result[-1]
        info.pop("final_obs", None)  # an array of objects; the dense one has the same
        if "episode" in info:
            info["episode"].pop("t")
        for rows in leaves(info.get("final_obs_dense", ())):
            rows[~info["_final_obs_dense"]] = 0
    for got, wanted in zip(leaves(left), leaves(right), strict=True):
        np.testing.assert_array_equal(got, wanted)


def play(pool: Any, name: str, steps: int, seed: int) -> list[Any]:
    draw = np.random.default_rng(seed)
    return [pool.step(actions_of(name, draw, len(pool))) for _ in range(steps)]


def same_future(name: str, left: Any, right: Any, steps: int, seed: int = 7) -> None:
    for got, wanted in zip(
        play(left, name, steps, seed), play(right, name, steps, seed), strict=True
    ):
        equal(got, wanted)


def nested(actions: Any, *shape: int) -> Any:
    """The rows of actions in an array of this shape."""
    return map_tree(lambda rows: rows.reshape(*shape, *rows.shape[1:]), actions)


def expect_as_played(pool: Any, states: list[bytes] | bytes, actions: Any) -> None:
    """Simulates, and plays the same in a pool that has each state in an environment of its own."""
    got = pool.simulate(states, actions)
    count, horizon = got.rewards.shape
    definition = pool.definition
    alone = {**definition.given, "num_envs": count, "autoreset_mode": "Disabled"}
    for name in ("batch_size", "num_threads", "seed"):
        alone.pop(name, None)
    with make_again(definition.task_id, **alone) as twin:
        twin.set_state(None, [states] * count if isinstance(states, bytes) else states)
        alive = np.arange(count)
        rewards, lengths = np.zeros((count, horizon)), np.zeros(count, int)
        ends = np.zeros((2, count), bool)
        for step in range(horizon):
            if not alive.size:
                break
            obs, reward, *ended, _ = twin.step(
                map_tree(lambda rows, at=(alive, step): rows[at], actions), alive
            )
            rewards[alive, step] = reward
            lengths[alive] += 1
            ends[:, alive] = ended
            over = np.logical_or(*ended) | (step == horizon - 1)
            for last, rows in zip(leaves(got.obs), leaves(obs), strict=True):
                np.testing.assert_array_equal(last[alive[over]], rows[over])
            alive = alive[~over]
    np.testing.assert_array_equal(got.rewards, rewards)
    np.testing.assert_array_equal(got.lengths, lengths)
    np.testing.assert_array_equal((got.terminated, got.truncated), ends)
