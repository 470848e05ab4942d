"""What tests of the kit's findings share."""

from __future__ import annotations

import sys

import pytest
from parallel_pool.testing import Report
from parallel_pool.testing.checks import NEEDS


def hurry(monkeypatch: pytest.MonkeyPatch, *, lifetime: bool = True) -> None:
    """The speed is of no interest in these tests, nor, with `lifetime`, is living a thousand times.

    The latest mistake of the tests' environments shows at step 350.
    """
    checks = "parallel_pool.testing.checks"
    monkeypatch.setattr(sys.modules["parallel_pool.testing.deep"], "STEPS", 600)
    monkeypatch.setattr(sys.modules[f"{checks}.speed"], "SECONDS", 0.02)
    if lifetime:
        monkeypatch.setattr(sys.modules[f"{checks}.lifetime"], "TIMES", 250)


def at_once(monkeypatch: pytest.MonkeyPatch, check: str) -> None:
    """Runs no checks before this one. The slow tests show that those before find nothing."""
    monkeypatch.setitem(NEEDS, check, ())


def texts(report: Report) -> str:
    """All findings, for the message of an assertion."""
    return "\n".join(f"{each.check} {each.outcome}: {each.text}" for each in report.results)
