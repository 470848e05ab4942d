"""Observations that are pictures are those that Gymnasium draws of the same states."""

import numpy as np
import parallel_pool
import pytest
from test_envs.opengl import drawn, needs_opengl
from test_envs.programs import python


@needs_opengl
def test_episodes_stacks_and_pictures_beside_observations() -> None:
    """As AddRenderObservation with render_only=False has them, last ones too, and stacks of both.

    The other views: test_channels_are_where_transform_wants_them.
    """
    drawn("""
from functools import partial
import pixel_twin

compare = partial(pixel_twin.compare, steps=7, fast=True, max_episode_steps=3)
for mode in ("NextStep", "SameStep"):
    compare("Ant-v5", depth=3, mode=mode)
for depth, key in ((1, "pixels"), (2, "camera")):
    compare("Hopper-v5", depth=depth, key=key, mode="SameStep")
""")


@needs_opengl
def test_pictures_are_gymnasiums_with_all_its_arguments() -> None:
    """With shadows and all, of tasks with a camera and without; then each argument, by its own name."""
    drawn("""
from functools import partial
import mujoco
import numpy as np
import pixel_twin
from pixel_twin import RENDER_SIZE, SIZE

compare = partial(pixel_twin.compare, lanes=1, steps=1)
compare("Hopper-v5")
compare("InvertedDoublePendulum-v4")
compare = partial(compare, fast=True)
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
def test_resets_of_some_copies_of_pools_and_failures() -> None:
    """The others' pictures stay, a copy has the stacks, what fails is black. tests/model restores states."""
    drawn("""
import pickle
import numpy as np
import parallel_pool
import pytest

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


def test_channels_are_where_transform_wants_them() -> None:
    """With those of a stack on one axis, in every view, last observations too."""
    drawn("""
from opengl_stand_in import install

install("llvmpipe (LLVM 15.0.6, 256 bits)")
import numpy as np
import parallel_pool

def seen(env_type, depth, channels, key=""):
    "Observations of a reset and a step, and last ones of the step after; with a key its stack of numbers too."
    options = {"autoreset_mode": "SameStep", "max_episode_steps": 2, "width": 8, "height": 6}
    if key:
        options |= {"pixels_only": False, "observation_key": key}
    with parallel_pool.make("Hopper-v5", env_type, num_envs=2, seed=4, from_pixels=True,
                            frame_stack=depth, render_quality="fast",
                            transform={"channels": channels}, **options) as pool:
        results = [pool.reset(), *(pool.step(np.full((2, 3), 0.5, np.float32)) for _ in range(2))]
        if env_type == "dm":
            *shown, end = (each.observation for each in results)
            if key:
                rows = [*(each.obs for each in shown), end.final_obs]
                return [each[name] for name in (key, "state") for each in rows]
            declared = pool.observation_spec().pixels
            result = [*(each.pixels for each in shown), end.final_obs]
        elif env_type == "gym":
            declared = pool.spec.observation_space
            result = [results[0], results[1][0], results[2][-1]["final_obs"]]
        else:
            (obs, _), (then, *_), (*_, info) = results
            if key:
                return [each["state"] for each in (obs, then, info["final_obs_dense"])]
            declared = pool.single_observation_space
            result = [obs, then, info["final_obs_dense"]]
        for each in result:
            assert each.dtype == declared.dtype == np.uint8 and each.shape[1:] == declared.shape
        return result

for depth in (1, 3):
    plain = [each.reshape(2, depth, 6, 8, 3) for each in seen("gymnasium", depth, None)]
    first = [each.transpose(0, 1, 4, 2, 3).reshape(2, 3 * depth, 6, 8) for each in plain]
    last = [each.transpose(0, 2, 3, 1, 4).reshape(2, 6, 8, 3 * depth) for each in plain]
    assert any((a != b).any() for a, b in zip(plain, plain[1:]))
    for env_type in ("gymnasium", "gym", "dm"):
        for channels, wanted in (("first", first), ("last", last), (None, first)):
            if channels or env_type != "gymnasium":
                for ours, each in zip(seen(env_type, depth, channels), wanted):
                    assert ours.shape == each.shape and np.array_equal(ours, each), (env_type, channels)
    numbers = seen("gymnasium", depth, None, "camera")
    for ours, each in zip(seen("dm", depth, None, "camera"), [*first, *numbers], strict=True):
        assert ours.shape == each.shape and np.array_equal(ours, each), depth
""")
