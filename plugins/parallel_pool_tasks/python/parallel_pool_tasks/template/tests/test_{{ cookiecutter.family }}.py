"""The rules of {{ cookiecutter.env }}. That both modes agree is tested by the kit, in test_conformance.py."""

import numpy as np
import parallel_pool

ID = "{{ cookiecutter.family }}/{{ cookiecutter.env }}-v0"


def test_a_pole_that_falls_ends_the_episode() -> None:
    with parallel_pool.make(ID, num_envs=2, env_options={"widest": [0.3, 3.0]}) as envs:
        envs.reset(seed=0)
        envs.write_array("qpos", np.array([[0.0, 0.4]] * 2))
        _, reward, terminated, _, info = envs.step(np.zeros((2, 1), np.float32))
    np.testing.assert_array_equal(terminated, [True, False])
    np.testing.assert_array_equal(reward, 1.0 - info["tilt"])
