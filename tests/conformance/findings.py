"""What tests of the kit's findings share."""

import re
import sys
from itertools import count
from types import SimpleNamespace

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
    """As many steps as these tests' mistakes need, however busy the machine is: the latest shows at step 501.

    A loop that waits for an end counts its turns in place of seconds.
    """
    for name, value in {
        **{"deep.STEPS": 600, "deep.SECONDS": 60.0, "checks.values.SECONDS": 60.0},
        **dict.fromkeys(("checks.rows.DEEP", "checks.values.FAR", "checks.statics.FAR"), 600),
        "checks.endings.time": SimpleNamespace(monotonic=count().__next__),
        **{"checks.endings.SECONDS": 3001, "checks.seeds.RACING": 0.1},
        **{"checks.lifetime.TIMES": 100, "checks.states.TIMES": 250, "checks.speed.SECONDS": 0.02},
    }.items():
        module, _, what = name.rpartition(".")
        monkeypatch.setattr(sys.modules[f"parallel_pool_author.testing.{module}"], what, value)


def at_once(monkeypatch: pytest.MonkeyPatch, check: str) -> None:
    """Runs no checks before this one. The slow tests show that those before find nothing."""
    monkeypatch.setitem(NEEDS, check, ())


def texts(report: Report) -> str:
    return "\n".join(f"{each.check} {each.outcome}: {each.text}" for each in report.results)
