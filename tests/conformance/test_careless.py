"""Mistakes of everyday are found, and what is said of them is what has to be changed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from conformance.findings import assert_found, at_once, hurry, register_all, texts
from parallel_pool.plugin_api import EnvSpec
from parallel_pool.registry import registry
from parallel_pool.testing import check_env, check_plugin
from parallel_pool.testing.env_under_test import first_difference

HERE = Path(__file__).parent

NEIGHBOURS = r"Alone in its pool it does not, so it depends on its neighbours\. In a batch kernel, "

MISTAKES = {
    "CountsFromOne": ("values", r"obs 'wind'.* a discrete space of n has the values 0 \.\. n - 1"),
    "UpsideDown": (
        "spaces",
        r"describes itself wrongly: obs field 'place' has no value: a low is ",
    ),
    "NoSuchKey": ("spaces", r"a field 'palce', and there is only 'place', 'wind'"),
    "NoSuchOption": ("rows", r"create fails: option 'dirft' is read but not declared"),
    "AnotherKind": (
        "rows",
        r"option 'drift' is read with integer\(\), and declared as what real\(\) reads",
    ),
    "ThrowsNumber": ("rows", r"not a std::exception: throw std::runtime_error\(\"why\"\)$"),
    "ThrowsText": ("rows", r"step fails with valid actions: not today$"),
    "ThrowsNothing": ("rows", r"give the exception that you throw a text"),
    "Clock": ("determinism", r"never std::rand, the clock"),
    # What is in memory is up to the allocator: it may differ between two plays that are meant to be alike.
    "Unset": (
        "determinism",
        r"at step 1\. (A member is read before anybody has set it|.* initialise every member, "
        r"|.* or a member or a local variable that is not initialised)",
    ),
    "CRandom": ("autoreset", NEIGHBOURS + r".*such as std::rand"),
    "ByRow": (
        "autoreset",
        NEIGHBOURS + r"state belongs to lane rows\.first\(\) \+ i, not to row i",
    ),
    "KeepsThreads": ("lifetime", r"leave threads behind"),
    "ResetsAll": ("rows", r"reset writes the obs of a lane that its mask leaves out"),
    "NeverCuts": ("rows", r"step leaves the truncated of a row unwritten"),
    "SkipsLast": ("rows", r"step leaves the obs of a row unwritten"),
    "Undrawn": ("render", r"render_mode 'rgb_array' is declared, and .*"),
}


@pytest.fixture(scope="module", autouse=True)
def careless(compiled: Callable[[Path], Path]) -> None:
    for family in ("careless", "silent"):
        register_all(compiled(HERE / f"{family}.cpp"), drawn=["Undrawn"])


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    hurry(monkeypatch)


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_caught_by_its_check(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    check, words = MISTAKES[name]
    at_once(monkeypatch, check)
    assert_found(f"careless/{name}-v0", check, words, limit=60)


@pytest.mark.slow  # all checks of each
@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_caught_by_its_check_alone(name: str) -> None:
    report = check_env(f"careless/{name}-v0", limit=60)
    assert [each.check for each in report.failures] == [MISTAKES[name][0]], texts(report)


@pytest.mark.parametrize("name", ["Sound", "SoundKernel"])
def test_sound_environments_pass(name: str) -> None:
    report = check_env(f"careless/{name}-v0")
    assert report.ok, texts(report)


def declared_wrongly(monkeypatch: pytest.MonkeyPatch, listed: EnvSpec | None = None) -> str:
    """The one finding about the plugin as a whole, if it lists this for what the library has."""
    if listed is not None:
        monkeypatch.setattr(registry().plugin("silent"), "specs", {listed.id: listed})
    (found,) = check_plugin("silent", env_ids=[], only=["declaration"]).failures
    assert found.check == "declaration"
    return found.text


def test_an_environment_without_a_summary(monkeypatch: pytest.MonkeyPatch) -> None:
    assert declared_wrongly(monkeypatch) == (
        "silent/Silent-v0 has no summary: give EnvSpec or the C++ type one line that says what it is"
    )


def test_an_option_without_a_text(monkeypatch: pytest.MonkeyPatch) -> None:
    said = EnvSpec("silent/Silent-v0", summary="says little")
    assert "option 'n' has no text: the third argument of pp::option says in a line what" in (
        declared_wrongly(monkeypatch, said)
    )


def test_a_library_of_another_name(monkeypatch: pytest.MonkeyPatch, careless: None) -> None:
    path = registry().library_path("careless")
    monkeypatch.setattr(registry(), "library_path", lambda family: path)
    assert "make the first argument of PP_PLUGIN and the name of the entry point equal" in (
        declared_wrongly(monkeypatch)
    )


def test_a_library_of_another_build(monkeypatch: pytest.MonkeyPatch) -> None:
    from parallel_pool.testing.checks.declarations import _same_version
    from parallel_pool.testing.findings import Finding

    with pytest.raises(
        Finding, match=r"its library 0\.0\.7: one of them is left over from another build"
    ):
        _same_version("numpy", "0.0.7")


def test_what_cannot_be_described_has_nothing_to_do_with_the_list() -> None:
    (found,) = check_plugin("careless", env_ids=[], only=["declaration"]).failures
    assert found.text == (
        "careless/UpsideDown-v0 cannot be made: PluginError: careless/UpsideDown-v0 describes itself "
        "wrongly: obs field 'place' has no value: a low is above its high"
    )


def test_of_a_picture_the_first_pixel_that_differs_is_named() -> None:
    one, other = np.zeros((2, 3, 84, 84), np.uint8), np.zeros((2, 3, 84, 84), np.uint8)
    other[1, 2, 30, 4] = 119
    said = first_difference([{"obs": one}, {"obs": one}], [{"obs": one}, {"obs": other}])
    assert said == "obs[1, 2, 30, 4] at step 1 is 0 and 119"
