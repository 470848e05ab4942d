"""EnvPool's pool in dm_env's words."""

from typing import Any

import dm_env
import numpy as np
from parallel_pool import envpool
from parallel_pool_envpool.records import nested, record_class, record_of
from test_envs.checks import leaves


def make(name: str = "Count", **arguments: Any) -> Any:
    return envpool.make_dm(f"test/{name}-v0", **arguments)


def test_a_time_step() -> None:
    with make("Count", num_envs=2, max_count=2) as pool:
        assert isinstance(pool, dm_env.Environment)
        first = pool.reset()
        assert isinstance(first, dm_env.TimeStep)
        assert first.observation._fields == ("env_id", "players", "obs", "total")
        assert type(first.observation).__name__ == "State"
        assert first.observation.env_id.tolist() == [0, 1]
        assert first.observation.players.env_id.tolist() == [0, 1]
        assert type(first.observation.players).__name__ == "players"
        assert first.first().all()
        assert first.reward.dtype == first.discount.dtype == np.float32
        assert first.step_type.dtype == np.int32
        assert (first.reward.tolist(), first.discount.tolist()) == ([0, 0], [1, 1])
        pool.step(np.array([1, 2]))
        last = pool.step(np.array([1, 2]))
        assert last.last().all()
        assert last.discount.tolist() == [0, 0]
        assert last.reward.tolist() == [1, 2]
        assert pool.reset(np.array([1])).observation.env_id.tolist() == [1]


def test_several_observations_are_fields() -> None:
    with make("Types", num_envs=2) as pool:
        state = pool.reset().observation
        spec = pool.observation_spec()
        assert state._fields == spec._fields
        for value, expected in zip(leaves(state), leaves(spec), strict=True):
            assert (value.shape, value.dtype) == ((2, *expected.shape), expected.dtype)
        assert pool.action_spec()._fields


def test_specs() -> None:
    with make("Count") as pool:
        assert pool.action_spec().num_values == 3
        assert pool.observation_spec().obs.shape == ()
        assert pool.reward_spec().shape == pool.discount_spec().shape == ()
        assert pool.spec.observation_spec()._fields == pool.observation_spec()._fields
        pool.spec.id = "Other-v0"
        assert pool.spec.id == "Other-v0"


def test_records() -> None:
    fields = record_class("State", ["a", "class", "2d", "x-y", "x_y"])._fields
    assert fields == ("a", "_1", "_2", "x_y", "x_y_1")
    assert nested({"a.b": 1, "a.c": 2, "d": 3}) == {"a": {"b": 1, "c": 2}, "d": 3}
    record = record_of("State", {"a": {"b": 1}, "d": (2, {"e": 3})})
    assert (record.a.b, record.d[0], record.d[1].e) == (1, 2, 3)
