"""Compiled JAX programs that step environments, in turn.

A scan in which a policy chooses each action: ParallelPool's xla() through XLA's FFI and through a callback,
EnvPool's xla(), and a loop in Python over a ParallelPool with the same policy compiled. All have equally many
threads, two on the page. On a GPU the pass of XLA that can make a call twice is off (docs/jax.md).
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import parallel_pool
from figures import Columns, Row, table, times, whole
from measuring.baselines import module_of
from measuring.drivers import Driver
from study import Build, Study, compare, id_and_size, run

THREADS = 2
OURS, ENVPOOL, CALLBACK, LOOP = ("xla()", "EnvPool's xla()", "callback", "Python loop")
KEEPING = "xla(), results kept, pass on"
"""As programs are that the pass concerns: it is on, and results are stored in the scan's stack."""
KEPT_STEPS = 64


def policy(obs: Any) -> Any:
    """A few operations; which does not matter."""
    flat = obs.reshape(obs.shape[0], -1)[:, :4].astype(jnp.float32)
    return (flat @ jnp.array([0.1, 0.3, 1.0, 0.7]) > 0).astype(jnp.int32)


class Scan(Driver):
    """A call is a scan of so many steps with the functions of a pool."""

    def __init__(
        self,
        name: str,
        pool: Any,
        backend: str | None,
        num_envs: int,
        seconds: float,
        keeping: bool = False,
    ):
        self.env = pool
        obs, _ = pool.reset()
        handle, _, _, step = pool.xla() if backend is None else pool.xla(backend)

        def body(carry: Any, _: Any) -> Any:
            handle, obs = carry
            handle, (obs, reward, *flags, _) = step(handle, policy(obs))
            return (handle, obs), (obs, reward, flags) if keeping else reward.sum()

        on_gpu = jax.default_backend() == "gpu"
        options = {"xla_gpu_enable_dynamic_slice_fusion": keeping} if on_gpu else None

        def compiled(length: int) -> Any:
            return jax.jit(
                lambda carry: jax.lax.scan(body, carry, None, length=length),
                compiler_options=options,
            )

        short = compiled(20)
        carry = jax.block_until_ready(short((handle, jnp.asarray(obs)))[0])
        begin = time.perf_counter()
        self._carry = jax.block_until_ready(short(carry)[0])
        length = max(20, int(20 * seconds / (time.perf_counter() - begin)))
        length = min(length, KEPT_STEPS) if keeping else length
        self._scan = compiled(length)
        super().__init__(name, length * num_envs)
        self.advance(1)

    def advance(self, calls: int) -> Any:
        for _ in range(calls):
            self._carry, _ = jax.block_until_ready(self._scan(self._carry))

    def close(self) -> None:
        self.env.close()


class Loop(Driver):
    """A loop in Python."""

    def __init__(self, name: str, pool: Any, num_envs: int) -> None:
        super().__init__(name, num_envs)
        self.env = pool
        self._choose = jax.jit(policy)
        self._obs, _ = pool.reset()

    def advance(self, calls: int) -> Any:
        for _ in range(calls):
            self._obs, *_ = self.env.step(np.asarray(self._choose(self._obs)))

    def close(self) -> None:
        self.env.close()


def builds(task_id: str, num_envs: int, seconds: float, threads: int = THREADS) -> dict[str, Build]:
    """What is stepped in turn, by name; scans take about so many seconds."""
    sizes: dict[str, Any] = {"num_envs": num_envs, "num_threads": threads, "seed": 0}

    def scan(name: str, backend: str | None, make: Any, **keeping: bool) -> Driver:
        return Scan(name, make(task_id, **sizes), backend, num_envs, seconds, **keeping)

    def theirs() -> Driver:
        return scan(ENVPOOL, None, module_of("envpool").make_gymnasium)

    make = parallel_pool.make
    return {
        OURS: partial(scan, OURS, "ffi", make),
        ENVPOOL: theirs,
        CALLBACK: partial(scan, CALLBACK, "callback", make),
        LOOP: lambda: Loop(LOOP, make(task_id, **sizes), num_envs),
        KEEPING: partial(scan, KEEPING, "ffi", make, keeping=True),
    }


def measure(case: str, args: argparse.Namespace) -> Iterator[Row]:
    """A row."""
    task_id, num_envs = id_and_size(case)
    each = builds(task_id, num_envs, args.slice)
    del each[KEEPING]
    yield {"environments": f"{num_envs} {task_id}", **compare(each, args)}


def text(rows: Sequence[Row]) -> str:
    columns: Columns = {"environments": str, OURS: whole, ENVPOOL: whole, f"to {ENVPOOL}": times}
    return table({**columns, CALLBACK: whole, LOOP: whole, f"to {LOOP}": times}, rows)


if __name__ == "__main__":
    cases = ("CartPole-v1:64", "CartPole-v1:1024", "Pong-v5:32")
    run(Study(cases, measure, text, "docs/jax.md", seconds=0.4, packages=("jax",)), __doc__)
