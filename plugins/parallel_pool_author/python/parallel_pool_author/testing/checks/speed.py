"""Measures the speed, for information: nothing here fails."""

from __future__ import annotations

import time

from parallel_pool_author.testing.env_under_test import EnvUnderTest
from parallel_pool_author.testing.findings import Finding

SECONDS = 0.5


def speed(tested: EnvUnderTest) -> str | None:
    """Steps per second of one thread, and what a call costs besides them."""
    many = 64
    rates = {}
    for envs in (1, many):
        table = tested.actions(envs, 16, held=False)
        with tested.pool(num_envs=envs, seed=0, num_threads=1) as pool:
            pool.reset()
            batches = [table.at(step) for step in range(16)]
            calls, start = 0, time.perf_counter()
            while time.perf_counter() - start < SECONDS:
                for batch in batches:
                    pool.step(batch)
                calls += len(batches)
            rates[envs] = (time.perf_counter() - start) / calls
    step = rates[many] / many
    if step <= 0:
        raise Finding("the clock stands still")
    return (
        f"{1 / step:,.0f} steps/s in one thread ({step * 1e9:,.0f} ns each); a call of one environment "
        f"costs {max(0.0, rates[1] - step) * 1e9:,.0f} ns more than its step"
    )
