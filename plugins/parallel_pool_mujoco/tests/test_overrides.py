"""model_overrides: what assigning to `env.unwrapped.model` does in Gymnasium."""

from __future__ import annotations

from typing import Any

import numpy as np
import parallel_pool
import pytest
from mujoco_twin import reference
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


def test_environments_of_one_pool_may_differ() -> None:
    """Domain randomisation: each environment is Gymnasium's with its own assignments."""
    draw = np.random.default_rng(0)
    each = [
        {"opt.gravity": [0, 0, -9.81 * scale], "geom_friction": float(scale)}
        for scale in draw.uniform(0.5, 2, 6)
    ]
    each[3] = {}
    references = [reference("Walker2d-v5") for _ in each]
    for env, overrides in zip(references, each, strict=True):
        assign(env.unwrapped.model, overrides)  # type: ignore[attr-defined]
    rows = [{"model_overrides": overrides} for overrides in each]
    with parallel_pool.make("Walker2d-v5", env_options=rows, seed=1, num_threads=2) as pool:
        obs, _ = pool.reset()
        for lane, env in enumerate(references):
            np.testing.assert_array_equal(obs[lane], env.reset(seed=1 + lane)[0])
        for _ in range(8):
            actions = draw.uniform(-1, 1, (6, 6)).astype(np.float32)
            obs, reward, terminated, *_ = pool.step(actions)
            for lane, env in enumerate(references):
                expected, gain, term, *_ = env.step(actions[lane])
                np.testing.assert_array_equal(obs[lane], expected)
                assert (reward[lane], terminated[lane]) == (gain, term)
            assert not terminated.any()
        assert len(np.unique(pool.read_array("mjmodel_address"))) == 6
    with parallel_pool.make("Walker2d-v5", num_envs=6) as pool:
        pool.reset()
        assert len(np.unique(pool.read_array("mjmodel_address"))) == 1
    for env in references:
        env.close()
    with pytest.raises(OptionError, match=r"environment 1: model_overrides: .*'body_mas'"):
        parallel_pool.make("Hopper-v5", env_options=[{}, {"model_overrides": {"body_mas": 1}}])


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
