"""What the kit says about texts."""

import pytest
from parallel_pool.testing import EnvUnderTest, Finding
from parallel_pool_author.testing.checks import ENV_CHECKS
from test_envs.checks import refused
from test_envs.texts import BOTH, WRONG

CHECKS = ("spaces", "rows", "values", "leftovers")


@pytest.mark.parametrize("task", BOTH)
@pytest.mark.parametrize("letters", ["!", "é"])
def test_right_ones_pass(told: None, task: str, letters: str) -> None:
    tested = EnvUnderTest(task, {"letters": letters}, steps=20)
    for check in CHECKS:
        ENV_CHECKS[check](tested)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"bytes": "ab.c"}, ["the obs after a reset", "bytes behind its text b'ab'", "write_text"]),
        ({"bytes": "a#", "utf8": True}, [r"b'a\xff'", "no UTF-8"]),
        ({"bytes": "é"}, ["'é'", ".bounds(0, 255)"]),
        ({"bytes": "a\tb"}, [r"'a\tb'", r"not '\t'"]),
    ],
)
def test_rows_that_are_no_texts(told: None, options: dict[str, object], words: list[str]) -> None:
    with refused(Finding, *words):
        ENV_CHECKS["values"](EnvUnderTest(WRONG, options, steps=5))
