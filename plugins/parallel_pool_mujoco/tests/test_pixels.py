"""Observations that are pictures are those that Gymnasium draws of the same states, in every view."""

from typing import Any

import numpy as np
import parallel_pool
import pytest
from parallel_pool import OptionError
from test_envs.opengl import drawn, needs_opengl
from test_envs.programs import python


@needs_opengl
@pytest.mark.parametrize(
    "tasks",
    [
        ["Hopper-v5", "InvertedDoublePendulum-v4"],
        pytest.param(["Reacher-v5"], marks=pytest.mark.slow),
    ],
    ids=str,
)
def test_pictures_are_gymnasiums(tasks: list[str]) -> None:
    """With shadows and all, of tasks with a camera and without."""
    drawn(f"from pixel_twin import compare\nfor task_id in {tasks}:\n    compare(task_id)")


VIEWS = ("gymnasium", "gym", "dm")
MODES_AND_STACKS = [("NextStep", 1), ("SameStep", 3), ("NextStep", 3), ("SameStep", 1)]


@needs_opengl
@pytest.mark.parametrize(
    "runs",
    [
        [(view, *each) for view, each in zip(VIEWS, MODES_AND_STACKS, strict=False)],
        pytest.param(
            [(view, *each) for view in VIEWS for each in MODES_AND_STACKS], marks=pytest.mark.slow
        ),
    ],
    ids=["each once", "all"],
)
def test_episodes_and_stacks_in_every_view(runs: list[tuple[str, str, int]]) -> None:
    drawn(f"""
from pixel_twin import compare
for view, mode, depth in {runs}:
    compare("Ant-v5", steps=9, depth=depth, mode=mode, env_type=view, fast=True, max_episode_steps=4)
""")


@needs_opengl
def test_pictures_beside_observations_are_gymnasiums_wrapper() -> None:
    """AddRenderObservation with render_only=False, last observations too; and stacks of both."""
    drawn("""
import numpy as np
import parallel_pool
from gymnasium.wrappers import AddRenderObservation
from pixel_twin import SIZE, Original

original = Original("Hopper-v5", fast=True)
original.reset()  # its viewer draws fast from now on
options = {"seed": 4, "from_pixels": True, "pixels_only": False, "render_quality": "fast",
           "autoreset_mode": "SameStep", **SIZE}
for key in ("pixels", "camera"):
    env = AddRenderObservation(original.env, render_only=False, render_key=key)
    with (parallel_pool.make("Hopper-v5", observation_key=key, **options) as pool,
          parallel_pool.make("Hopper-v5", "dm", observation_key=key, frame_stack=2, **options) as dm):
        assert pool.single_observation_space == env.observation_space

        def same(seen, wanted):
            assert set(seen) == set(wanted) == {"state", key}
            for each, value in wanted.items():
                assert seen[each][0].dtype == value.dtype and np.array_equal(seen[each][0], value)

        wanted, _ = env.reset(seed=4)
        same(pool.reset()[0], wanted)
        dm.reset()
        action, ended = np.full((1, 3), 0.9, np.float32), False
        while not ended:
            before = wanted
            wanted, _, ended, _, _ = env.step(action[0])
            obs, _, _, _, info = pool.step(action)
            step = dm.step(action)
            stack = step.observation.final_obs if ended else step.observation.obs
            same(info["final_obs_dense"] if ended else obs, wanted)
            assert np.array_equal(stack["state"][0], np.stack([before["state"], wanted["state"]]))
            assert np.array_equal(stack[key][0, 3:], wanted[key].transpose(2, 0, 1))
        same(obs, env.reset()[0])
""")


@needs_opengl
def test_gymnasiums_arguments_of_pictures() -> None:
    """Every one of them, by its own name, against the same argument there."""
    drawn("""
from functools import partial
import mujoco
import numpy as np
import pixel_twin
from pixel_twin import RENDER_SIZE, SIZE

compare = partial(pixel_twin.compare, fast=True, lanes=1, steps=1)
config = {"trackbodyid": 1, "distance": 2.5, "lookat": np.array([0.0, 0, 1]), "elevation": -10}
compare("Hopper-v5", default_camera_config=config)
compare("Pusher-v5", default_camera_config={"distance": 2.5, "azimuth": 30.0})
for camera in ({"camera_id": 0}, {"camera_id": -1}, {"camera_name": "track"}, {"camera_id": None}):
    compare("Hopper-v5", **camera)
compare("Ant-v5", max_geom=5)
flags = mujoco.mjtVisFlag
shown = (flags.mjVIS_CONVEXHULL, flags.mjVIS_INERTIA, flags.mjVIS_COM)
compare("Ant-v5", visual_options={int(flag): True for flag in shown})
compare("Ant-v5", visual_options={int(flags.mjVIS_TEXTURE): False}, width=24, height=56)
compare("Ant-v5", pool_options=RENDER_SIZE)
""")


