"""model_overrides: what assigning to `env.unwrapped.model` does in Gymnasium."""

from __future__ import annotations

from typing import Any

import numpy as np
import parallel_pool
import pytest
from gymnasium_twin import reference
from parallel_pool import OptionError

OVERRIDES: list[tuple[str, dict[str, Any]]] = [
    ("Hopper-v5", {"opt.gravity": [0.0, 0.5, -3.7]}),
    ("Ant-v5", {"body_mass": np.linspace(0.1, 2, 14), "opt.timestep": 0.005}),
    ("Walker2d-v5", {"geom_friction": 0.3, "dof_damping": np.full(9, 0.2), "opt.iterations": 7}),
    ("Humanoid-v5", {"actuator_gear": np.random.default_rng(0).uniform(0, 50, (17, 6))}),
]


def assign(model: Any, overrides: dict[str, Any]) -> None:
    for path, value in overrides.items():
        *parents, name = path.split(".")
        owner = model
        for parent in parents:
            owner = getattr(owner, parent)
        if isinstance(getattr(owner, name), np.ndarray):
            getattr(owner, name)[...] = value
        else:
            setattr(owner, name, value)


@pytest.mark.parametrize(("task_id", "overrides"), OVERRIDES)
def test_equal_to_gymnasium_with_the_same_assignments(
    task_id: str, overrides: dict[str, Any]
) -> None:
    env = reference(task_id)
    assign(env.unwrapped.model, overrides)  # type: ignore[attr-defined]
    with parallel_pool.make(task_id, seed=3, model_overrides=overrides) as pool:
        expected, _ = env.reset(seed=3)
        obs, _ = pool.reset()
        np.testing.assert_array_equal(obs[0], expected)
        for _ in range(40):
            action = pool.action_space.sample()
            obs, reward, terminated, *_ = pool.step(action)
            expected, gain, term, *_ = env.step(action[0])
            np.testing.assert_array_equal(obs[0], expected)
            assert (reward[0], terminated[0]) == (gain, term)
            if term:
                break
    env.close()


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        ({"body_mas": 1}, "no numbers 'body_mas'. Did you mean 'body_mass'"),
        ({"opt.gravty": 1}, "Did you mean 'opt.gravity'"),
        ({"nq": 3}, "no numbers 'nq'"),
        ({"body_mass": [1, 2]}, r"\['body_mass'\] has shape \(2,\), expected \(5,\)"),
        ({"body_mass": "heavy"}, r"\['body_mass'\]"),
        ({"body_mass": float("nan")}, "not finite"),
        ({"opt.iterations": 1.5}, "expected a number|a whole one"),
        ({"jnt_type": 0.5}, "a fraction"),
        ({"opt.timestep": object()}, "expected numbers by member"),
        ([1, 2], "model_overrides"),
    ],
)
def test_refusals(overrides: Any, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        parallel_pool.make("Hopper-v5", model_overrides=overrides)


def test_none_and_nothing_change_nothing() -> None:
    with (
        parallel_pool.make("Hopper-v5", seed=1) as plain,
        parallel_pool.make("Hopper-v5", seed=1, model_overrides={}) as empty,
        parallel_pool.make("Hopper-v5", seed=1, model_overrides=None) as none,
    ):
        wanted = plain.reset()[0]
        np.testing.assert_array_equal(empty.reset()[0], wanted)
        np.testing.assert_array_equal(none.reset()[0], wanted)
        assert empty.config["model"] == plain.config["model"]
