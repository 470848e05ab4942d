"""reset(options=...) bounds the first state as Gymnasium does, for that one reset."""

from typing import Any

import gymnasium
import numpy as np
import parallel_pool
import pytest
from parallel_pool import OptionError

CASES: list[tuple[str, dict[str, float]]] = [
    ("CartPole-v1", {"low": -0.1, "high": 0.12}),
    ("CartPole-v1", {"high": 0.5}),
    ("MountainCar-v0", {"low": -0.7, "high": 0.5}),
    ("MountainCarContinuous-v0", {"low": -0.9}),
    ("Acrobot-v1", {"low": -3.0, "high": 10.0}),
    ("Pendulum-v1", {"x_init": 1.5}),
    ("Pendulum-v1", {"x_init": 1, "y_init": 0.25}),
]


@pytest.mark.parametrize(("task_id", "options"), CASES, ids=str)
def test_first_states_are_gymnasiums(task_id: str, options: dict[str, Any]) -> None:
    n = 50
    theirs = [gymnasium.make(task_id, disable_env_checker=True) for _ in range(n)]
    with parallel_pool.make(task_id, num_envs=n) as ours:
        for seed, given in ((3, options), (None, None), (None, options)):
            obs, _ = ours.reset(seed=seed, options=given)
            rows = [
                env.reset(seed=None if seed is None else seed + i, options=given)[0]
                for i, env in enumerate(theirs)
            ]
            np.testing.assert_array_equal(obs, rows)
        actions = np.stack([env.action_space.sample() for env in theirs])
        expected = [env.step(action)[0] for env, action in zip(theirs, actions, strict=True)]
        np.testing.assert_array_equal(ours.step(actions)[0], expected)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"low": 1.0}, "low is 1.0.* and high is 0.05"),
        ({"low": "a"}, "'low' is 'a'"),
        ({"lo": 1.0}, "Did you mean 'low'"),
        ({"high": float("inf")}, r"'high' is inf, expected a number in -1e\+10 .. 1e\+10"),
    ],
)
def test_bad_bounds_are_refused(options: dict[str, Any], message: str) -> None:
    with parallel_pool.make("CartPole-v1") as envs:
        with pytest.raises(ValueError, match=message):
            envs.reset(options=options)
        obs, _ = envs.reset()
        assert (np.abs(obs) <= 0.05).all()


BOUNDED = ("Acrobot-v1", "CartPole-v1", "MountainCar-v0", "MountainCarContinuous-v0")
WIDEST = {each: {"low": -1e10, "high": 1e10} for each in BOUNDED}
WIDEST["Pendulum-v1"] = {"x_init": 1e10, "y_init": 1e10}


@pytest.mark.parametrize(("task_id", "options"), WIDEST.items())
def test_the_widest_bounds_make_numbers(task_id: str, options: dict[str, Any]) -> None:
    gravity = [{"g": 1e300}, {"g": -1e300}] if "x_init" in options else [{}, {}]
    with parallel_pool.make(task_id, "gym", env_options=gravity, seed=0) as envs:
        assert np.isfinite(envs.reset(options=options)).all()
        for _ in range(20):
            action = np.stack([envs.action_space.sample() for _ in range(2)])
            obs, reward, *_ = envs.step(action)
            assert np.isfinite(obs).all()
            assert np.isfinite(reward).all()
        for name in options:
            with pytest.raises(OptionError, match=f"option {name!r} is 1.*, expected a number in"):
                envs.reset(options={name: 1e11})
    if "x_init" in options:
        with pytest.raises(OptionError, match="'g' is inf, expected a number in"):
            parallel_pool.make(task_id, g=np.inf)


def test_the_greatest_rewards_of_nchain_are_numbers() -> None:
    options = {"small": [1e38, -1e38], "large": [1e38, -1e38]}
    with parallel_pool.make("NChain-v0", "gym", env_options=options, n=1, seed=0) as envs:
        envs.reset()
        for action in (0, 1, 0, 1):
            assert np.isfinite(envs.step([action, action])[1]).all()
    for name in options:
        with pytest.raises(
            OptionError, match=rf"{name!r} is -inf, expected .* -1e\+38 \.\. 1e\+38"
        ):
            parallel_pool.make_spec("NChain-v0", **{name: -np.inf})


def test_a_state_can_be_set_by_hand() -> None:
    theirs = gymnasium.make("Pendulum-v1")
    theirs.reset(seed=0)
    with parallel_pool.make("Pendulum-v1", num_envs=2) as ours:
        ours.reset(seed=0)
        state = np.array([2.0, -7.9])
        ours.write_array("state", state[None], [0])
        theirs.unwrapped.state = state
        torque = np.array([1.3], np.float32)
        obs = ours.step(np.stack([torque, torque]))[0]
        np.testing.assert_array_equal(obs[0], theirs.step(torque)[0])
