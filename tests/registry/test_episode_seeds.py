"""Lists of seeds in every family: each episode is the one that a reset with its seed begins."""

from typing import Any

import numpy as np
import parallel_pool
import pytest
from parallel_pool.schema.trees import leaves

FAMILIES: dict[str, dict[str, Any]] = {
    "CartPole-v1": {},
    "Taxi-v4": {},
    "LunarLander-v3": {},
    "HalfCheetah-v5": {},
    "dmc/cartpole-swingup-v1": {},
    "MiniGrid-MultiRoom-N2-S4-v0": {"max_steps": 12},
    "Breakout-v5": {"episodic_life": True, "noop_max": 8},
    "ALE/Pong-v5": {"repeat_action_probability": 0.25},
    "VizdoomBasic-v1": {},
    "gym:CartPole-v1": {},
}
MODES = ("NextStep", "SameStep", "Disabled")
IN_EVERY = ("Breakout-v5", "gym:CartPole-v1")
CASES = [
    pytest.param(
        *(task_id, mode),
        marks=[pytest.mark.slow] * (task_id == "gym:CartPole-v1" and mode != "SameStep"),
    )
    for number, task_id in enumerate(FAMILIES)
    for mode in (MODES if task_id in IN_EVERY else MODES[number % 3 :][:1])
]
"""Lives, and environments in Python, in every mode; what a mode is elsewhere has tests/pool."""
NUM_ENVS = 2


def same_row(mine: Any, i: int, theirs: Any) -> None:
    """Of observations of this pool, and of one environment of another."""
    for one, other in zip(leaves(mine), leaves(theirs), strict=True):
        np.testing.assert_array_equal(np.asarray(one)[i], np.asarray(other)[0])


@pytest.mark.parametrize(("task_id", "mode"), CASES)
def test_an_episode_is_that_of_its_seed(task_id: str, mode: str) -> None:
    """Beside a pool that is reset by hand; a life that goes on with its game without a seed."""
    options: dict[str, Any] = {"num_envs": NUM_ENVS, **FAMILIES[task_id]}
    if "max_steps" not in options and "episodic_life" not in options:
        options["max_episode_steps"] = 12
    listed = {"episode_seeds": range(100, 107), "episode_order": "turns", "autoreset_mode": mode}
    known: list[list[int]] = [[], []]
    with (
        parallel_pool.make(task_id, seed=1, **listed, **options) as pool,
        parallel_pool.make(task_id, seed=2, autoreset_mode="Disabled", **options) as hand,
    ):

        def begun(obs: Any, info: Any, i: int) -> None:
            env, seed = int(info["env_id"][i]), int(info["episode_seed"][i])
            again = bool(known[env]) and known[env][-1] == seed
            expected = hand.reset([env], seed=None if again else [seed])[0]
            if not again:
                known[env].append(seed)
            same_row(obs, i, expected)

        obs, info = pool.reset()
        for i in range(NUM_ENVS):
            begun(obs, info, i)
        pool.action_space.seed(3)
        steps = 15 if task_id == "VizdoomBasic-v1" else 45  # each seed starts an engine
        for _ in range(500 if "episodic_life" in options else steps):
            actions = pool.action_space.sample()
            obs, _, terminated, truncated, info = pool.step(actions)
            ended = terminated | truncated
            for i in range(NUM_ENVS):
                if info["elapsed_step"][i] == 0 and not ended[i]:  # NextStep
                    begun(obs, info, i)
                    continue
                expected, _, over, cut, _ = hand.step(actions[i : i + 1], [i])
                assert bool(ended[i]) == bool(over[0] | cut[0])
                if ended[i] and mode == "SameStep":
                    assert info["final_info"]["episode_seed"][i] == known[i][-1]
                    begun(obs, info, i)
                    continue
                same_row(obs, i, expected)
            if mode == "Disabled" and ended.any():
                ids = np.flatnonzero(ended)
                obs, info = pool.reset(ids)
                for i in range(len(ids)):
                    begun(obs, info, i)
        for i, seeds in enumerate(known):
            assert len(seeds) > 1
            assert seeds == [100 + (i + k * NUM_ENVS) % 7 for k in range(len(seeds))]
