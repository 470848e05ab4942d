"""All ids equal Gymnasium's, bit for bit, over many episodes of the same objects."""

from functools import partial
from typing import Any

import numpy as np
import parallel_pool
import pytest

pytest.importorskip("Box2D")

from box2d_originals import Driving, Walking, landing, played
from test_envs.originals import Beside, unrecorded

CASES: list[tuple[str, Any, dict[str, Any]]] = [
    ("LunarLander-v3", None, {}),
    ("LunarLander-v3", landing, {}),
    ("LunarLander-v3", landing, {"enable_wind": True, "wind_power": 20.0}),
    ("LunarLander-v3", None, {"gravity": -3.0, "enable_wind": True, "turbulence_power": 2.0}),
    ("LunarLanderContinuous-v3", None, {}),
    ("LunarLanderContinuous-v3", landing, {"enable_wind": True}),
    ("BipedalWalker-v3", None, {}),
    ("BipedalWalker-v3", Walking(), {}),
    ("BipedalWalkerHardcore-v3", None, {}),
    ("BipedalWalkerHardcore-v3", Walking(), {}),
]


@pytest.mark.parametrize(("task_id", "policy", "options"), CASES)
def test_9000_steps(task_id: str, policy: Any, options: dict[str, Any], beside: Beside) -> None:
    # With the reset they fill thirty digests of the record.
    assert played(beside, task_id, policy, steps=2_999, **options).ended.sum() > 3


RACES: list[tuple[str, dict[str, Any]]] = [
    ("CarRacing-v3", {}),
    ("CarRacing-v3", {"continuous": False}),
    ("CarRacing-v3", {"domain_randomize": True, "lap_complete_percent": 0.5}),
]


@pytest.mark.parametrize(("task_id", "options"), RACES)
def test_races_with_pictures(task_id: str, options: dict[str, Any], beside: Beside) -> None:
    played(beside, task_id, Driving(), steps=300, **options)


def test_repeated_actions_with_pictures(beside: Beside) -> None:
    played(beside, "CarRacing-v3", Driving(), steps=30, frame_skip=3)


@pytest.mark.parametrize(
    ("limit", "isolation"),
    [(None, None), (150, None), pytest.param(150, "process", marks=pytest.mark.slow)],
)
def test_repeats_end_at_the_limit_of_a_race(limit: int | None, isolation: str | None) -> None:
    """At Gymnasium's, inside of the 143rd action; and nowhere before a longer one of the pool."""
    last = 142 if limit is None else limit - 1
    actions = np.random.default_rng(0).uniform([-1, 0, 0], [1, 0.05, 0.1], (last + 1, 2, 3))
    actions = actions.astype(np.float32)
    make = partial(parallel_pool.make, "CarRacing-v3", num_envs=2)
    with (
        make(frame_skip=7, isolation=isolation, max_episode_steps=limit) as fast,
        make(max_episode_steps=7 * limit if limit else None) as slow,
    ):
        assert fast.spec.max_episode_steps == last + 1
        assert slow.spec.max_episode_steps == (7 * limit if limit else 1000)
        fast.reset(seed=1)
        slow.reset(seed=1)
        for number, action in enumerate(actions):
            if number == 100 and limit:  # a state has no limit
                with make(frame_skip=7) as usual:
                    usual.set_state(None, fast.get_state())
            obs, rewards, terminated, truncated, _ = fast.step(action)
            total = np.zeros(2)
            for _ in range(6 if number == 142 and limit is None else 7):
                wanted, reward, ended, cut, _ = slow.step(action)
                total += reward
            np.testing.assert_array_equal(obs, wanted)
            np.testing.assert_array_equal(rewards, total)
            assert not terminated.any() and not ended.any()
            assert truncated.tolist() == cut.tolist() == [number == last] * 2


@pytest.mark.slow
@pytest.mark.timeout(3600)  # on a busy machine
@pytest.mark.parametrize(
    ("task_id", "policy", "options", "steps", "ends"),
    [
        *((*case, 200_000, 30) for case in CASES),
        *((task_id, Driving(), options, 3_000, 3) for task_id, options in RACES),
        ("CarRacing-v3", Driving(), {"frame_skip": 3}, 700, 3),
    ],
)
def test_for_long(
    task_id: str, policy: Any, options: dict[str, Any], steps: int, ends: int
) -> None:
    assert played(unrecorded, task_id, policy, steps=steps, seed=100, **options).ended.sum() > ends


@pytest.mark.parametrize("part", [5, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    ("task_id", "branches"),
    [
        ("LunarLander-v3", 500),
        ("LunarLanderContinuous-v3", 300),
        ("BipedalWalker-v3", 100),
        ("BipedalWalkerHardcore-v3", 70),
        ("CarRacing-v3", 30),
    ],
)
def test_copies_go_on_as_replayed_ones(task_id: str, branches: int, part: int) -> None:
    """Environment 1 gets copies of environment 0, and 2 the same by bytes; each has played something else."""
    random = np.random.default_rng(0)
    with parallel_pool.make(task_id, num_envs=3, num_threads=1, seed=3) as pool:
        pool.reset()
        pool.action_space.seed(3)
        for _ in range(branches // part):
            for _ in range(random.integers(1, 25)):
                pool.step(pool.action_space.sample())
            pool.set_state([2], pool.get_state([0]))
            pool.clone(0, [1])
            assert len(set(pool.get_state())) == 1
            for _ in range(12):
                obs, rewards, *ends, _ = pool.step(pool.action_space.sample()[[0, 0, 0]])
                for each in (obs, rewards, *ends):
                    assert each[0].tobytes() == each[1].tobytes() == each[2].tobytes()
