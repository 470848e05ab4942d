"""infos="minimal": what stays, in every view, and that nothing else changes."""

import numpy as np
import parallel_pool
import pytest
from parallel_pool import envpool
from test_envs.pools import begun, make
from test_envs.telling import told

MODES = ("NextStep", "SameStep", "Disabled")


@pytest.mark.parametrize("mode", MODES)
def test_the_gymnasium_view(mode: str) -> None:
    with make("Count", num_envs=2, max_count=1, infos="minimal", autoreset_mode=mode) as pool:
        assert pool.config["infos"] == "minimal"
        _, info = pool.reset()
        assert set(info) == {"env_id", "_env_id"}
        *_, info = pool.step(np.array([1, 1]))
        assert {"total", "elapsed_step", "_total"}.isdisjoint(info)
        assert ("final_obs" in info) == ("final_info" in info) == (mode == "SameStep")


def test_the_other_views() -> None:
    with begun(make("Count", "gym", infos="minimal", max_episode_steps=1)) as pool:
        *_, info = pool.step(np.array([1]))
        assert set(info) == {"env_id", "players", "TimeLimit.truncated", "episode", "_episode"}
    with make("Count", "dm", infos="minimal") as pool:
        state = pool.reset().observation
        assert state._fields == ("obs", "env_id", "players", "elapsed_step")
        assert pool.observation_spec()._fields == state._fields
    with envpool.make_dm("test/Count-v0", infos="minimal") as pool:
        assert pool.reset().observation._fields == ("env_id", "players", "obs")
        assert pool.observation_spec()._fields == ("env_id", "players", "obs")


def test_what_was_asked_for_stays() -> None:
    arguments = {"infos": "minimal", "episode_statistics": True, "max_count": 1}
    with begun(make("Count", **arguments)) as pool:
        *_, info = pool.step(np.array([2]))
        assert info["episode"]["r"].tolist() == [2]
    with make("Count", num_envs=4, batch_size=2, infos="minimal") as pool:
        pool.async_reset()
        assert len(pool.recv()[4]["env_id"]) == 2
    with make("Team", num_envs=2, infos="minimal") as pool:
        assert {"present", "acting"} <= set(pool.reset()[1]["players"])


def test_python_environments() -> None:
    for infos, said in (("all", True), ("minimal", False)):
        with told(parallel_pool.make, {"words": "go on"}, {}, infos=infos) as pool:
            assert ("words" in pool.reset()[1]) == said
            assert ("words" in pool.step([0, 1])[-1]) == said
