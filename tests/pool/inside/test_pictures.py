"""Pictures of environments, drawn by their library or by a renderer in Python."""

from typing import Any

import numpy as np
import pytest
from gymnasium.wrappers.vector import HumanRendering
from parallel_pool.errors import OptionError
from parallel_pool.plugin_api import EnvSpec, hookimpl
from parallel_pool.pool_errors import EnvAccessError, ResetNeededError
from parallel_pool.registry import loading, registry
from parallel_pool.rendering.resizing import resized
from test_envs.checks import refused
from test_envs.inspectable_pools import NAMES, make
from test_envs.pools import begun


@pytest.mark.parametrize("name", NAMES)
def test_pictures(name: str) -> None:
    with make(name, render_mode="rgb_array") as pool:
        assert pool.render_mode == "rgb_array"
        assert pool.metadata["render_modes"] == ["rgb_array", "ansi"]
        assert pool.metadata["render_fps"] == 5
        with refused(ResetNeededError, "environment 0 was never reset, so it cannot be drawn"):
            pool.render()
        pool.reset()
        pool.step(np.ones(6, int), None)
        pool.step(np.ones(2, int), [1, 4])
        frames = pool.render()
        assert isinstance(frames, tuple)
        assert len(frames) == 6
        first = np.arange(18, dtype=np.uint8).reshape(2, 3, 3)
        for env, frame in enumerate(frames):
            np.testing.assert_array_equal(frame, first + (20 if env in (1, 4) else 10))
        assert len(pool.render([4])) == 1
        for _ in range(6):
            pool.step(np.ones(1, int), [0])
        with refused(EnvAccessError, "environment 0 could not be drawn: camera-shy"):
            pool.render()
        pool.step(np.ones(6, int))
        assert len(pool.render()) == 6


def test_pictures_in_the_other_views() -> None:
    with make("Inspectable", "gym", render_mode="rgb_array", render_env_id=2, rows=1) as pool:
        pool.reset()
        assert pool.render().shape == (1, 1, 3, 3)
        assert pool.render(env_ids=[0, 5, 1]).shape == (3, 1, 3, 3)
        assert pool.render(3).shape == (1, 1, 3, 3)
    with begun(make("Inspectable", "dm", render_mode="rgb_array", rows=1)) as pool:
        assert pool.render().shape == (1, 1, 3, 3)


class Pen:
    """A renderer in Python. Knows what it was asked for."""

    arrays = ("motion", "trace")

    def __init__(self, arguments: Any) -> None:
        self.arguments = dict(arguments)
        self.closed = 0

    def draw(self, arrays: Any, options: Any) -> Any:
        assert arrays["trace"].shape == (2, 3)
        return f"{arrays['motion'][0]:.2f} of {options['rows']} from {self.arguments['camera']}"

    def close(self) -> None:
        self.closed += 1


class PenPlugin:
    def __init__(self, library: str) -> None:
        self.library = library
        self.pens: list[Pen] = []

    @hookimpl
    def parallel_pool_library(self, family: str) -> str:
        return self.library

    @hookimpl
    def parallel_pool_renderer(self, spec: EnvSpec, mode: str, arguments: Any) -> Pen | None:
        if mode != "ansi":
            return None
        if arguments["camera"] == "cellar":
            raise OptionError(f"{spec.id}: no camera in the cellar")
        self.pens.append(Pen(arguments))
        return self.pens[-1]


