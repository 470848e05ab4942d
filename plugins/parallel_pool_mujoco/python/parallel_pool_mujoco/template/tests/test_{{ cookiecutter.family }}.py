"""The rules of {{ cookiecutter.env }}."""

import numpy as np
import parallel_pool

ID = "{{ cookiecutter.family }}/{{ cookiecutter.env }}-v0"


def test_every_episode_has_a_mass_of_its_own() -> None:
    with parallel_pool.make(ID, num_envs=64, max_episode_steps=3) as envs:
        _, info = envs.reset(seed=0)
        masses = [info["mass"].copy()]
        for _ in range(8):
            _, _, _, _, info = envs.step(np.zeros((64, 8)))
            masses.append(info["mass"].copy())
    assert len(np.unique(masses)) == 3 * 64
    assert 3.5 <= np.min(masses) < 4 < 6 < np.max(masses) <= 6.5


def test_a_mass_is_what_model_overrides_would_set() -> None:
    heavy = {"body_mass": [0, 1.2 * 5, *[0.4] * 8]}
    with (
        parallel_pool.make(ID, mass_range=(1.2, 1.2), seed=1) as drawn,
        parallel_pool.make(ID, mass_range=(1, 1), seed=1, model_overrides=heavy) as built,
    ):
        drawn.reset()
        built.reset()
        for _ in range(50):
            action = np.full((1, 8), 0.3)
            found, expected = drawn.step(action)[0], built.step(action)[0]
            for name in ("joints", "torso"):
                np.testing.assert_array_equal(found[name], expected[name])


def test_a_robot_that_falls_ends_the_episode() -> None:
    with parallel_pool.make(ID) as envs:
        envs.reset(seed=0)
        envs.write_array("qpos", np.array([[0, 0, 0.15, 0, 1, 0, 0, *[0] * 8]], float))
        assert envs.step(np.zeros((1, 8)))[2].all()
