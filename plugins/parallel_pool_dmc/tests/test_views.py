"""The same task in all views: Shimmy's spaces, FlattenObservation's order, dm_env's own test kit."""

import sys
from pathlib import Path

import numpy as np
import parallel_pool
import pytest
from dmc_originals import BY_NAME, reference, shimmy_of
from gymnasium import spaces
from parallel_pool.registry import registry
from parallel_pool_dmc._tasks import TASKS, Task

sys.path.append(str(Path(__file__).parents[3] / "tools"))
import dmc_page


@pytest.mark.parametrize("count", [1, pytest.param(None, marks=pytest.mark.slow)])
@pytest.mark.parametrize("domain", dict.fromkeys(task.domain for task in TASKS))
def test_spaces_and_specs(domain: str, count: int | None) -> None:
    """Each day a task of each domain is looked at, each week all of them."""
    tasks = [task for task in TASKS if task.domain == domain]
    for task in tasks[:count]:
        check_spaces_and_specs(task)
    space, flat = (
        parallel_pool.make_spec(tasks[-1].id, flatten=flatten).observation_space
        for flatten in (False, True)
    )
    assert flat == spaces.flatten_space(space)
    assert dmc_page.section(domain, tasks) in dmc_page.PAGE.read_text(), (
        "write the page again: uv run python tools/dmc_page.py"
    )


def check_spaces_and_specs(task: Task) -> None:
    env = reference(task, 0)
    spec = parallel_pool.make_spec(task.id)
    shimmy = shimmy_of(env)
    observed = env.observation_spec()
    assert spec.observation_space == shimmy.observation_space
    assert spec.action_space == shimmy.action_space
    with parallel_pool.make_dm(task.id, num_envs=1) as pool:
        assert list(pool.observation_spec().obs) == list(observed)
        for key, expected in observed.items():
            assert pool.observation_spec().obs[key] == expected
            assert pool.observation_spec().obs[key].name == key
        assert pool.action_spec() == env.action_spec()


def test_flat_observations_and_stacks() -> None:
    """As Gymnasium flattens them; a stack has the last ones."""
    with (
        parallel_pool.make("dmc/walker-walk", num_envs=2, seed=1) as plain,
        parallel_pool.make("dmc/walker-walk", num_envs=2, seed=1, flatten=True) as flat,
        parallel_pool.make("dmc/walker-walk", num_envs=2, seed=1, frame_stack=3) as stack,
    ):
        obs, rows, stacks = (pool.reset()[0] for pool in (plain, flat, stack))
        seen = [obs] * 3
        for _ in range(6):
            for lane in range(2):
                row = {key: value[lane] for key, value in obs.items()}
                wanted = spaces.flatten(plain.single_observation_space, row)
                np.testing.assert_array_equal(rows[lane], wanted)
            wanted = {key: np.stack([each[key] for each in seen], axis=1) for key in obs}
            np.testing.assert_equal(stacks, wanted)
            actions = plain.action_space.sample()
            obs, rows, stacks = (pool.step(actions)[0] for pool in (plain, flat, stack))
            seen = [*seen[1:], obs]


def test_every_name_of_a_task() -> None:
    for name, task in BY_NAME.items():
        for each in (f"dmc/{name}", name, task.envpool_id, f"dm_control/{name}-v0"):
            assert registry().resolve(each).spec.id == task.id


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
    """In the view `gym` each task of some domains has the keys of all of them, as EnvPool's has."""
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
