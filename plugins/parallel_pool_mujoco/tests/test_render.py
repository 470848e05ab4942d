"""Pictures are Gymnasium's, pixel by pixel. In a process of its own: OpenGL is chosen by the environment."""

import parallel_pool
import pytest
from parallel_pool.pool_errors import NotOfferedError
from parallel_pool_mujoco.sdk import check_opengl, doctor
from test_envs.opengl import BACKEND, drawn, needs_opengl
from test_envs.programs import python

SCRIPT = """
import warnings
warnings.simplefilter("ignore")
import gymnasium, numpy as np, parallel_pool, pytest
from parallel_pool.testing import play_beside

def compare(task_id, steps, **camera):
    size = {"width": 64, "height": 48, **camera}

    def original():
        return gymnasium.make(task_id, render_mode="rgb_array", **size)

    def act(play):
        picture, wanted = play.pool.render([1])[0], play.originals[1].render()
        assert picture.dtype == wanted.dtype and np.array_equal(picture, wanted), (task_id, play.step)
        return play.sample()

    size_of_pool = {f"render_{name}": value for name, value in size.items()}
    with parallel_pool.make(task_id, num_envs=2, render_mode="rgb_array", **size_of_pool) as pool:
        play_beside(pool, original, act, seed=3, steps=steps)

for task_id in TASKS:
    compare(task_id, steps=1)
compare("Hopper-v5", steps=1, camera_id=0)
with parallel_pool.make("Hopper-v5", render_mode="rgb_array", render_camera_id=9) as pool:
    pool.reset()
    with pytest.raises(parallel_pool.OptionError, match="no camera 9"):
        pool.render()
"""


@needs_opengl
@pytest.mark.parametrize(
    "tasks",
    [
        ["Ant-v5", "InvertedDoublePendulum-v4"],
        pytest.param(["Humanoid-v4", "Reacher-v5"], marks=pytest.mark.slow),
    ],
    ids=str,
)
def test_pictures_are_gymnasiums(tasks: list[str]) -> None:
    drawn(f"TASKS = {tasks}{SCRIPT}")


def test_worker_processes_are_not_looked_into() -> None:
    """The renderer follows addresses, which in another process are something else."""
    with parallel_pool.make("Hopper-v5", isolation="process", render_mode="rgb_array") as pool:
        pool.reset(seed=0)
        with pytest.raises(NotOfferedError, match="cannot be drawn in worker processes"):
            pool.render()
        pool.step(pool.action_space.sample())


ORDERS = """
import sys, warnings
warnings.simplefilter("ignore")
import gymnasium, parallel_pool

def ours():
    with parallel_pool.make("Hopper-v5", render_mode="rgb_array") as pool:
        pool.reset(seed=1)
        try:
            print("ours", pool.render()[0].mean())
        except parallel_pool.OptionError as error:
            print("ours", error)

def theirs():
    env = gymnasium.make("Hopper-v5", render_mode="rgb_array")
    env.reset(seed=1)
    try:
        print("theirs", env.render().mean())
    except Exception as error:
        print("theirs", type(error))

for each in sys.argv[1].split():
    globals()[each]()
print("end")
"""


def without_a_display(script: str, *arguments: str, **variables: str) -> str:
    """What the script prints, where nothing but these variables says how to draw."""
    hidden = ("DISPLAY", "WAYLAND_DISPLAY", "MUJOCO_GL")
    return python("-c", script, *arguments, hidden=hidden, **variables)


NONE = "there is no OpenGL to draw with"


@pytest.mark.parametrize(
    ("order", "backend"),
    [
        ("theirs ours", {"MUJOCO_GL": "glfw"}),
        ("ours theirs ours ours", {"MUJOCO_GL": "glfw"}),
        pytest.param("theirs ours", {"MUJOCO_GL": ""}, marks=pytest.mark.slow),
        pytest.param("ours theirs ours ours", {}, marks=pytest.mark.slow),
    ],
)
def test_without_a_display_no_order_of_renderers_ends_the_process(
    order: str, backend: dict[str, str]
) -> None:
    """MuJoCo aborts it when it is asked a second time without OpenGL, whoever asks. Only Gymnasium's asks."""
    lines = without_a_display(ORDERS, order, **backend).splitlines()
    assert [line.split()[0] for line in lines] == [*order.split(), "end"]
    if backend.get("MUJOCO_GL") == "glfw":
        assert all(NONE in line for line in lines if line.startswith("ours"))


@needs_opengl
def test_without_a_display_and_without_mujoco_gl_it_draws() -> None:
    """What Gymnasium draws where it is told how. It draws nothing by itself here."""
    ours, theirs, _ = without_a_display(ORDERS, "ours theirs", MUJOCO_GL=str(BACKEND)).splitlines()
    alone, _, again, end = without_a_display(ORDERS, "ours theirs ours").splitlines()
    assert alone == again == ours == theirs.replace("theirs", "ours") and end == "end"


def test_where_gymnasium_drew_in_vain_the_error_says_how_to_begin() -> None:
    theirs, ours, again, _ = without_a_display(ORDERS, "theirs ours ours").splitlines()
    assert theirs == "theirs <class 'mujoco.FatalError'>"
    assert NONE in ours
    assert "MuJoCo was asked to draw all the same" in ours
    assert again == ours


@needs_opengl
def test_opengl_is_tried() -> None:
    """By `parallel-pool doctor`."""
    check = check_opengl()
    assert check.ok
    assert check.advice == ""
    assert "," in check.detail  # the backend, and what draws


def test_without_opengl_there_is_a_way_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "_DRAW", "import sys; sys.exit('egl: no such file')")
    check = check_opengl.__wrapped__()
    assert check.ok
    assert check.detail == "none: egl: no such file"
    assert "apt-get install libegl1" in check.advice
    monkeypatch.setattr(doctor, "_DRAW", "import time; time.sleep(60)")
    monkeypatch.setattr(doctor, "_SECONDS", 1)
    check = check_opengl.__wrapped__()
    assert (check.ok, check.detail) == (True, "none: it did not answer in 1 s")
    assert "driver hangs when several processes draw" in check.advice
    assert "apt-get" not in check.advice
