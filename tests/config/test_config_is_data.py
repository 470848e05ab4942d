"""A PoolConfig is data: making it changes nothing, and pools that are built from it do not change it."""

import copy
from dataclasses import fields
from typing import Any, get_type_hints

import numpy as np
import parallel_pool
import pytest
from parallel_pool.config.arguments import ARGUMENTS, PoolArguments
from parallel_pool.config.transform.kinds import MEMBERS, TransformArguments
from parallel_pool.configure import make_config
from parallel_pool.threads.thread_pool import ThreadPool
from parallel_pool.views.gymnasium import GymnasiumPool

TRANSFORM = {"normalize_obs": True, "frame_stack": 2, "normalize_reward": True}
CASES: dict[str, tuple[str, dict[str, Any]]] = {
    "native": ("CartPole-v1", {"num_envs": 2, "seed": 3, "transform": TRANSFORM}),
    "differing": ("Pendulum-v1", {"env_options": {"g": [1.0, 2.0]}, "seed": [4, 5]}),
    "python": ("gym:CartPole-v1", {"num_envs": 2, "seed": 3, "render_mode": "rgb_array"}),
}


def same(one: Any, other: Any) -> bool:
    return repr(one) == repr(other)


@pytest.mark.parametrize("case", CASES)
def test_making_a_config_changes_nothing_that_was_given(case: str) -> None:
    task_id, arguments = CASES[case]
    given = copy.deepcopy(arguments)
    first = make_config(task_id, given)
    assert same(given, arguments)
    assert same(first.values, make_config(task_id, given).values)
    assert same(make_config(task_id, first.again).values, {**first.values, "seed": first.seeds})


@pytest.mark.parametrize("case", CASES)
def test_pools_do_not_change_their_config(case: str) -> None:
    task_id, arguments = CASES[case]
    config = make_config(task_id, arguments)
    before = repr({each.name: getattr(config, each.name) for each in fields(config)})
    for _ in range(2):
        with GymnasiumPool(config) as envs:
            envs.reset()
            for _ in range(30):
                envs.step(envs.action_space.sample())
    assert repr({each.name: getattr(config, each.name) for each in fields(config)}) == before


def test_pools_of_one_config_share_no_running_state() -> None:
    config = make_config("CartPole-v1", {"num_envs": 2, "seed": 3, "transform": TRANSFORM})
    played = []
    with GymnasiumPool(config) as one, GymnasiumPool(config) as other:
        for envs in (one, other):
            rows = [envs.reset(seed=1)[0].copy()]
            rows += [envs.step([1, 0])[0].copy() for _ in range(20)]
            played.append(np.stack(rows))
        assert one.obs_statistics is not other.obs_statistics
        assert one.obs_statistics.count == other.obs_statistics.count > 40
    np.testing.assert_array_equal(played[0], played[1])


@pytest.mark.parametrize(
    ("cls", "table"), [(PoolArguments, ARGUMENTS), (TransformArguments, MEMBERS)]
)
def test_a_table_is_its_dataclass(cls: type[Any], table: Any) -> None:
    assert [each.name for each in fields(cls)] == [each.name for each in table]
    types = get_type_hints(cls, localns={"ThreadPool": ThreadPool})
    with parallel_pool.make("CartPole-v1", num_envs=2, transform={"clip_reward": 1}) as envs:
        values = envs.config if cls is PoolArguments else envs.config["transform"]
    for each in table:
        if (expected := types[each.name]) is not Any and "[" not in str(expected):
            assert isinstance(values[each.name], expected), each.name
