"""What tests of the kit's findings share."""

from __future__ import annotations

import re
import sys

import pytest
from parallel_pool.testing import Report, check_plugin
from parallel_pool_author.testing.checks import NEEDS
from parallel_pool_author.testing.examiner import LIMIT


def assert_found(env_id: str, check: str, words: str, limit: float = LIMIT) -> None:
    """What this check, which is run, says of the environment has these words, a regular expression."""
    family = env_id.partition("/")[0]
    report = check_plugin(family, env_ids=[env_id], only=[check], limit=limit)
    assert [each.check for each in report.failures] == [check], texts(report)
    assert re.search(words, report.failures[0].text, re.DOTALL), texts(report)


def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """The speed is of no interest in these tests, nor is living a thousand times.

    The latest mistake of the tests' environments that deep play is to find shows at step 350. All steps are
    played, however busy the machine is.
    """
    checks = "parallel_pool_author.testing.checks"
    deep = sys.modules["parallel_pool_author.testing.deep"]
    monkeypatch.setattr(deep, "STEPS", 600)
    for playing in (deep, sys.modules[f"{checks}.values"], sys.modules[f"{checks}.endings"]):
        monkeypatch.setattr(playing, "SECONDS", 60.0)
    monkeypatch.setattr(sys.modules[f"{checks}.speed"], "SECONDS", 0.02)
    monkeypatch.setattr(sys.modules[f"{checks}.lifetime"], "TIMES", 250)


def at_once(monkeypatch: pytest.MonkeyPatch, check: str) -> None:
    """Runs no checks before this one. The slow tests show that those before find nothing."""
    monkeypatch.setitem(NEEDS, check, ())


def texts(report: Report) -> str:
    return "\n".join(f"{each.check} {each.outcome}: {each.text}" for each in report.results)
