"""Pictures and windows."""

import sys
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from parallel_pool import envpool
from test_envs.pools import begun

CARTPOLE = (400, 600, 3)


def test_pictures() -> None:
    with begun(envpool.make_gymnasium("CartPole-v1", num_envs=3, render_mode="rgb_array")) as pool:
        assert pool.render_mode == "rgb_array"
        assert "human" in pool.metadata["render_modes"]
        assert pool.render().shape == (1, *CARTPOLE)
        assert pool.render(1).shape == (1, *CARTPOLE)
        assert pool.render(np.array([0, 2])).shape == (2, *CARTPOLE)
        assert pool.render(env_ids=[0, 2], camera_id=-1).dtype == np.uint8


@pytest.mark.parametrize("make", [envpool.make_gymnasium, envpool.make_dm])
def test_without_a_mode(make: Any) -> None:
    with (
        begun(make("CartPole-v1")) as pool,
        pytest.raises(RuntimeError, match="without a render_mode"),
    ):
        pool.render()


@pytest.mark.parametrize("make", [envpool.make_gymnasium, envpool.make_dm])
def test_a_window(make: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a stand-in for OpenCV; the one of the tests has no windows."""
    shown: list[Any] = []
    closed: list[str] = []
    cv2: Any = ModuleType("cv2")
    cv2.imshow = lambda *title_and_picture: shown.append(title_and_picture)
    cv2.waitKey = lambda _: 0
    cv2.destroyWindow = closed.append
    monkeypatch.setitem(sys.modules, "cv2", cv2)
    with begun(make("CartPole-v1", num_envs=2, render_mode="human", render_env_id=1)) as pool:
        assert pool.config["render_mode"] == "human"
        assert pool.render() is None
        with pytest.raises(ValueError, match="shows one environment, not 2"):
            pool.render([0, 1])
    [(title, picture)] = shown
    assert title.startswith("CartPole")
    assert picture.shape == CARTPOLE
    assert closed == [title]


def test_a_window_needs_opencv(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cv2", None)
    with envpool.make_gymnasium("CartPole-v1", render_mode="human") as pool:
        assert pool.render_mode == "human"
        pool.reset()
        with pytest.raises(RuntimeError, match="pip install opencv-python"):
            pool.render()
