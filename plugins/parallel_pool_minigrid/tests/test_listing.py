"""What lists have, and what can be made besides."""

import gymnasium
import minigrid  # noqa: F401  (its ids)
import parallel_pool


def test_lists_have_minigrids_ids() -> None:
    theirs = {
        f"minigrid/{each}"
        for each in gymnasium.registry
        if each.startswith(("MiniGrid-", "BabyAI-")) and "WFC" not in each
    }
    assert set(parallel_pool.list_all_envs("minigrid")) == theirs
    assert len(theirs) == 172


def test_environments_of_the_library_can_be_made_too() -> None:
    for task_id in ("minigrid/DoorKey", "minigrid/BabyAI-LevelGen-v0", "minigrid/KeyCorridor-v0"):
        with parallel_pool.make(task_id, num_envs=2, max_steps=7) as envs:
            envs.reset()
