"""Every vector wrapper of Gymnasium that needs no renderer, in every mode that it allows."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from gymnasium.wrappers import vector as wrappers
from test_envs.pools import make
from twins import MODES

ONLY_NEXT_STEP = {"NormalizeObservation"}
NOT_SAME_STEP = {
    "TransformObservation",
    "FlattenObservation",
    "ReshapeObservation",
    "RescaleObservation",
    "DtypeObservation",
    "FilterObservation",
}

THREE = np.full(2, 3, np.float32)

Wrap = Callable[[Any], Any]
WRAPPERS: dict[str, tuple[str, Wrap]] = {
    "RecordEpisodeStatistics": ("Walk", wrappers.RecordEpisodeStatistics),
    "NormalizeObservation": ("Walk", wrappers.NormalizeObservation),
    "NormalizeReward": ("Walk", wrappers.NormalizeReward),
    "ClipReward": ("Walk", lambda env: wrappers.ClipReward(env, -0.5, 0.5)),
    "TransformReward": ("Walk", lambda env: wrappers.TransformReward(env, lambda r: -r)),
    "ClipAction": ("Echo", wrappers.ClipAction),
    "RescaleAction": ("Echo", lambda env: wrappers.RescaleAction(env, -THREE, THREE)),
    "TransformAction": ("Walk", lambda env: wrappers.TransformAction(env, lambda a: 2 - a)),
    "TransformObservation": ("Walk", lambda env: wrappers.TransformObservation(env, lambda o: -o)),
    "FlattenObservation": ("Walk", wrappers.FlattenObservation),
    "ReshapeObservation": ("Walk", lambda env: wrappers.ReshapeObservation(env, (1, 2))),
    "RescaleObservation": (
        "Discount",
        lambda env: wrappers.RescaleObservation(env, 0 * THREE, THREE),
    ),
    "DtypeObservation": ("Walk", lambda env: wrappers.DtypeObservation(env, np.float64)),
    "FilterObservation": ("Types", lambda env: wrappers.FilterObservation(env, ["echo"])),
    "DictInfoToList": ("Count", wrappers.DictInfoToList),
}


def run(name: str, env: Any, mode: str, steps: int = 40) -> int:
    """Random steps; the answers lie in the wrapper's spaces. Counts the ends of episodes."""
    obs, info = env.reset(seed=1)
    env.action_space.seed(1)
    ends = 0
    for _ in range(steps):
        if name != "NormalizeObservation":  # its space says float64, its answers follow the input
            assert env.observation_space.contains(obs)
        obs, reward, terminated, truncated, info = env.step(env.action_space.sample())
        assert reward.shape == terminated.shape == (3,)
        assert isinstance(info, list if name == "DictInfoToList" else dict)
        over = terminated | truncated
        ends += int(over.sum())
        if mode == "Disabled" and over.any():
            obs, info = env.reset(options={"reset_mask": over})
    return ends


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", WRAPPERS)
def test_wrappers_run(name: str, mode: str) -> None:
    env_name, wrap = WRAPPERS[name]
    with make(env_name, num_envs=3, seed=0, max_episode_steps=5, autoreset_mode=mode) as pool:
        refuses = (mode != "NextStep" and name in ONLY_NEXT_STEP) or (
            mode == "SameStep" and name in NOT_SAME_STEP
        )
        if refuses:
            with pytest.raises(ValueError, match="autoreset"):
                wrap(pool)
            return
        assert run(name, wrap(pool), mode) >= 3 * 6


def test_statistics_after_a_partial_reset_are_of_the_others() -> None:
    """Gymnasium's own environments take reset_mask out of the options, and this wrapper forgets all."""
    env = wrappers.RecordEpisodeStatistics(make(num_envs=2, max_count=3, autoreset_mode="Disabled"))
    env.reset()
    env.step([2, 2])
    env.reset(options={"reset_mask": np.array([True, False])})
    env.step([2, 2])
    *_, info = env.step([2, 2])
    assert info["_episode"].tolist() == [False, True]
    assert info["episode"]["r"].tolist() == [0, 6]
    env.close()
