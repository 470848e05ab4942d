"""Mistakes that end the process, that play reaches late, and those in what an environment says of itself:
findings with the name of their check, and the others go on.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import parallel_pool
import pytest
from conformance.findings import assert_found, at_once, hurry, register_all, texts
from parallel_pool.plugin_api import EnvSpec
from parallel_pool.testing import PluginConformance, check_env, check_plugin
from parallel_pool.testing.examiner import EndedError, Examiner

HERE = Path(__file__).parent

MISTAKES = {
    "Crashes": ("rows", r"rows crashed with SIGSEGV, in _play \(testing/deep\.py:\d+\)"),
    "Hangs": ("rows", r"rows did not end within 1 seconds, in _play"),
    "Exits": ("rows", r"rows ended the process with status 3"),
    "Aborts": ("rows", r"rows crashed with SIGABRT.*; it said: the world is not enough"),
    "WritesFar": ("rows", r"writes obs outside of their rows"),
    "WritesLate": ("rows", r"writes behind the row of obs, 400 steps into play"),
    "WritesWhenHeld": ("rows", r"writes behind the row of obs, \d+ steps into play"),
    "Scratch": ("statics", r"static or global variables of deadly\.so change in play"),
    "Counts": ("statics", r"make them members"),
    "ResetsItself": ("endings", r"in all of 8 episodes: the environment resets itself in step"),
    "ResetsWhenCut": ("endings", r"in all of 8 episodes: the environment resets itself in step"),
    "NeverEnds": ("endings", r"no episode has ended within \d{4,} steps.*tags=\('rare_ends',\)"),
    "Unread": ("options", r"option 'wind' changes nothing.*with 0\.75, 0\.25, .* as with 0\.5"),
    "Resized": (
        "options",
        r"option 'size' = 64 lies within its declared range, and is refused by an error",
    ),
    "Trusts": ("damaged_states", r"damaged_states crashed with SIG.*load\(\) has to refuse"),
    "NoByte": ("spaces", r"bound 300 of the obs, whose dtype is uint8: uint8 holds 0 \.\. 255"),
    "NoInteger": ("spaces", r"bound -0\.5 of the obs, whose dtype is int32, is no integer"),
    "BeyondInt": (
        "spaces",
        r"bound 3000000000 of the obs.*int32 holds -2147483648 \.\. 2147483647",
    ),
    "TwoBounds": ("spaces", r"the obs field has 2 bounds and 3 elements"),
    "Unshaped": ("spaces", r"the obs has a pp::dynamic dimension.*spec\.obs\(\)\.shaped"),
}
LIMIT = 1.0


@pytest.fixture(scope="module", autouse=True)
def deadly(compiled: Callable[[Path], Path]) -> None:
    path = compiled(HERE / "deadly.cpp")
    register_all(path)
    preset = EnvSpec("deadly/Limited-v0", native="deadly/Walls-v0", max_episode_steps=100)
    parallel_pool.register(preset, library=path)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    hurry(monkeypatch)


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_caught_by_its_check(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    check, words = MISTAKES[name]
    at_once(monkeypatch, check)
    assert_found(f"deadly/{name}-v0", check, words, LIMIT if name == "Hangs" else 60.0)


@pytest.mark.slow  # all checks of each
@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_caught_by_its_check_alone(name: str) -> None:
    report = check_env(f"deadly/{name}-v0", limit=20 if name == "Hangs" else 60)
    assert [each.check for each in report.failures] == [MISTAKES[name][0]], texts(report)


@pytest.mark.parametrize("name", ["Sound", "FillsOnce", "CutsItself", "Walls"])
def test_sound_environments_pass(name: str) -> None:
    report = check_env(f"deadly/{name}-v0")
    assert report.ok, texts(report)


def test_the_list_says_a_limit_over_what_the_options_say() -> None:
    report = check_plugin("deadly", env_ids=["deadly/Limited-v0"], only=["options"])
    assert "EnvSpec(max_episode_steps=100) holds whatever the options are, and with limit=101" in (
        texts(report)
    )


def test_the_others_are_checked_when_one_has_ended_the_process() -> None:
    begun: list[tuple[str, str]] = []
    report = check_plugin(
        "deadly",
        env_ids=["deadly/Crashes-v0", "deadly/Sound-v0"],
        only=["rows", "values", "seeding"],
        begins=lambda subject, check: begun.append((subject, check)),
    )
    outcomes = [(each.subject, each.check, each.outcome) for each in report.results]
    assert outcomes == [
        ("deadly/Crashes-v0", "rows", "failed"),
        ("deadly/Crashes-v0", "values", "inapplicable"),
        ("deadly/Crashes-v0", "seeding", "inapplicable"),
        ("deadly/Sound-v0", "rows", "passed"),
        ("deadly/Sound-v0", "values", "passed"),
        ("deadly/Sound-v0", "seeding", "passed"),
    ]
    assert begun == [(subject, check) for subject, check, _ in outcomes]


def test_what_is_said_of_an_environment_that_is_not_checked() -> None:
    with pytest.raises(
        ValueError, match=r"references name 'deadly/Sond-v0'.*did you mean 'deadly/Sound-v0'"
    ):
        check_plugin(
            "deadly", env_ids=["deadly/Sound-v0"], references={"deadly/Sond-v0": "Walk-v0"}
        )
    members = {
        "plugin": "deadly",
        "env_ids": ["deadly/Sound-v0"],
        "options": {"deadly/Crashes-v0": {}},
    }
    written = type("TestDeadly", (PluginConformance,), members)()

    class Function:
        """What pytest hands over."""

        def test_environment(self) -> None: ...

        function = test_environment

    with pytest.raises(ValueError, match="options name 'deadly/Crashes-v0', which is not checked"):
        written.pytest_generate_tests(Function())


@pytest.fixture
def examiner() -> Iterator[Callable[..., Examiner[str]]]:
    made: list[Examiner[str]] = []

    def make(work: Callable[[str], str], limit: float = 60.0) -> Examiner[str]:
        made.append(Examiner(work, limit))
        return made[-1]

    yield make
    for each in made:
        each.close()


def test_an_examiner_answers_until_it_ends(
    examiner: Callable[..., Examiner[str]], capfd: pytest.CaptureFixture[str]
) -> None:
    def work(piece: str) -> str:
        print(f"about {piece}", file=sys.stderr)
        if piece == "end":
            sys.exit(7)
        return piece.upper()

    asked = examiner(work)
    assert [asked.ask("one"), asked.ask("two")] == ["ONE", "TWO"]
    assert capfd.readouterr().err == "about one\nabout two\n"
    with pytest.raises(EndedError, match="ended the process with status 7; it said: about end"):
        asked.ask("end")


def test_memory_that_an_earlier_check_has_spoilt(monkeypatch: pytest.MonkeyPatch) -> None:
    """The check in which the process ends is not to blame if it passes alone."""
    from parallel_pool.testing.report import Examination

    spoilt: list[str] = []

    def spoil(_: object) -> None:
        spoilt.append("memory")

    def suffer(_: object) -> None:
        if spoilt:
            sys.exit(1)

    with Examination({"rows": spoil, "spaces": suffer}, "deadly/Sound-v0", None) as examination:
        monkeypatch.setattr("parallel_pool.testing.report.NEEDS", {})
        assert examination.result("rows").outcome == "passed"
        text = examination.result("spaces").text
    assert "Alone in its process it passes, so it was rows that spoilt memory" in text
    assert "check deadly --env deadly/Sound-v0 --only spaces --in-process" in text
