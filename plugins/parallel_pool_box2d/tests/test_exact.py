"""All ids equal Gymnasium's, bit for bit, over many episodes of the same objects."""

from typing import Any

import numpy as np
import parallel_pool
import pytest

pytest.importorskip("Box2D")

from box2d_twins import Driving, Play, Walking, at_random, landing, lockstep

CASES: list[tuple[str, Play, dict[str, Any]]] = [
    ("LunarLander-v3", at_random, {}),
    ("LunarLander-v3", landing, {}),
    ("LunarLander-v3", landing, {"enable_wind": True, "wind_power": 20.0}),
    ("LunarLander-v3", at_random, {"gravity": -3.0, "enable_wind": True, "turbulence_power": 2.0}),
    ("LunarLanderContinuous-v3", at_random, {}),
    ("LunarLanderContinuous-v3", landing, {"enable_wind": True}),
    ("BipedalWalker-v3", at_random, {}),
    ("BipedalWalker-v3", Walking(), {}),
    ("BipedalWalkerHardcore-v3", at_random, {}),
    ("BipedalWalkerHardcore-v3", Walking(), {}),
]


@pytest.mark.parametrize(("task_id", "play", "options"), CASES)
def test_30000_steps(task_id: str, play: Play, options: dict[str, Any]) -> None:
    assert lockstep(task_id, play, steps=10_000, **options) > 10


@pytest.mark.slow
@pytest.mark.timeout(3600)  # on a busy machine
@pytest.mark.parametrize(("task_id", "play", "options"), CASES)
def test_600000_steps(task_id: str, play: Play, options: dict[str, Any]) -> None:
    assert lockstep(task_id, play, steps=200_000, seed=100, **options) > 30


RACES: list[tuple[str, dict[str, Any]]] = [
    ("CarRacing-v3", {}),
    ("CarRacing-v3", {"continuous": False}),
    ("CarRacing-v3", {"domain_randomize": True, "lap_complete_percent": 0.5}),
]


@pytest.mark.parametrize(("task_id", "options"), RACES)
def test_races_with_pictures(task_id: str, options: dict[str, Any]) -> None:
    lockstep(task_id, Driving(), steps=300, **options)


def test_repeated_actions_with_pictures() -> None:
    lockstep("CarRacing-v3", Driving(), steps=30, frame_skip=3)


def test_repeats_end_at_the_limit_of_a_race() -> None:
    actions = np.random.default_rng(0).uniform([-1, 0, 0], [1, 0.05, 0.1], (143, 2, 3))
    actions = actions.astype(np.float32)
    with (
        parallel_pool.make("CarRacing-v3", num_envs=2, frame_skip=7) as fast,
        parallel_pool.make("CarRacing-v3", num_envs=2) as slow,
    ):
        assert (fast.spec.max_episode_steps, slow.spec.max_episode_steps) == (143, 1000)
        fast.reset(seed=1)
        slow.reset(seed=1)
        for number, action in enumerate(actions):
            obs, rewards, terminated, truncated, _ = fast.step(action)
            total = np.zeros(2)
            for _ in range(7 if number < 142 else 6):
                wanted, reward, ended, cut, _ = slow.step(action)
                total += reward
            np.testing.assert_array_equal(obs, wanted)
            np.testing.assert_array_equal(rewards, total)
            assert not terminated.any() and not ended.any()
            assert truncated.tolist() == cut.tolist() == [number == 142] * 2


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(("task_id", "options"), RACES)
def test_races_of_9000_pictures(task_id: str, options: dict[str, Any]) -> None:
    assert lockstep(task_id, Driving(), steps=3_000, seed=100, **options) > 3


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_races_of_repeated_actions() -> None:
    assert lockstep("CarRacing-v3", Driving(), steps=700, seed=100, frame_skip=3) > 3
