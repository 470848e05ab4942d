"""mjData's arrays of chosen environments, by name."""

import numpy as np
import parallel_pool
import pytest
from mujoco_originals import reference


@pytest.mark.parametrize("task_id", ["Ant-v5", "Humanoid-v4", "Pusher-v5", "Swimmer-v4"])
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
