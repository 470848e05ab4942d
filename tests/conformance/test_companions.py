"""Options that leave the spaces as they are only beside others are tried beside those."""

from collections.abc import Callable

import pytest
from conformance.findings import texts
from parallel_pool.testing import check_plugin
from parallel_pool_author.testing.report import Report


@pytest.fixture(scope="module", autouse=True)
def companions(known: Callable[[str], None]) -> None:
    known("companions")


def check(name: str) -> Report:
    return check_plugin("companions", env_ids=[f"companions/{name}-v0"], only=["per_env_options"])


def test_all_are_tried_although_not_all_go_together() -> None:
    report = check("Sound")
    assert report.ok, texts(report)
    (result,) = report.results
    for option in ("all_keys=True", "target=False", "wind=True", "calm=True"):
        assert option in result.text


def test_a_mistake_in_one_that_needs_another() -> None:
    (found,) = check("OneTarget").failures
    assert "every other environment has all_keys=True, target=False, environment" in found.text
