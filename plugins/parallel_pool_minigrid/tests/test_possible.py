"""Options with which no level can be made, or that are wrong, are refused; those next to them are not."""

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


FETCH = "MiniGrid-Fetch-5x5-N2-v0"


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
        (FETCH, {"goal_direction": "slope"}, "goal_direction.*no goal"),
        (FETCH, {"no_death": "lava,goal"}, "no_death has 'goal', which is none of wall .* lava"),
        (FETCH, {"random_action": 7}, "random_action"),
        (FETCH, {"level_seeds": [1]}, "level_seeds.*Did you mean 'episode_seeds'"),
        (FETCH, {"death_cost": float("nan")}, "death_cost"),
        (FETCH, {"position_bonus": float("inf")}, "position_bonus"),
        (FETCH, {"agent_view_size": 4}, "agent_view_size has to be odd"),
        (
            "MiniGrid-Dynamic-Obstacles-5x5-v0",
            {"random_action": 3},
            r"random_action is 3.*actions 0 \.\. 2",
        ),
    ],
)
def test_what_is_refused(env_id: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(parallel_pool.OptionError, match=message):
        parallel_pool.make(f"minigrid/{env_id}", **options)


def test_objects_that_leave_no_place_for_another_are_placed_again() -> None:
    reset("PutNear-v0", size=5, num_objs=4)
