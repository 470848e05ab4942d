"""What the kit is asked, and the process that it asks."""

import sys
from collections.abc import Callable
from contextlib import closing
from types import SimpleNamespace

import pytest
from conformance.findings import texts
from parallel_pool.testing import PluginConformance, check_env, check_plugin
from parallel_pool_author.testing.checks import PLUGIN_CHECKS
from parallel_pool_author.testing.examiner import EndedError, Examiner


@pytest.fixture(autouse=True)
def environments(quick: None, known: Callable[[str], None]) -> None:
    for family in ("broken", "deadly"):
        known(family)


def test_a_check_that_does_not_exist() -> None:
    with pytest.raises(ValueError, match="no check 'speeed'; there are: declaration"):
        check_plugin("broken", only=["speeed"])
    assert set(PLUGIN_CHECKS) == {"declaration", "lightness", "index"}


def test_trajectories_of_one_step_and_of_none() -> None:
    report = check_env("broken/Sound-v0", steps=1)
    assert report.ok, texts(report)
    with pytest.raises(ValueError, match="steps is 0, expected 1 or more"):
        check_env("broken/Sound-v0", steps=0)


def test_players_may_play_on(test_envs: None) -> None:
    report = check_env("test/Crowd-v0", options={"strict": False})
    assert report.ok, texts(report)


def test_a_class_that_says_something_else() -> None:
    with pytest.raises(TypeError, match="has 'reference': did you mean 'references'"):
        type("TestWalk", (PluginConformance,), {"plugin": "broken", "reference": "Walk-v0"})
    helper = type("TestWalk", (PluginConformance,), {"speed": 3, "helper": lambda self: 3})
    with pytest.raises(TypeError, match="TestWalk does not say which plugin: plugin = 'lander'"):
        helper().pytest_generate_tests(None)


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

    asked = SimpleNamespace(function=written.test_environment)  # as pytest does
    with pytest.raises(ValueError, match="options name 'deadly/Crashes-v0', which is not checked"):
        written.pytest_generate_tests(asked)


def test_an_examiner_answers_until_it_ends(capfd: pytest.CaptureFixture[str]) -> None:
    def work(piece: str) -> str:
        print(f"about {piece}", file=sys.stderr)
        if piece == "end":
            sys.exit(7)
        return piece.upper()

    with closing(Examiner(work, 60.0)) as asked:
        assert [asked.ask("one"), asked.ask("two")] == ["ONE", "TWO"]
        assert capfd.readouterr().err == "about one\nabout two\n"
        with pytest.raises(EndedError, match="ended the process with status 7; it said: about end"):
            asked.ask("end")


def test_memory_that_an_earlier_check_has_spoilt(monkeypatch: pytest.MonkeyPatch) -> None:
    """The check in which the process ends is not to blame if it passes alone."""
    from parallel_pool_author.testing.report import Examination

    spoilt: list[str] = []

    def spoil(_: object) -> None:
        spoilt.append("memory")

    def suffer(_: object) -> None:
        if spoilt:
            sys.exit(1)

    with Examination({"rows": spoil, "spaces": suffer}, "deadly/Sound-v0", None) as examination:
        monkeypatch.setattr("parallel_pool_author.testing.report.NEEDS", {})
        assert examination.result("rows").outcome == "passed"
        text = examination.result("spaces").text
    assert "Alone in its process it passes, so it was rows that spoilt memory" in text
    assert "check deadly --env deadly/Sound-v0 --only spaces --in-process" in text
