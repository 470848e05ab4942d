"""Environments that reset themselves: to learners a truncation is an end, without a last observation."""

from contextlib import closing
from typing import Any

import numpy as np
import pytest
from test_envs.libraries import needed

pytestmark = pytest.mark.usefixtures("test_envs")

CUT = {"num_envs": 2, "length": 3, "cuts": True, "seed": 1}


def test_stable_baselines3_bootstraps_from_nothing() -> None:
    needed("stable_baselines3")
    from parallel_pool_learning.sb3 import make_vec_env

    envs = make_vec_env("test/Itself-v0", **CUT)
    envs.reset()
    for _ in range(2):
        assert not envs.step(np.ones(2, np.int64))[2].any()
    obs, _, done, infos = envs.step(np.ones(2, np.int64))
    assert done.all() and obs[:, 2].tolist() == [0, 0]
    assert not any(info["TimeLimit.truncated"] or "terminal_observation" in info for info in infos)
    assert [info["episode"]["l"] for info in infos] == [3, 3]
    envs.close()


def test_skrl_bootstraps_from_nothing() -> None:
    needed("skrl")
    import torch
    from parallel_pool_learning import skrl

    class Agent:
        def record_transition(self, **rows: Any) -> None:
            self.rows = rows

    agent, env = Agent(), skrl.make_env("test/Itself-v0", **CUT)
    skrl.bootstrap_from_final_obs(agent, env)
    env.reset()
    for step in range(1, 4):
        obs, _, terminated, truncated, infos = env.step(torch.ones((2, 1), dtype=torch.int64))
        agent.record_transition(
            next_observations=obs, terminated=terminated, truncated=truncated, infos=infos
        )
        assert bool(agent.rows["terminated"].all()) == (step == 3)
        assert not agent.rows["truncated"].any()
    env.close()


def test_the_infos_of_gymnasium_0_29_have_no_final_observation() -> None:
    from parallel_pool_learning.cleanrl import make_vec_env

    with closing(make_vec_env("test/Itself-v0", **CUT)) as envs:
        envs.reset()
        info = [envs.step(np.ones(2, np.int64))[-1] for _ in range(3)][-1]
    assert [row["episode"]["r"].tolist() for row in info["final_info"]] == [[3.0], [3.0]]
    assert not any("final_obs" in name for name in info)
