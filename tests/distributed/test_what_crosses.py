"""The bytes of calls are those that docs/scaling.md says, and no copies of them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from test_envs.libraries import needed

needed("ray")

# At the end: the benchmarks have names like memory.py.
sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))

from distributed_costs import sizes  # noqa: E402

STRUCTURE = 800
"""Bytes of a call or an answer whatever it has in it, at most; a fragment has as many."""


@pytest.mark.parametrize(
    ("task_id", "obs", "action"), [("CartPole-v1", 4 * 4, 8), ("Pendulum-v1", 3 * 4, 4)]
)
def test_bytes_of_calls(task_id: str, obs: int, action: int) -> None:
    fragments, step = sizes(task_id)
    assert fragments["there"] < 100
    exact = fragments["steps"] * (obs + action + 23)
    episodes = 24 * fragments["steps"] / 10  # none is shorter
    more = fragments["back"] - exact
    assert 0 < more < fragments["fragments"] * STRUCTURE + episodes
    rows = step["steps"]
    assert rows * (action + 8) < step["there"] < rows * (action + 8) + STRUCTURE
    assert rows * (obs + 10) < step["back"] < rows * (obs + 10) + STRUCTURE
