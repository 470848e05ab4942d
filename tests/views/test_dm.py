"""The pool as a batched dm_env environment. Time steps of every kind: tests/model."""

from typing import Any

import dm_env
import numpy as np
import pytest
from test_envs.pools import make

FIRST, MID, LAST = (int(each) for each in dm_env.StepType)


def play(pool: Any, actions: list[int]) -> list[tuple[Any, ...]]:
    """(step_type, reward, discount, elapsed) of one environment."""
    steps = [pool.reset(), *(pool.step(np.array([action])) for action in actions)]
    return [
        (
            step.step_type[0].item(),
            step.reward[0].item(),
            step.discount[0].item(),
            step.observation.elapsed_step[0].item(),
        )
        for step in steps
    ]


def test_an_environments_own_discount_is_passed_on() -> None:
    with make("Discount", "dm") as pool:
        assert isinstance(pool, dm_env.Environment)
        assert play(pool, [0, 0, 0, 0]) == [
            (FIRST, 0, 1, 0),
            (MID, 2, 0.25, 1),
            (MID, 2, 0.25, 2),
            (LAST, 2, 0.25, 3),
            (FIRST, 0, 1, 0),
        ]


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
@pytest.mark.parametrize("name", ["Count", "Walk", "Types", "Echo", "Discount"])
def test_rows_are_valid_by_the_specs(name: str, mode: str) -> None:
    with make(name, "dm", num_envs=3, seed=0, autoreset_mode=mode) as pool:
        spec = pool.observation_spec()
        step = pool.reset()
        assert step.observation._fields == spec._fields

        def validate(spec: Any, value: Any, row: int) -> None:
            if isinstance(spec, dict):
                assert list(spec) == list(value)
                for key in spec:
                    validate(spec[key], value[key], row)
            elif isinstance(spec, tuple):
                for one, each in zip(spec, value, strict=True):
                    validate(one, each, row)
            else:
                spec.validate(value[row])

        for row in range(3):
            validate(spec, step.observation, row)
        assert pool.reward_spec() is not None
        assert step.discount.dtype == step.reward.dtype == np.float64
        for row in range(3):
            pool.discount_spec().validate(step.discount[row])
            pool.reward_spec().validate(step.reward[row])


def test_action_specs() -> None:
    with make("Count", "dm") as pool:
        spec = pool.action_spec()
        assert (spec.num_values, spec.dtype) == (3, np.int32)
    with make("Echo", "dm") as pool:
        spec = pool.action_spec()
        assert (spec.minimum.tolist(), spec.maximum.tolist()) == ([-1, -1], [1, 1])
    with make("Types", "dm", num_envs=2) as pool:
        spec = pool.action_spec()
        assert set(spec) == {"arm", "joint", "pair"}
        assert spec["joint"].minimum == -2
        assert len(spec["pair"]) == 2
