"""Compiled JAX programs that step environments: steps per second, interleaved, the median of the slices.

uv run --group learners --group bench python benchmarks/xla.py [--table docs/jax.md]

A scan in which a policy chooses each action: ParallelPool's xla() through XLA's FFI and through a callback,
EnvPool's xla(), and a loop in Python over a ParallelPool with the same policy compiled. All have two threads.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import harness
import jax
import jax.numpy as jnp
import numpy as np
import parallel_pool

CASES = ("CartPole-v1:64", "CartPole-v1:1024", "Pong-v5:32")
THREADS = 2
SECONDS = 0.4

Slice = Callable[[], float]
"""Environment steps per second of one slice."""


def policy(obs: Any) -> Any:
    """A few operations; which does not matter."""
    flat = obs.reshape(obs.shape[0], -1)[:, :4].astype(jnp.float32)
    return (flat @ jnp.array([0.1, 0.3, 1.0, 0.7]) > 0).astype(jnp.int32)


def scans(pool: Any, obs: Any, program: Any, num_envs: int) -> Slice:
    """Slices of a scan with these functions of a pool, which is kept."""
    handle, _, _, step = program

    def body(carry: Any, _: Any) -> Any:
        handle, obs = carry
        handle, (obs, reward, *_) = step(handle, policy(obs))
        return (handle, obs), reward.sum()

    def compiled(length: int) -> Any:
        return jax.jit(lambda carry: jax.lax.scan(body, carry, None, length=length))

    carry = jax.block_until_ready(compiled(20)((handle, jnp.asarray(obs)))[0])
    again = compiled(20)
    carry = jax.block_until_ready(again(carry)[0])
    begin = time.perf_counter()
    carry = jax.block_until_ready(again(carry)[0])
    length = max(20, int(20 * SECONDS / (time.perf_counter() - begin)))
    scan = compiled(length)
    state = [jax.block_until_ready(scan(carry)[0])]

    def run(kept: Any = pool) -> float:
        begin = time.perf_counter()
        state[0], _ = jax.block_until_ready(scan(state[0]))
        return length * num_envs / (time.perf_counter() - begin)

    return run


def looping(pool: Any, num_envs: int) -> Slice:
    """Slices of a loop in Python."""
    choose = jax.jit(policy)
    state = [pool.reset()[0]]

    def run() -> float:
        steps, begin = 0, time.perf_counter()
        while (passed := time.perf_counter() - begin) < SECONDS:
            for _ in range(10):
                state[0], *_ = pool.step(np.asarray(choose(state[0])))
            steps += 10 * num_envs
        return steps / passed

    return run


def ours(task_id: str, num_envs: int, backend: str | None) -> Slice:
    pool = parallel_pool.make(task_id, num_envs=num_envs, num_threads=THREADS, seed=0)
    if backend is None:
        return looping(pool, num_envs)
    obs, _ = pool.reset()
    return scans(pool, obs, pool.xla(backend), num_envs)


def envpools(task_id: str, num_envs: int) -> Slice:
    import envpool

    pool = envpool.make_gymnasium(task_id, num_envs=num_envs, num_threads=THREADS, seed=0)
    obs, _ = pool.reset()
    return scans(pool, obs, pool.xla(), num_envs)


def main() -> None:
    """Prints a table in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", nargs="+", default=CASES, metavar="ID:N")
    parser.add_argument("--slices", type=int, default=7)
    parser.add_argument("--table", type=Path, metavar="PAGE", help="where the table goes, too")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    facts = harness.environment()
    facts["versions"]["jax"] = jax.__version__
    harness.print_environment(facts)
    lines = "| environments | xla() | EnvPool's xla() | | callback | Python loop | |\n"
    lines += "|---|--:|--:|--:|--:|--:|--:|\n"
    for case in arguments.cases:
        task_id, _, count = case.partition(":")
        num_envs = int(count)
        runs = [
            ours(task_id, num_envs, "ffi"),
            envpools(task_id, num_envs),
            ours(task_id, num_envs, "callback"),
            ours(task_id, num_envs, None),
        ]
        rounds = [[run() for run in runs] for _ in range(arguments.slices)]
        ffi, envpool, callback, loop = (median(each) for each in zip(*rounds, strict=True))
        gains = [median(each[0] / each[i] for each in rounds) for i in (1, 3)]
        lines += (
            f"| {num_envs} {task_id} | {ffi:,.0f} | {envpool:,.0f} | {gains[0]:.1f} x | {callback:,.0f} "
            f"| {loop:,.0f} | {gains[1]:.1f} x |\n"
        )
    harness.show(lines, arguments.table)


if __name__ == "__main__":
    main()