def test_a_renderer_in_python(inspectable: str) -> None:
    plugin = PenPlugin(inspectable)
    loading.attach(registry().plugin("inspectable"), plugin)
    with make("Inspectable", num_envs=3, render_mode="ansi", rows=9, seed=1) as pool:
        with refused(ResetNeededError, "environment 0"):
            pool.render()
        pool.reset(options={"low": 2, "high": 2})
        assert pool.render() == ("2.00 of 9 from None",) * 3
        pool.step(np.full(3, 2))
        assert pool.render([1]) == ("2.25 of 9 from None",)
        assert len(plugin.pens) == 1
        assert pool.render([1], "roof") == ("2.25 of 9 from roof",)
        assert [pen.closed for pen in plugin.pens] == [1, 0]
        with refused(OptionError, "no camera in the cellar"):
            pool.render(camera="cellar")
    assert [pen.closed for pen in plugin.pens] == [1, 1]
    with make("Inspectable", "gym", num_envs=2, render_mode="ansi", render_camera_id=4) as pool:
        pool.reset(options={"low": 2, "high": 2})
        assert pool.render([1, 0]) == ["2.00 of 2 from 4"] * 2
    with make("Inspectable", "gym", num_envs=2, render_mode="ansi", render_camera_id=-2) as pool:
        pool.reset(options={"low": 2, "high": 2})
        assert pool.render([1]) == ["2.00 of 2 from -1"]  # the free one
    with begun(make("Inspectable", num_envs=2, render_mode="rgb_array")) as pool:
        assert pool.render()[0].shape == (2, 3, 3)


class Renaming(PenPlugin):
    @hookimpl
    def parallel_pool_translate(self, spec: EnvSpec, options: dict[str, Any]) -> dict[str, Any]:
        return {{"wide": "render_width"}.get(name, name): each for name, each in options.items()}


def test_a_plugin_may_have_other_names_for_common_arguments(inspectable: str) -> None:
    loading.attach(registry().plugin("inspectable"), Renaming(inspectable))
    with make("Inspectable", num_envs=2, wide=64, rows=3) as pool:
        assert pool.config["render_width"] == 64
        assert pool.config["rows"] == 3 and "wide" not in pool.config
    with refused(OptionError, "inspectable/Inspectable-v0", "render_width is said twice"):
        make("Inspectable", wide=64, render_width=64)
    with refused(OptionError, "render_width is 'x', expected an integer"):
        make("Inspectable", wide="x")
    with refused(OptionError, "environment 0", "render_width"):
        make("Inspectable", num_envs=2, env_options=[{"wide": 64}, {}])


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        ({"render_mode": "human"}, ["'human'", HumanRendering.__name__]),
        ({"render_mode": "svg"}, ["'svg'", "it has 'rgb_array', 'ansi'"]),
        ({"render_env_id": 6}, ["render_env_id is 6", "0 .. 5"]),
        ({"render_width": 2.5}, ["render_width is 2.5"]),
        ({"render_camera_id": -3}, ["render_camera_id is -3", "-2 .. "]),
        ({"render_camera_name": 3}, ["render_camera_name is 3"]),
        ({"render_camera_name": "side", "render_camera_id": 1}, ["not both"]),
    ],
)
def test_render_arguments_are_checked(arguments: dict[str, Any], parts: list[str]) -> None:
    with refused(OptionError, "inspectable/Inspectable-v0", *parts):
        make("Inspectable", **arguments)


def test_a_library_that_draws_has_one_point_of_view() -> None:
    with make("Inspectable", render_mode="rgb_array", render_camera_id=2) as pool:
        pool.reset()
        with refused(OptionError, "one point of view", "no camera 2"):
            pool.render()


def test_a_library_draws_in_any_size() -> None:
    """Its pictures are resized, each pixel the mean of what it covers."""
    with make("Inspectable", render_mode="rgb_array") as pool:
        pool.reset(seed=1)
        own = pool.render()[0]
    double = 2 * own.shape[1]
    with make("Inspectable", render_mode="rgb_array", render_width=double) as pool:
        pool.reset(seed=1)
        wide = pool.render()[0]
    assert wide.dtype == np.uint8
    assert np.array_equal(wide, own.repeat(2, axis=1))
    picture = np.arange(4 * 6 * 3, dtype=np.uint8).reshape(4, 6, 3)
    assert resized(picture, None, None) is picture
    halves = picture.reshape(2, 2, 3, 2, 3).mean((1, 3))
    assert np.array_equal(resized(picture, 3, 2), np.rint(halves))
    assert (
        resized(np.full((210, 160, 3), 77, np.uint8), 100, 99).tolist() == [[[77] * 3] * 100] * 99
    )
