"""FrozenLake is Gymnasium's, draw for draw: every map and option, over many seeds and episodes."""

from typing import Any

import parallel_pool
import pytest
from gymnasium.envs.toy_text.frozen_lake import generate_random_map
from parallel_pool import OptionError
from parallel_pool.testing import Play
from test_envs.originals import Beside


def to_the_goal(play: Play) -> Any:
    """Down and to the right, mostly."""
    return play.draw.choice(4, play.pool.num_envs, p=[0.1, 0.4, 0.4, 0.1])


@pytest.mark.parametrize(
    ("task_id", "steps", "ends"), [("FrozenLake-v1", 100, 300), ("FrozenLake8x8-v1", 150, 100)]
)
def test_frozen_lake(task_id: str, steps: int, ends: int, beside: Beside) -> None:
    how = {"num_envs": 100, "steps": steps, "infos": ("prob",)}
    assert beside(task_id, task_id, to_the_goal, **how).ended.sum() > ends


@pytest.mark.parametrize(
    "options",
    [
        {"is_slippery": False},
        {"success_rate": 0.9},
        {"success_rate": 0.0},
        {"success_rate": 1.0},
        {"reward_schedule": (10, -1, -0.01)},
        {"map_name": "8x8"},
        {"desc": None, "map_name": "4x4", "is_slippery": False},
        {"desc": ["SFF", "FHG"]},
        {"desc": ["FSF", "SXS", "HHG"], "map_name": None},
        {"desc": ["FSF", "SXS", "HHG"], "is_slippery": False},
        {"desc": generate_random_map(size=12, seed=3)},
    ],
    ids=str,
)
def test_frozen_lake_with_options(options: dict[str, Any], beside: Beside) -> None:
    how = {"num_envs": 20, "steps": 60, "infos": ("prob",), **options}
    assert beside("FrozenLake-v1", "FrozenLake-v1", to_the_goal, **how).ended.sum() > 10


@pytest.mark.parametrize("seed", [0, 1, 7, 123456])
def test_random_lakes_are_those_of_generate_random_map(seed: int) -> None:
    expected = generate_random_map(size=8, p=0.8, seed=seed)
    options = {"desc": None, "map_name": None, "map_seed": seed}
    with parallel_pool.make("FrozenLake-v1", num_envs=2, **options) as envs:
        envs.reset()
        drawn = envs.read_array("map")[0]
    assert ["".join(map(chr, row)) for row in drawn] == expected


def test_envpools_size_is_a_map() -> None:
    assert parallel_pool.make_spec("FrozenLake-v1", size=8).observation_space.n == 64


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"desc": ["SF", "F"]}, "row 1 has 1 tiles, not 2"),
        ({"desc": ["FF", "FG"]}, "no tile 'S'"),
        ({"reward_schedule": [1, 0]}, "'reward_schedule' has 2 numbers"),
        ({"size": 5}, "size is 5"),
        ({"success_rate": 1.5}, "0 .. 1"),
        ({"map_name": "5x5"}, "'4x4', '8x8'"),
    ],
)
def test_bad_lakes_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        parallel_pool.make("FrozenLake-v1", **options)
