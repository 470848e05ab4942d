"""mjData's arrays of chosen environments, by name."""

import numpy as np
import parallel_pool
import pytest
from mujoco_originals import IDS, reference


@pytest.mark.parametrize("task_id", IDS)
def test_every_array_is_gymnasiums(task_id: str) -> None:
    env = reference(task_id)
    env.reset(seed=7)
    with parallel_pool.make(task_id, num_envs=3, seed=5) as pool:
        pool.reset()
        data = env.unwrapped.data  # type: ignore[attr-defined]
        names = [name for name in pool.array_names() if hasattr(data, name)]
        assert len(names) > 60
        for _ in range(2):
            for name in names:
                got, wanted = pool.read_array(name, [2])[0], getattr(data, name)
                assert np.array_equal(got, np.asarray(wanted).reshape(got.shape)), name
            action = pool.action_space.sample()
            pool.step(action)
            env.step(action[2])
    env.close()


def test_writing_is_gymnasiums_set_state() -> None:
    env = reference("Walker2d-v5")
    env.reset(seed=1)
    with parallel_pool.make("Walker2d-v5", num_envs=2, seed=1) as pool:
        pool.reset()
        qpos, qvel = np.linspace(-0.1, 1.2, 9), np.linspace(-1, 1, 9)
        env.unwrapped.set_state(qpos, qvel)  # type: ignore[attr-defined]
        pool.write_array("qpos", qpos[None], [0])
        pool.write_array("qvel", qvel[None], [0])
        action = np.full(6, 0.1, np.float32)
        # The solver begins from another guess after two calls than after one: not every bit is equal.
        np.testing.assert_allclose(
            pool.step(np.stack([action] * 2))[0][0], env.step(action)[0], rtol=1e-6, atol=1e-9
        )
        with pytest.raises(ValueError, match="xpos"):
            pool.write_array("xpos", np.zeros((1, 8, 3)), [0])
    env.close()
