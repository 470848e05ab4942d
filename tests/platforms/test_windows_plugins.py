"""The other plugins on a Windows Python, which wine runs.

The rows of Atari and MiniGrid are this machine's. MuJoCo's binary and the sines of Box2D's environments are
other ones there, so their originals are stepped there too.
"""

from pathlib import Path

import pytest
from platforms import rows_here
from windows_packages import install_plugin
from windows_python import WindowsPython

FOLDER = Path(__file__).parent
MUJOCO = ("absl-py", "etils", "fsspec", "glfw", "mujoco", "pyopengl", "typing-extensions", "zipp")
DM_CONTROL = ("dm-control", "dm-tree", "labmaze", "lxml", "protobuf", "pyparsing", "requests")
DM_CONTROL += ("attrs", "certifi", "charset-normalizer", "idna", "scipy", "setuptools", "tqdm")
DM_CONTROL += ("urllib3", "wrapt")
pytestmark = [pytest.mark.emulated, pytest.mark.timeout(2400)]


def test_atari(windows: WindowsPython) -> None:
    windows.install(["ale-py"])
    install_plugin(windows, "atari")
    assert windows.rows("atari") == rows_here("atari")


def test_minigrid(windows: WindowsPython) -> None:
    install_plugin(windows, "minigrid")
    assert windows.rows("minigrid") == rows_here("minigrid")


def test_box2d(windows: WindowsPython) -> None:
    windows.install(["box2d", "pygame-ce"])
    install_plugin(windows, "box2d")
    assert "3 tasks equal" in windows.run(FOLDER / "step_twins.py", "landers")
    assert "2 tasks equal" in windows.run(FOLDER / "step_twins.py", "walkers")


@pytest.fixture(scope="module")
def mujoco(windows: WindowsPython) -> WindowsPython:
    """With the plugin of MuJoCo, and Microsoft's libraries that it needs newer than wine's."""
    windows.install([*MUJOCO, "imageio", "packaging", "pillow"])
    windows.install_latest(["msvc-runtime"])
    install_plugin(windows, "mujoco")
    return windows


def test_mujoco(mujoco: WindowsPython) -> None:
    assert "11 tasks equal" in mujoco.run(FOLDER / "step_twins.py", "mujoco")


def test_dm_control(mujoco: WindowsPython) -> None:
    mujoco.install(DM_CONTROL)
    install_plugin(mujoco, "dmc")
    assert "13 tasks equal" in mujoco.run(FOLDER / "step_twins.py", "dmc")