@needs_opengl
def test_resets_of_some_and_copies_of_pools() -> None:
    """The others' pictures stay, and a copy has the stacks. tests/model has restored states."""
    drawn("""
import pickle
import numpy as np
import parallel_pool

action = np.full((3, 8), 0.4)
with parallel_pool.make("Ant-v5", num_envs=3, seed=1, from_pixels=True, frame_stack=3,
                        render_quality="fast", width=24, height=24,
                        default_camera_config={"lookat": [0, 0, 0.5], "distance": 3.0}) as pool:
    pool.reset()
    before = [pool.step(action)[0] for _ in range(4)][-1]
    obs = pool.reset(seed=7, options={"reset_mask": np.array([True, False, False])})[0]
    assert np.array_equal(obs[1:], before[1:]) and not np.array_equal(obs[0], before[0])
    assert np.array_equal(obs[0][0], obs[0][2])
    assert np.array_equal(pool.reset([2], seed=[7])[0][0], obs[0])
    with pickle.loads(pool.pickled(include_state=True)) as copied:
        assert np.array_equal(copied.step(action)[0], pool.step(action)[0])
""")


@needs_opengl
def test_an_environment_that_fails_is_black() -> None:
    drawn("""
import numpy as np
import parallel_pool
import pytest

with parallel_pool.make("Hopper-v5", num_envs=3, from_pixels=True, render_quality="fast", seed=1,
                        width=24, height=24, on_warning="error") as pool:
    pool.reset()
    velocity = pool.read_array("qvel")
    velocity[1] = 1e12
    pool.write_array("qvel", velocity)
    with pytest.raises(parallel_pool.EnvError) as caught:
        pool.step(np.zeros((3, 3)))
    obs = caught.value.result[0]
    assert obs.shape == (3, 24, 24, 3)
    assert obs[0].any() and not obs[1].any() and obs[2].any()
""")


def test_spaces_are_known_before_there_is_anything_to_draw() -> None:
    spec = parallel_pool.make_spec("Hopper-v5", from_pixels=True)
    assert spec.observation_space.shape == (84, 84, 3)
    assert spec.observation_space.dtype == np.uint8
    spec = parallel_pool.make_spec("Hopper-v5", from_pixels=True, frame_stack=4, render_width=60)
    assert spec.observation_space.shape == (4, 84, 60, 3)
    assert spec.config.from_pixels and spec.config.frame_stack == 4


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"isolation": "process"}, "no pictures of environments in worker processes"),
        ({"render_quality": "best"}, "'render_quality' is 'best', expected one of"),
        ({"width": 64, "render_width": 64}, "render_width is said twice"),
        ({"camera_id": 0, "camera_name": "track"}, r"number of a camera .*camera_id\) or its name"),
        ({"width": -3}, r"render_width is -3, expected an integer in 0 \.\."),
        ({"default_camera_config": {"zoom": 2}}, "default_camera_config has 'zoom', but .*azimuth"),
        ({"default_camera_config": {"lookat": 2}}, "'lookat': 2, expected three numbers"),
        ({"default_camera_config": {"distance": "far"}}, "'distance': 'far', expected a number"),
        ({"default_camera_config": 7}, "'default_camera_config' is 7, expected a text"),
        ({"visual_options": {99: True}}, r"visual_options has '99', expected numbers .*0 \.\."),
        ({"visual_options": {"contacts": True}}, "visual_options has 'contacts', expected numbers"),
        ({"visual_options": {16: True}}, "mjVIS_CONTACTFORCE.*cannot be drawn"),
        ({"max_geom": 0}, "'max_geom' is 0, expected an integer in 1"),
        ({"from_pixels": 1}, "'from_pixels' is 1, expected True or False"),
    ],
)
def test_refusals(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=f"mujoco/Ant-v5.*{message}"):
        parallel_pool.make("Ant-v5", **{"from_pixels": True, **options})


@pytest.mark.parametrize(
    "backend", ["glfw", "egl", pytest.param("osmesa", marks=pytest.mark.slow), "no-such"]
)
def test_without_opengl_making_the_pool_names_the_package(backend: str) -> None:
    """Its library is hidden, or it is one that does not exist; glfw finds no display."""
    script = f"""
import sys
sys.modules["OpenGL.{backend.replace("egl", "EGL")}"] = None
import parallel_pool
try:
    parallel_pool.make("Hopper-v5", from_pixels=True)
except parallel_pool.OptionError as error:
    print(error)
"""
    printed = python("-c", script, MUJOCO_GL=backend, DISPLAY=":99")
    for part in ("mujoco/Hopper-v5", "MUJOCO_GL=egl", "apt-get install libegl1", "libosmesa6"):
        assert part in printed
