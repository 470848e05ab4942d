"""The pool as a batched dm_env environment. Time steps of every kind: tests/model."""

import dm_env
import numpy as np
import pytest
from parallel_pool.schema.trees import paths
from test_envs.pools import make

FIRST, MID, LAST = (int(each) for each in dm_env.StepType)


def test_an_environments_own_discount_is_passed_on() -> None:
    with make("Discount", "dm") as pool:
        assert isinstance(pool, dm_env.Environment)
        steps = [pool.reset(), *(pool.step(np.array([0])) for _ in range(4))]
        rows = [(*step[:3], step.observation.elapsed_step) for step in steps]
        assert [tuple(column.item() for column in row) for row in rows] == [
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
        step = pool.reset()
        assert step.observation._fields == pool.observation_spec()._fields
        specs, values = (
            dict(paths(each, "")) for each in (pool.observation_spec(), step.observation)
        )
        assert list(specs) == list(values)
        for path, spec in specs.items():
            for row in range(3):
                spec.validate(values[path][row])
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
