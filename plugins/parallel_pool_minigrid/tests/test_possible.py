"""Options with which no level can be made are refused, and those next to them are not."""

from typing import Any

import parallel_pool
import pytest


def beside(cells: frozenset[tuple[int, int]], inner: int) -> frozenset[tuple[int, int]]:
    """The cells, and those next to them."""
    found = set(cells)
    for x, y in cells:
        found |= {(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)}
    return frozenset((x, y) for x, y in found if 0 <= x < inner and 0 <= y < inner)


def most_objects(room_size: int) -> int:
    """The most that one room holds: the agent walks up to each, and begins beside none."""
    inner = room_size - 2
    cells = inner * inner
    free = {beside(frozenset([(x, y)]), inner) for x in range(inner) for y in range(inner)}
    by_size: dict[int, set[frozenset[tuple[int, int]]]] = {}
    for each in free:
        by_size.setdefault(len(each), set()).add(each)
    for size in range(1, cells + 1):
        for each in by_size.get(size, set()):
            around = beside(each, inner)
            if len(around) == cells:
                return cells - size
            by_size.setdefault(size + 1, set()).update(each | {cell} for cell in around - each)
    raise AssertionError("the agent alone fits")


def reset(env_id: str, **options: Any) -> None:
    with parallel_pool.make(f"minigrid/{env_id}", num_envs=2, **options) as pool:
        pool.reset(seed=0)


@pytest.mark.parametrize(
    ("env_id", "others"), [("BabyAI-GoToLocal-v0", 0), ("BabyAI-GoToRedBall-v0", 1)]
)
@pytest.mark.parametrize("room_size", [4, 5, 6])
def test_as_many_objects_as_a_room_holds(env_id: str, others: int, room_size: int) -> None:
    most = most_objects(room_size) - others
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
