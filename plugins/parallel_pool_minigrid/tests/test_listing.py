"""What lists have."""

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
