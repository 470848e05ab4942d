"""A plugin of pytest that counts the CPU seconds of tests, with the processes that they have waited for.

PYTHONPATH=tools uv run pytest -p test_seconds
PP_LONG=write PYTHONPATH=tools uv run pytest -p test_seconds -m "not slow and not training"

The report ends with the sums of each folder and the dearest tests and fixtures of several tests, and names the
folders that take more than ALLOWED times their target in FIGURES. PP_LONG=write
writes tests/long.txt: the functions whose tests take a second and more.
"""

from __future__ import annotations

import json
import os
from collections import Counter, defaultdict
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePath

import long_tests
import pytest

DEAREST = 30
FIGURES = Path(__file__).parents[1] / "benchmarks/test_seconds.json"
"""Seconds of each folder in the everyday suite: before issue 50, now on a quiet machine, where it takes LEAST
and more, and the target. This fails nobody: no test, unlike the pinned sources of build_seconds.py, tells how
fast the machine is."""
ALLOWED = 1.5
LEAST = 16
"""The target of a folder without one."""

spent: Counter[str] = Counter()
"""CPU milliseconds by the name of the test, or of the fixture."""


def so_far() -> int:
    """Of this process and of children that have ended."""
    return round(1000 * sum(os.times()[:4]))


@contextmanager
def counted(name: str) -> Iterator[None]:
    """Adds what is spent meanwhile, without what counts for others in it."""
    before = so_far() - sum(spent.values())
    yield
    spent[name] += so_far() - before - sum(spent.values())


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    with counted(item.nodeid):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(
    fixturedef: pytest.FixtureDef[object],
) -> Generator[None, object, object]:
    if fixturedef.scope == "function":
        return (yield)
    with counted(f"{fixturedef.baseid}::{fixturedef.argname}()"):
        return (yield)


def pytest_sessionfinish(session: pytest.Session) -> None:
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["spent"] = dict(spent)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: object) -> None:
    spent.update(getattr(node, "workeroutput", {}).get("spent", {}))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    folders: Counter[str] = Counter()
    functions: defaultdict[str, list[int]] = defaultdict(list)
    for name, milliseconds in spent.items():
        parts = PurePath(name.partition("::")[0] + "/").parts
        folders["/".join(part for part in parts[:2] if not part.endswith(".py"))] += milliseconds
        if not name.endswith("()"):
            functions[name.partition("[")[0]].append(milliseconds)
    # Not those of the serial tests, which a second pytest runs alone.
    if os.environ.get("PP_LONG") == "write" and terminalreporter.config.option.numprocesses:
        long = (name for name, each in functions.items() if sum(each) >= 1000 * len(each))
        long_tests.LIST.write_text("".join(f"{name}\n" for name in sorted(long)))
    terminalreporter.section(f"CPU seconds: {sum(folders.values()) / 1000:.0f}")
    targets = {name: each["target"] for name, each in json.loads(FIGURES.read_text()).items()}
    for name, milliseconds in folders.most_common():
        target = targets.get(name, LEAST)
        slow = "  TOO LONG" if milliseconds > 1000 * ALLOWED * target else ""
        terminalreporter.line(f"{milliseconds / 1000:8.1f} of {target:3}  {name}{slow}")
    for name, milliseconds in spent.most_common(DEAREST):
        terminalreporter.line(f"{milliseconds / 1000:8.1f}  {name}")
