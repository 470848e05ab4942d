"""An asynchronous run is repeated exactly from its log."""

from pathlib import Path
from typing import Any

import numpy as np
import parallel_pool
import pytest
from parallel_pool.errors import OptionError
from parallel_pool.pool_errors import NothingPendingError
from parallel_pool_learning import BatchLog, ReplayedPool


def play(envs: Any, note: Any, batches: int) -> list[Any]:
    """A policy with a generator of its own, so that every action depends on the order of all batches."""
    rng = np.random.default_rng(0)
    envs.async_reset()
    rows = []
    for number in range(batches):
        obs, reward, terminated, truncated, info = note(envs.recv())
        ids = info["env_id"]
        rows.append(
            (ids.tolist(), obs.tolist(), reward.tolist(), terminated.tolist(), truncated.tolist())
        )
        if number % 17 == 5:
            envs.async_reset(ids[:1], seed=number)
            ids = ids[1:]
        envs.send(rng.integers(0, 2, len(ids)), ids)
    return rows


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_repeated_exactly(tmp_path: Path, mode: str) -> None:
    arguments: dict[str, Any] = {"num_envs": 7, "seed": 4, "autoreset_mode": mode}
    log = BatchLog()
    with parallel_pool.make("CartPole-v1", batch_size=3, num_threads=3, **arguments) as envs:
        first = play(envs, log.note, 150)
    log.save(tmp_path / "log.json")
    kept = BatchLog.load(tmp_path / "log.json")
    with parallel_pool.make("CartPole-v1", **arguments) as envs:
        again = ReplayedPool(envs, kept)
        assert play(again, lambda result: result, 150) == first
        with pytest.raises(NothingPendingError, match="150 batches, and no more"):
            again.recv()


def test_what_does_not_fit_the_log_is_named() -> None:
    with parallel_pool.make("CartPole-v1", num_envs=3) as envs:
        again = ReplayedPool(envs, BatchLog([[0, 1], [2, 0]]))
        again.async_reset([0, 1])
        again.recv()
        with pytest.raises(NothingPendingError, match="batch 1 of the log has environment 2"):
            again.recv()
    with (
        parallel_pool.make("CartPole-v1", num_envs=3, batch_size=1) as envs,
        pytest.raises(OptionError, match="leave batch_size out"),
    ):
        ReplayedPool(envs, BatchLog())
