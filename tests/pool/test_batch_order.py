"""Batches in the order of sending: `batch_order="oldest"`; and how old rows are."""

from typing import Any

import numpy as np
import parallel_pool
import pytest
from test_envs.pools import make

ARGUMENTS: dict[str, Any] = {"num_envs": 10, "batch_size": 4, "seed": 2}


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("name", ["Sleepy", "Count"])
def test_batches_come_in_the_order_of_sending(name: str, threads: int) -> None:
    """Whatever takes long: environments that sleep, and batch kernels cut at the ends of batches."""
    rng = np.random.default_rng(0)
    with make(name, batch_order="oldest", num_threads=threads, **ARGUMENTS) as envs:
        envs.async_reset()
        sent = list(range(10))
        for _ in range(60):
            *_, info = envs.recv()
            ids = info["env_id"].tolist()
            assert ids == sent[:4]
            del sent[:4]
            rng.shuffle(ids)
            envs.send(rng.integers(0, 2, len(ids)), ids)
            sent += ids


@pytest.mark.parametrize(("order", "bound"), [("oldest", 2), ("first", None)])
def test_ages_are_counted_and_bounded(order: str, bound: int | None) -> None:
    rng = np.random.default_rng(0)
    with make("Sleepy", batch_order=order, **ARGUMENTS) as envs:
        envs.async_reset()
        for _ in range(100):
            *_, info = envs.recv()
            envs.send(rng.integers(0, 4, 4), info["env_id"])  # milliseconds
        stats = envs.stats()
        assert 0 < stats["mean_age"] <= stats["most_age"]
        if bound is not None:
            assert stats["most_age"] <= bound
        assert stats["seconds_waited"] > 0
        assert len(stats["seconds_slept"]) == envs.config["num_threads"]


def test_a_synchronous_pool_has_no_ages() -> None:
    with parallel_pool.make("CartPole-v1", num_envs=3, batch_order="oldest") as envs:
        envs.reset()
        assert "mean_age" not in envs.stats()
