"""Committed hashes: the trajectories of today are those of every other day, machine and pool."""

import json
import warnings
from pathlib import Path
from typing import Any

import gymnasium
import hashing
import parallel_pool
import pytest
from test_envs.pools import WALKS
from twins import PyWalk

pytest.importorskip("parallel_pool_classic")
pytestmark = pytest.mark.usefixtures("test_envs")

GOLDEN: dict[str, dict[str, list[str]]] = json.loads(
    (Path(__file__).parent / "golden.json").read_text()
)
"""By environment and autoreset mode: one hash for each seed 0 .. 35."""

ACTIONS = {"test/Walk-v0": 3, "classic/CartPole-v1": 2}
ORIGINALS: dict[str, Any] = {
    "test/Walk-v0": PyWalk,
    "classic/CartPole-v1": lambda: gymnasium.make("CartPole-v1"),
}
VARIANTS = {
    "test/Walk-v0": [f"test/{name}-v0" for name in WALKS],  # shards of 1, 8 and 64 environments
    "classic/CartPole-v1": ["classic/CartPole-v1"],
}
MODES = ("NextStep", "SameStep")

every_golden = pytest.mark.parametrize(
    ("golden_id", "variant"), [(each, other) for each in VARIANTS for other in VARIANTS[each]]
)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("golden_id", list(ORIGINALS))
def test_the_committed_hashes_are_the_originals(golden_id: str, mode: str) -> None:
    """Computed anew from Gymnasium's CartPole and from the plain Python twin of the walk."""
    hashes = hashing.of_original(ORIGINALS[golden_id], ACTIONS[golden_id], mode)
    assert len(set(hashes)) == hashing.ENVS
    assert hashes == GOLDEN[golden_id][mode]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("threads", [1, 2, 8])
@every_golden
def test_row_33_every_pool_has_them(golden_id: str, variant: str, threads: int, mode: str) -> None:
    for batch_size, step_timeout in ((1, None), (7, 30), (18, None), (hashing.ENVS, None)):
        with warnings.catch_warnings(action="ignore"):  # more threads than CPUs
            pool = parallel_pool.make(
                variant,
                num_envs=hashing.ENVS,
                batch_size=batch_size,
                num_threads=threads,
                step_timeout=step_timeout,
                seed=0,
                autoreset_mode=mode,
            )
        assert hashing.of_pool(pool, ACTIONS[golden_id]) == GOLDEN[golden_id][mode], batch_size
