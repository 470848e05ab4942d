"""What other systems leave out: the list means something, and what is left can be collected there."""

import tomllib
from pathlib import Path

import pytest
from test_envs.programs import python

ROOT = Path(__file__).parents[2]
EXCEPTIONS = tomllib.loads((ROOT / "tests/platforms/exceptions.toml").read_text())["exception"]
WITHOUT = """
import sys
sys.modules.update(dict.fromkeys({absent!r}))
import pytest
sys.exit(pytest.main(["-n0", "--collect-only", "-qq"]))
"""
ABSENT = ("fcntl", "grp", "pwd", "resource", "termios")
"""Modules that Python lacks on Windows."""


@pytest.mark.parametrize("table", EXCEPTIONS, ids=lambda table: table["reason"])
def test_every_exception_is_one(table: dict[str, list[str]]) -> None:
    assert {*table["systems"]} <= {"darwin", "win32"}
    for pattern in table.get("paths", []):
        assert list(ROOT.glob(pattern)), pattern
    for pattern in table.get("tests", []):
        assert list(ROOT.glob(pattern.partition("::")[0])), pattern


def test_windows_can_collect_the_rest() -> None:
    left = python("-c", WITHOUT.format(absent=ABSENT), folder=ROOT, PP_TEST_SYSTEM="win32")
    assert "plugins/parallel_pool_classic/tests/test_cartpole.py" in left
    assert "parallel_pool_vizdoom" not in left
