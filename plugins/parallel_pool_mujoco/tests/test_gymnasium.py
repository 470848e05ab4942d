"""Every id equals Gymnasium's environment of that name bit for bit, with the MuJoCo that is installed.

On the shipped library, through resets that go on with the same generator. The distances in rewards of
Reacher and Pusher and in `info` are equal where numpy's dot product does one of two things; see `_numpy.py`.
"""

from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import parallel_pool
import pytest
from mujoco_originals import IDS, TASKS, played, reference
from parallel_pool.registry import registry
from parallel_pool.testing import play_beside
from parallel_pool_mujoco._about import about
from parallel_pool_mujoco._envs import envs
from parallel_pool_mujoco.sdk import compile_file
from test_envs.originals import Beside

NEVER_ENDS = {"HalfCheetah", "HumanoidStandup", "Swimmer"}


@pytest.mark.parametrize("seeds", [1, pytest.param(5, marks=pytest.mark.slow)])
@pytest.mark.parametrize("task_id", IDS)
def test_several_seeds_and_a_thousand_steps(task_id: str, seeds: int, beside: Beside) -> None:
    # Seeds of 31 and of 32 bits.
    episodes = played(beside, task_id, lanes=seeds, seed=2**31 - 2, steps=1000).ended.sum()
    if task_id.partition("-")[0] in NEVER_ENDS:
        assert episodes == seeds
    else:
        assert episodes > 2 * seeds


@pytest.mark.parametrize("task", TASKS)
def test_spec(task: str) -> None:
    """Time limits, thresholds, spaces."""
    for version in ("v4", "v5"):
        original = reference(f"{task}-{version}")
        spec = parallel_pool.make_spec(f"{task}-{version}")
        assert original.spec is not None
        assert spec.config.max_episode_steps == original.spec.max_episode_steps
        assert spec.config.reward_threshold == original.spec.reward_threshold
        fps = registry().resolve(f"{task}-{version}").spec.render_fps
        assert fps == original.metadata["render_fps"]
        assert spec.action_space == original.action_space
        assert spec.observation_space == original.observation_space
        original.close()


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


@pytest.mark.parametrize(
    ("task_id", "dtype", "depth"),
    [("Hopper-v5", "float32", 3), ("Ant-v5", "float32", 1), ("Reacher-v4", "float64", 3)],
)
def test_stacks_and_dtypes(task_id: str, dtype: str, depth: int) -> None:
    def original() -> Any:
        env = reference(task_id)
        if depth > 1:
            env = gymnasium.wrappers.FrameStackObservation(env, depth, padding_type="reset")
        return gymnasium.wrappers.TransformObservation(env, lambda obs: obs.astype(dtype), None)

    with parallel_pool.make(task_id, frame_stack=depth, obs_dtype=dtype) as pool:
        space = pool.single_observation_space
        (env,) = play_beside(pool, original, seed=5, steps=100).originals
        assert (space.shape, space.dtype) == (env.observation_space.shape, dtype)


@pytest.mark.parametrize("spec", list(envs()), ids=lambda spec: spec.id)
def test_units_of_actions_and_cameras_of_films(
    spec: parallel_pool.EnvSpec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Units are the gears of the models' actuators."""
    monkeypatch.chdir(tmp_path)  # MuJoCo's compiler writes a log of warnings
    folder = Path(gymnasium.__file__).parent / "envs/mujoco/assets"
    model = compile_file(folder / str(spec.options["xml_file"]))
    found = about(spec)
    assert found is not None
    gears = model.actuator_gear[:, 0].tolist()
    assert [int(part.unit.split()[0]) for part in found.action] == gears
    cameras = {model.camera(number).name for number in range(model.ncam)}
    assert spec.film_camera in {*cameras, None}
    assert spec.film_camera == ("track" if "track" in cameras else None)
