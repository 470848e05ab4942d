"""The conformance kit on a scenario and on a match of two: what is quick always, more when there is time.

Without what takes many minutes here: 200 pools one after the other, and measuring speed. A match starts engines
at every reset with a seed; what the kit takes for granted before each of its checks is slow there, so the
checks that are not are called as they are.
"""

from typing import Any

import pytest
from parallel_pool.testing import check_plugin
from parallel_pool_author.testing.checks import ENV_CHECKS, PLUGIN_CHECKS
from parallel_pool_author.testing.env_under_test import EnvUnderTest

GAME, MATCH = "vizdoom/TakeCover-v1", "vizdoom/MultiDuel-v1"
SMALL: dict[str, Any] = {"screen_resolution": "160x120"}
ENDING = {**SMALL, "bots": 4, "game_args": "+fraglimit 1", "frame_skip": 12}
"""A deathmatch that soon comes to an end."""
QUICK = ["declaration", "lightness", "spaces"]
CHECKS = [name for name in (*PLUGIN_CHECKS, *ENV_CHECKS) if name not in ("speed", "lifetime")]
OF_MATCHES = [
    *("rows", "values", "statics", "determinism", "independence"),
    *("options", "per_env_options", "state", "damaged_states", "reference"),
]


def check(task_id: str, only: list[str], steps: int, **options: Any) -> None:
    report = check_plugin(
        "vizdoom", env_ids=[task_id], steps=steps, only=only, options={task_id: options}
    )
    assert report.ok, report.failures
    assert len(report.results) >= len(only)


@pytest.mark.parametrize(("task_id", "only"), [(GAME, QUICK), (MATCH, ["spaces"])])
def test_what_is_quick(task_id: str, only: list[str]) -> None:
    check(task_id, only, 40)


# Of matches when there is time: test_match.py and test_vizdoom.py play them to their ends, with seeds.
ALONE = [("leftovers", 6), ("seeding", 6), ("autoreset", 30), ("fresh_start", 6), ("render", 6)]


@pytest.mark.parametrize(
    ("task_id", "name", "steps"),
    [(GAME, *ALONE[0]), *(pytest.param(MATCH, *each, marks=pytest.mark.slow) for each in ALONE)],
)
def test_checks_without_those_before_them(task_id: str, name: str, steps: int) -> None:
    ENV_CHECKS[name](EnvUnderTest(task_id, SMALL, steps=steps))


@pytest.mark.slow  # test_to_the_end and test_one_match_after_the_other
def test_ends_of_a_match() -> None:
    remark = ENV_CHECKS["endings"](EnvUnderTest("vizdoom/Cig-v1", ENDING, steps=40))
    assert remark is not None and not remark.startswith("0 of"), remark


@pytest.mark.slow
def test_everything() -> None:
    check(GAME, CHECKS, 40)


@pytest.mark.slow
@pytest.mark.parametrize("name", OF_MATCHES)
def test_matches(name: str) -> None:
    check(MATCH, [name], 6, **SMALL)
