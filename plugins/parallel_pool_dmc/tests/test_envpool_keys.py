"""In the view `gym` each task of some domains has the keys of all of them, as EnvPool's has."""

import numpy as np
import parallel_pool
import pytest

HUMANOID = {
    "joint_angles",
    "head_height",
    "extremities",
    "torso_vertical",
    "com_velocity",
    "position",
    "velocity",
}
KEYS = {
    "FingerSpin-v1": {"position", "velocity", "touch", "target_position", "dist_to_target"},
    "FishUpright-v1": {"joint_angles", "upright", "velocity", "target"},
    "HumanoidRun-v1": HUMANOID,
    "HumanoidRunPureState-v1": HUMANOID,
    "HumanoidCMURun-v1": HUMANOID - {"position"},
}


@pytest.mark.parametrize("id", KEYS)
def test_keys_are_envpools(id: str) -> None:
    with (
        parallel_pool.make_gym(id, num_envs=1, seed=1) as pool,
        parallel_pool.make_dm(id, num_envs=1, seed=1) as usual,
    ):
        shown, expected = pool.reset(), usual.reset().observation.obs
        assert set(shown) == KEYS[id]
        for key, value in expected.items():
            np.testing.assert_array_equal(shown[key], value, err_msg=key)


def test_task_name_may_say_what_the_id_says() -> None:
    spec = parallel_pool.make_spec("CartpoleSwingupSparse-v1", task_name="swingup_sparse")
    assert spec.id == "dmc/cartpole-swingup_sparse-v1"
    with pytest.raises(
        parallel_pool.OptionError, match="task_name is 'run', but the task is 'walk'"
    ):
        parallel_pool.make_spec("WalkerWalk-v1", task_name="run")
