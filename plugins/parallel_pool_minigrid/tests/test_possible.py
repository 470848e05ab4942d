"""Options with which no level can be made are refused, and those next to them are not."""

from typing import Any

import parallel_pool
import pytest


def reset(env_id: str, **options: Any) -> None:
    with parallel_pool.make(f"minigrid/{env_id}", num_envs=2, **options) as pool:
        pool.reset(seed=0)


@pytest.mark.parametrize(
    ("env_id", "others"), [("BabyAI-GoToLocal-v0", 0), ("BabyAI-GoToRedBall-v0", 1)]
)
@pytest.mark.parametrize(("room_size", "most"), [(4, 1), (5, 4), (6, 8)])
def test_as_many_objects_as_a_room_holds(
    env_id: str, others: int, room_size: int, most: int
) -> None:
    """The agent walks up to each, and begins beside none."""
    most -= others
    reset(env_id, room_size=room_size, num_dists=most)
    message = (
        rf"room_size={room_size}, num_dists={most + 1}; make room_size .* num_dists at most {most}$"
    )
    with pytest.raises(parallel_pool.OptionError, match=message):
        reset(env_id, room_size=room_size, num_dists=most + 1)


@pytest.mark.parametrize(
    ("env_id", "options", "message"),
    [
        ("BabyAI-GoToObjDoor-v0", {"room_size": 5}, "room_size=5; make room_size at least 6"),
        ("BabyAI-PutNext-v0", {"room_size": 4}, "objs_per_room=4; make .* objs_per_room at most 1"),
        (
            "BabyAI-LevelGen-v0",
            {"num_rows": 1, "num_cols": 1, "locked_room_prob": 0.0, "action_kinds": "open"},
            "make num_rows at least 2, or num_cols at least 2",
        ),
        ("BabyAI-LevelGen-v0", {"num_rows": 1, "num_cols": 1}, "locked_room_prob has to be 0"),
    ],
)
def test_other_levels(env_id: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(parallel_pool.OptionError, match=message):
        reset(env_id, **options)


def test_objects_that_leave_no_place_for_another_are_placed_again() -> None:
    reset("PutNear-v0", size=5, num_objs=4)
