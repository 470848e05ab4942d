"""Pictures are Gymnasium's, pixel by pixel. In a process of its own: OpenGL is chosen by the environment."""

from __future__ import annotations

import os
import subprocess
import sys

import parallel_pool
import pytest
from parallel_pool.pool_errors import NotOfferedError
from test_envs.opengl import drawn, needs_opengl

SCRIPT = """
import warnings
warnings.simplefilter("ignore")
import gymnasium, numpy as np, parallel_pool

def compare(task_id, mode="rgb_array", steps=4, camera=None, **options):
    arguments = {} if camera is None else {"camera_id": camera}
    env = gymnasium.make(task_id, render_mode=mode, width=64, height=48, **arguments, **options)
    arguments = {} if camera is None else {"render_camera_id": camera}
    pool = parallel_pool.make(task_id, num_envs=2, render_mode=mode, render_width=64,
                              render_height=48, seed=3, **arguments, **options)
    env.reset(seed=4)
    pool.reset()
    for step in range(steps):
        picture = pool.render([1])[0]
        wanted = env.render()
        assert picture.shape == wanted.shape and picture.dtype == wanted.dtype
        assert np.array_equal(picture, wanted), (task_id, step)
        action = np.full(env.action_space.shape, 0.1, np.float32)
        pool.step(np.stack([action] * 2))
        env.step(action)
    pool.close()
    env.close()

for task_id in ("Ant-v5", "Humanoid-v4", "Reacher-v5", "InvertedDoublePendulum-v4"):
    compare(task_id, steps=2)
compare("Hopper-v5", camera=0, steps=3)
with parallel_pool.make("Hopper-v5", render_mode="rgb_array", render_camera_id=9) as pool:
    pool.reset()
    try:
        pool.render()
    except parallel_pool.OptionError as error:
        assert "no camera 9" in str(error), error
    else:
        raise AssertionError("no error")
print("equal")
"""


@needs_opengl
def test_pictures_are_gymnasiums() -> None:
    assert drawn(SCRIPT).strip().endswith("equal")


def test_without_opengl_the_message_names_the_package() -> None:
    script = """
import parallel_pool
pool = parallel_pool.make("Hopper-v5", render_mode="rgb_array", seed=1)
pool.reset()
try:
    pool.render()
except parallel_pool.OptionError as error:
    print(error)
pool.close()
"""
    child = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={**os.environ, "MUJOCO_GL": "glfw", "DISPLAY": ":99"},
    )
    assert "apt-get install libegl1" in child.stdout, child.stderr


def test_worker_processes_are_not_looked_into() -> None:
    """The renderer follows addresses, which in another process are something else."""
    with parallel_pool.make("Hopper-v5", isolation="process", render_mode="rgb_array") as pool:
        pool.reset(seed=0)
        with pytest.raises(NotOfferedError, match="cannot be drawn in worker processes"):
            pool.render()
        pool.step(pool.action_space.sample())


@pytest.mark.parametrize("order", ["ours theirs", "theirs ours", "ours theirs ours ours"])
@pytest.mark.parametrize("backend", ["glfw", ""])
def test_without_opengl_no_order_of_renderers_ends_the_process(order: str, backend: str) -> None:
    """MuJoCo aborts it when it is asked a second time, whoever asks. Only Gymnasium's asks."""
    script = """
import sys, warnings
warnings.simplefilter("ignore")
import gymnasium, parallel_pool

def ours():
    with parallel_pool.make("Hopper-v5", render_mode="rgb_array") as pool:
        pool.reset(seed=1)
        try:
            pool.render()
        except parallel_pool.OptionError as error:
            assert "there is no OpenGL to draw with" in str(error)
        else:
            raise AssertionError("it draws on a screen that is not there")

def theirs():
    env = gymnasium.make("Hopper-v5", render_mode="rgb_array")
    env.reset()
    try:
        env.render()
    except Exception as error:
        print(type(error))

for each in sys.argv[1].split():
    globals()[each]()
print("end")
"""
    hidden = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
    done = subprocess.run(
        [sys.executable, "-c", script, order],
        env=hidden | {"MUJOCO_GL": backend},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("end\n")


def test_without_opengl_each_pool_says_so() -> None:
    """MuJoCo aborts the process when it is asked a second time."""
    script = """
import warnings
warnings.simplefilter("ignore")
import parallel_pool
for task_id in ("Hopper-v5", "Ant-v5", "Hopper-v5"):
    with parallel_pool.make(task_id, render_mode="rgb_array") as pool:
        pool.reset(seed=1)
        try:
            pool.render()
        except parallel_pool.OptionError as error:
            assert "there is no OpenGL to draw with" in str(error)
        else:
            raise AssertionError("it draws on a screen that is not there")
"""
    hidden = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
    done = subprocess.run(
        [sys.executable, "-c", script],
        env=hidden | {"MUJOCO_GL": "glfw"},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
