"""Looking into environments: named arrays, pictures, and arguments of single resets.

All of it twice: in this process and in worker processes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import parallel_pool
import pytest
from gymnasium.wrappers.vector import HumanRendering
from parallel_pool import _core
from parallel_pool.errors import OptionError
from parallel_pool.plugin_api import EnvSpec, hookimpl
from parallel_pool.pool_errors import (
    AlreadyPendingError,
    EnvAccessError,
    EnvError,
    NotOfferedError,
    ResetNeededError,
)
from parallel_pool.registry import hooks, registry
from test_envs.checks import refused
from test_envs.compiling import SOURCES

NAMES = ["Inspectable", "InspectableBatch"]


@pytest.fixture(scope="module", autouse=True)
def inspectable(compiled: Callable[[Path], Path]) -> str:
    """The compiled library; its environments can be made."""
    path = compiled(SOURCES / "inspectable.cpp")
    for env_id in _core.Plugin(str(path)).env_ids:
        spec = EnvSpec(env_id, render_modes=("rgb_array", "ansi"), render_fps=5)
        parallel_pool.register(spec, library=str(path))
    return str(path)


WHERE: dict[str, Any] = {}


@pytest.fixture(params=[None, "process"], ids=["here", "in_workers"], autouse=True)
def isolation(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "process" and sys.platform != "linux":
        pytest.skip("worker processes need Linux")
    monkeypatch.setitem(WHERE, "isolation", request.param)


def make(name: str, env_type: str = "gymnasium", num_envs: int = 6, **arguments: Any) -> Any:
    arguments = {**WHERE, **arguments}
    return parallel_pool.make(f"inspectable/{name}-v0", env_type, num_envs=num_envs, **arguments)


@pytest.mark.parametrize("name", NAMES)
def test_arrays_are_read_and_written(name: str) -> None:
    with make(name, seed=3) as pool:
        obs, _ = pool.reset()
        names = pool.array_names()
        assert names["motion"] == (np.float64, (2,), True)
        assert names["steps"] == (np.int32, (), False)
        assert names["trace"] == (np.float32, (2, 3), True)

        motion = pool.read_array("motion")
        np.testing.assert_array_equal(motion[:, 0], obs)
        assert (motion[:, 1] == 0.25).all()
        assert pool.read_array("trace", [4, 1]).shape == (2, 2, 3)

        pool.write_array("motion", [[7.0, 2.0], [8.0, 3.0]], [5, 2])
        assert pool.read_array("writes").tolist() == [0, 0, 1, 0, 0, 1]
        obs = pool.step(np.full(6, 2))[0]
        assert obs[5] == 9.0
        assert obs[2] == 11.0
        np.testing.assert_array_equal(obs[[0, 1, 3, 4]], motion[[0, 1, 3, 4], 0] + 0.25)
        trace = np.arange(36, dtype=np.float32).reshape(6, 2, 3)
        pool.write_array("trace", trace)
        np.testing.assert_array_equal(pool.read_array("trace"), trace)


@pytest.mark.parametrize("name", NAMES)
def test_what_cannot_be_read_or_written_says_why(name: str) -> None:
    with make(name) as pool:
        with refused(ResetNeededError, "environment 0 was never reset"):
            pool.read_array("motion")
        pool.reset()
        with refused(ValueError, "no array 'speed'", "motion, steps, writes, trace"):
            pool.read_array("speed")
        with refused(ValueError, "'steps' can only be read"):
            pool.write_array("steps", np.zeros(6, np.int32))
        with refused(ValueError, "'motion' takes values of shape (6, 2), not (6, 3)"):
            pool.write_array("motion", np.zeros((6, 3)))
        with refused(TypeError, "'trace' is of dtype float32", "complex128"):
            pool.write_array("trace", np.zeros((6, 2, 3), complex))
        with refused(IndexError, "env_id 6"):
            pool.read_array("motion", [6])
        pool.send(np.ones(6, int))
        with refused(AlreadyPendingError, "environment 0"):
            pool.read_array("motion")
        pool.recv()

        pool.write_array("motion", np.full((1, 2), 200.0), [3])
        with refused(EnvAccessError, "environment 3", "out of sight"):
            pool.read_array("motion")
        with refused(EnvAccessError, "environment 3 could not be looked into"):
            pool.write_array("motion", np.zeros((6, 2)))
        pool.step(np.ones(6, int))


def test_an_environment_without_arrays_and_pictures(test_envs: None) -> None:
    with parallel_pool.make("test/Count-v0", num_envs=2) as pool:
        pool.reset()
        with refused(NotOfferedError, "test/Count-v0 has no arrays", "pp.arrays/1"):
            pool.read_array("motion")
        with refused(NotOfferedError, "test/Count-v0 has no renderer"):
            pool.render()
    with make("Inspectable") as pool, refused(OptionError, "make it with render_mode='rgb_array'"):
        pool.render()
    parallel_pool.register(EnvSpec("test/Claims-v0", "test/Count-v0", render_modes=("rgb_array",)))
    with parallel_pool.make("test/Claims-v0", num_envs=1, render_mode="rgb_array") as pool:
        pool.reset()
        with refused(NotOfferedError, "test/Count-v0 cannot be drawn", "pp.render/1"):
            pool.render()


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
    with make("Inspectable", "dm", render_mode="rgb_array", rows=1) as pool:
        pool.reset()
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
    hooks.attach(registry().plugin("inspectable"), plugin)
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
    with make("Inspectable", num_envs=2, render_mode="rgb_array") as pool:
        pool.reset()
        assert pool.render()[0].shape == (2, 3, 3)


class Renaming(PenPlugin):
    @hookimpl
    def parallel_pool_translate(self, spec: EnvSpec, options: dict[str, Any]) -> dict[str, Any]:
        return {{"wide": "render_width"}.get(name, name): each for name, each in options.items()}


def test_a_plugin_may_have_other_names_for_common_arguments(inspectable: str) -> None:
    hooks.attach(registry().plugin("inspectable"), Renaming(inspectable))
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
    with make("Inspectable", render_mode="rgb_array", render_width=64) as pool:
        pool.reset()
        with refused(OptionError, "one size", "'width': 64"):
            pool.render()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("env_type", ["gymnasium", "gym", "dm"])
def test_reset_options_hold_for_one_reset(name: str, env_type: str) -> None:
    def positions(result: Any) -> Any:
        if env_type == "gymnasium":
            return result[0]
        return result if env_type == "gym" else result.observation.obs

    with make(name, env_type, seed=1) as pool:
        usual = positions(pool.reset(seed=5)).copy()
        again = positions(pool.reset(seed=5, options={"low": 3.5, "high": 4.5}))
        np.testing.assert_allclose(again, 4 + usual / 2, rtol=1e-12)
        np.testing.assert_array_equal(positions(pool.reset(seed=5)), usual)
        some = positions(pool.reset([4, 0], seed=[9, 5], options={"low": 2, "high": 2}))
        assert some.tolist() == [2, 2]
        np.testing.assert_array_equal(positions(pool.reset(seed=5)), usual)

        mask = np.array([True, False] * 3)
        options = {"low": 6, "high": 6, "reset_mask": mask}
        positions(pool.reset(options=options))
        assert set(options) == {"low", "high", "reset_mask"}
        assert (pool.read_array("motion")[:, 0] == 6).tolist() == mask.tolist()


@pytest.mark.parametrize("name", NAMES)
def test_reset_options_that_make_no_sense(name: str) -> None:
    with make(name) as pool:
        with refused(OptionError, "inspectable", "no option 'lo'", "'low'"):
            pool.reset(options={"lo": 1})
        with refused(OptionError, "'low' is 11", "-10 .. 10"):
            pool.reset(options={"low": 11})
        with refused(ValueError, "low is above high"):
            pool.reset(options={"low": 1, "high": 0})
        with refused(ResetNeededError, "never reset"):
            pool.step(np.ones(6, int))
        pool.reset()


def test_an_environment_may_refuse_its_reset_options() -> None:
    with make("Inspectable", num_envs=2) as pool:
        pool.reset()
        with refused(EnvError, "environment 1: not three"):
            pool.reset([1], options={"low": 3, "high": 3})
        obs, _ = pool.reset()
        assert (np.abs(obs) <= 1).all()


def test_asynchronous_pools_take_reset_options() -> None:
    with make("Inspectable", batch_size=2, num_threads=2) as pool:
        pool.async_reset(options={"low": 5, "high": 5})
        for _ in range(3):
            assert pool.recv()[0].tolist() == [5, 5]


def test_only_python_environments_can_be_asked() -> None:
    with make("Inspectable") as pool:
        pool.reset()
        with pytest.raises(
            NotOfferedError,
            match=r"inspectable/Inspectable-v0 .*only environments written in Python",
        ):
            pool._pool.ask(b"question")
