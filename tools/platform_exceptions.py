"""Finds tests that this system leaves out: tests/platforms/exceptions.toml, and families without a wheel.

The root's conftest.py registers it with pytest.
"""

from __future__ import annotations

import os
import re
import sys
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

import pytest
from families import ROOT, families

FILE = ROOT / "tests/platforms/exceptions.toml"


@dataclass(frozen=True)
class Rule:
    """One table of the file; its comment describes the members."""

    systems: Sequence[str]
    reason: str
    paths: Sequence[str] = ()
    tests: Sequence[str] = ()
    imports: Sequence[str] = ()
    fixtures: Sequence[str] = ()
    marks: Sequence[str] = ()

    def has_path(self, path: Path) -> bool:
        """True if no test of the file or folder is to be collected."""
        name = path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else ""
        if any(fnmatch(name, pattern) for pattern in self.paths):
            return True
        if not self.imports or path.suffix != ".py" or not path.name.startswith("test_"):
            return False
        modules = "|".join(map(re.escape, self.imports))
        return bool(re.search(rf"^(?:from|import) (?:{modules})\b", path.read_text("utf-8"), re.M))

    def has_test(self, item: pytest.Item) -> bool:
        """True if this test of a file that is collected is left out."""
        return (
            any(fnmatch(item.nodeid, pattern) for pattern in self.tests)
            or not {*self.fixtures}.isdisjoint(getattr(item, "fixturenames", ()))
            or any(item.get_closest_marker(mark) for mark in self.marks)
        )


def rules(system: str) -> list[Rule]:
    """The exceptions of a value of sys.platform."""
    tables = tomllib.loads(FILE.read_text("utf-8"))["exception"]
    every = [Rule(**each) for each in tables]
    absent = [each for each in families().values() if not each.can_be_built(system)]
    return [rule for rule in every if system in rule.systems] + [
        Rule(
            [system], f"{each.title} has no wheel here", [each.folder.relative_to(ROOT).as_posix()]
        )
        for each in absent
    ]


class LeftOut:
    """The plug-in of pytest. PP_TEST_SYSTEM pretends another system, to see what is collected there."""

    def __init__(self) -> None:
        self.rules = rules(os.environ.get("PP_TEST_SYSTEM", sys.platform))

    def pytest_report_header(self) -> list[str]:
        return [f"left out: {rule.reason}" for rule in self.rules]

    def pytest_ignore_collect(self, collection_path: Path) -> bool | None:
        return True if any(rule.has_path(collection_path) for rule in self.rules) else None

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        for item in items:
            for rule in self.rules:
                if rule.has_test(item):
                    item.add_marker(pytest.mark.skip(reason=rule.reason))
