"""The examples of planning by simulation run, and plan better than what they compare with."""

import re

import pytest
from test_envs.programs import python
from test_envs.repository import ROOT


@pytest.mark.parametrize(
    "command", [("mppi.py", "--steps", "120"), ("tree_search.py", "--decisions", "25")]
)
def test_plans_are_better(command: tuple[str, ...]) -> None:
    script, *options = command
    said = python(ROOT / "examples/planning" / script, *options)
    planned, other = map(float, re.findall(r"(?<=[: ])\d+(?= with| points)", said))
    assert planned > other, said
