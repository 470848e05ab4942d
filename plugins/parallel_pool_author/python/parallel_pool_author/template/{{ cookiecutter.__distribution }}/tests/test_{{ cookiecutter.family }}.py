"""The rules of {{ cookiecutter.env }}."""

import numpy as np
import parallel_pool


def test_a_craft_without_thrust_falls() -> None:
    with parallel_pool.make("{{ cookiecutter.family }}/{{ cookiecutter.env }}-v0", num_envs=4) as envs:
        obs, info = envs.reset(seed=0)
        assert (info["fuel"] == 10).all()
        before = obs[:, 1].copy()
        obs, reward, terminated, truncated, info = envs.step(np.zeros(4, int))
        np.testing.assert_allclose(before - obs[:, 1], 0.162, rtol=1e-5)
        assert (reward == 0).all()


def test_hitting_the_ground_ends_the_episode() -> None:
    with parallel_pool.make("{{ cookiecutter.family }}/{{ cookiecutter.env }}-v0", num_envs=1, gravity=30) as envs:
        envs.reset(seed=0)
        for _ in range(100):
            obs, reward, terminated, _, _ = envs.step([0])
            if terminated[0]:
                assert obs[0, 0] == 0
                assert reward[0] < -10
                return
    raise AssertionError("it never came down")
