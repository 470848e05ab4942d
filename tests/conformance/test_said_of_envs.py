"""The kit compares what a plugin says beside its library: the meanings of numbers, and the camera of films."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import parallel_pool
import pytest
from parallel_pool.plugin_api import About, EnvSpec, Part
from parallel_pool.registry import hooks
from parallel_pool_author.testing.checks import pictures
from parallel_pool_author.testing.checks.values import spaces
from parallel_pool_author.testing.env_under_test import EnvUnderTest
from parallel_pool_author.testing.findings import Finding
from test_envs.compiling import SOURCES


@pytest.fixture
def tested(compiled: Callable[[Path], Path]) -> EnvUnderTest:
    spec = EnvSpec("inspectable/Inspectable-v0", render_modes=("rgb_array", "ansi"), render_fps=5)
    parallel_pool.register(spec, library=str(compiled(SOURCES / "inspectable.cpp")))
    return EnvUnderTest(spec.id, steps=3)


@pytest.mark.parametrize("said", ["observation", "action"])
def test_an_about_of_another_length(
    tested: EnvUnderTest, monkeypatch: pytest.MonkeyPatch, said: str
) -> None:
    about = About(**{said: (Part("place", count=99),)})
    monkeypatch.setattr(hooks, "about", lambda *_: about)
    with pytest.raises(Finding, match=rf"describes 99 numbers of the {said}, which has \d: "):
        spaces(tested)


def test_a_camera_of_films_that_there_is_not(
    tested: EnvUnderTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = replace(tested.spec, film_camera="nowhere")
    monkeypatch.setattr(EnvUnderTest, "spec", spec, raising=False)
    with pytest.raises(Finding, match=r"film_camera='nowhere' cannot be drawn: .*nowhere"):
        pictures.render(tested)
