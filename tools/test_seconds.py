"""A plugin of pytest that counts the CPU seconds of tests, with the processes that they have waited for.

PYTHONPATH=tools uv run pytest -p test_seconds

The report ends with the sums of each folder and the dearest tests. A fixture counts to the first to ask for it.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Generator
from pathlib import PurePath

import pytest

DEAREST = 30

spent: Counter[str] = Counter()
"""CPU milliseconds by the name of the test."""


def so_far() -> int:
    """Of this process and of children that have ended."""
    return round(1000 * sum(os.times()[:4]))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    before = so_far()
    result = yield
    spent[item.nodeid] += so_far() - before
    return result


def pytest_sessionfinish(session: pytest.Session) -> None:
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["spent"] = dict(spent)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: object) -> None:
    spent.update(getattr(node, "workeroutput", {}).get("spent", {}))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    folders: Counter[str] = Counter()
    for name, milliseconds in spent.items():
        parts = PurePath(name.partition("::")[0]).parts[:-1]
        folders["/".join(parts[:2])] += milliseconds
    terminalreporter.section(f"CPU seconds: {sum(folders.values()) / 1000:.0f}")
    for name, milliseconds in (*folders.most_common(), *spent.most_common(DEAREST)):
        terminalreporter.line(f"{milliseconds / 1000:8.1f}  {name}")
