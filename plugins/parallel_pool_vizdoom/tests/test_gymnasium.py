"""The ids of ViZDoom's Gymnasium environments against those environments themselves."""

from __future__ import annotations

from typing import Any

import numpy as np
import parallel_pool
import pytest
from vizdoom.gymnasium_wrapper.gymnasium_env_defns import VizdoomScenarioEnv


def reference(cfg: str, pressed: int) -> Any:
    """Gymnasium's; no sound card is needed."""
    return VizdoomScenarioEnv(cfg, frame_skip=3, max_buttons_pressed=pressed)


@pytest.mark.parametrize(
    ("name", "cfg", "pressed"),
    [("VizdoomBasic-v1", "basic.cfg", 1), ("VizdoomTakeCover-MultiBinary-v1", "take_cover.cfg", 0)],
)
def test_as_gymnasium_has_it(name: str, cfg: str, pressed: int) -> None:
    theirs = reference(cfg, pressed)
    draw = np.random.default_rng(1)
    with parallel_pool.make(name, num_envs=1, frame_skip=3) as pool:
        assert type(pool.single_action_space) is type(theirs.action_space)
        assert pool.single_action_space.shape == theirs.action_space.shape
        assert set(pool.single_observation_space) == set(theirs.observation_space)
        for key, space in theirs.observation_space.items():
            assert pool.single_observation_space[key].shape == space.shape
            assert pool.single_observation_space[key].dtype == space.dtype
        over, episodes = True, 0
        expected, _ = theirs.reset(seed=11)
        obs, _ = pool.reset(seed=11)
        for step in range(230):
            same(obs, expected, f"step {step}")
            if pressed:
                action = draw.integers(theirs.action_space.n)
            else:
                action = draw.integers(0, 2, theirs.action_space.n).astype(np.int8)
            expected, reward, terminated, truncated, _ = theirs.step(action)
            got = pool.step(np.asarray([action]))
            assert (got[1][0], got[2][0], got[3][0]) == (reward, terminated, truncated)
            obs, over = got[0], terminated or truncated
            if over:  # theirs shows zeros here
                episodes += 1
                expected, _ = theirs.reset()
                obs, *_ = pool.step(np.asarray([action]))
        assert episodes >= 1
    theirs.close()


def same(obs: Any, expected: Any, here: str) -> None:
    for key, value in expected.items():
        assert obs[key][0].tobytes() == np.ascontiguousarray(value).tobytes(), f"{here}: {key}"
