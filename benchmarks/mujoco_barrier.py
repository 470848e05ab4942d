"""How much threads lose by waiting for the slowest environment of a batch, and what helps.

Each step of each environment is timed alone, one after the other; then the threads are simulated that
share the steps out: a thread takes the next piece when it is done with its last one, and all wait for
the last. So the figures are of the work itself, and neither of queues nor of a busy machine. Idle is the
share of the threads' time without work.
"""

from __future__ import annotations

import argparse
import heapq
import time
from collections.abc import Callable, Iterator, Sequence
from statistics import median
from typing import Any

import numpy as np
from figures import Row, table
from parallel_pool.benchmarking.actions import draw_actions
from parallel_pool.making import make
from study import Study, run

SIZES = (8, 64, 256)
THREADS = 2
STEPS = 60
WARM_UP = 40
"""Until environments of several ages are together, as in training."""


def measure(task: str, args: argparse.Namespace) -> Iterator[Row]:
    """A row per size: idle shares, by how the work is shared out."""
    costs = step_costs(task, max(SIZES))
    for size in SIZES:
        yield {"task": task, "envs": size, **idle_shares(costs[:, :size], THREADS)}


def text(rows: Sequence[Row]) -> str:
    """A line for each way, a column for each task and size."""
    ways = [key for key in rows[0] if key not in ("case", "task", "envs")]
    names = [f"{row['task'].partition('-')[0]}, {row['envs']}" for row in rows]
    head = "a batch is shared out"
    lines = [
        {head: way, **{name: row[way] for name, row in zip(names, rows, strict=True)}}
        for way in ways
    ]
    return table({head: str, **dict.fromkeys(names, "{:.1%}".format)}, lines)


def idle_shares(costs: np.ndarray[Any, Any], threads: int) -> dict[str, float]:
    """costs: seconds, of shape (steps, environments)."""
    size = costs.shape[1]
    shares = {
        "an equal share each": lambda _: [-(-size // threads)] * threads,
        "quarters of a share": lambda _: [-(-size // (4 * threads))] * (4 * threads),
        "shrinking pieces": lambda _: shrinking(size, threads),
        "one by one": lambda _: [1] * size,
    }
    result = {name: lockstep(costs, threads, pieces) for name, pieces in shares.items()}
    last = np.vstack([costs[:1], costs[:-1]])
    order = np.argsort(-last, axis=1, kind="stable")
    result["one by one, costly first (by the last step)"] = lockstep(
        np.take_along_axis(costs, order, 1), threads, shares["one by one"]
    )
    result["one by one, costly first (if it were known)"] = lockstep(
        -np.sort(-costs, axis=1), threads, shares["one by one"]
    )
    result["asynchronous, batches of a quarter"] = asynchronous(costs, threads, max(1, size // 4))
    return result


def shrinking(size: int, threads: int) -> list[int]:
    """As host/run/run_queue.hpp: a quarter of a thread's share of what is left, 1 to 16."""
    pieces = []
    while size > 0:
        pieces.append(min(max(size // (4 * threads), 1), 16))
        size -= pieces[-1]
    return pieces


def lockstep(
    costs: np.ndarray[Any, Any], threads: int, pieces: Callable[[int], Sequence[int]]
) -> float:
    """The idle share where all wait at the end of each step."""
    spent = worked = 0.0
    for step in costs:
        free = [0.0] * threads
        first = 0
        for piece in pieces(len(step)):
            begin = heapq.heappop(free)
            heapq.heappush(free, begin + float(step[first : first + piece].sum()))
            first += piece
        spent += threads * max(free)
        worked += float(step.sum())
    return 1 - worked / spent


def asynchronous(costs: np.ndarray[Any, Any], threads: int, batch: int) -> float:
    """The idle share where a batch is answered as soon as it is there, and the answer takes no time."""
    steps, size = costs.shape
    waiting = list(range(size))
    taken = [0] * size
    done: list[int] = []
    free = [(0.0, thread) for thread in range(threads)]
    running: list[tuple[float, int, int]] = []
    heapq.heapify(free)
    now = worked = 0.0
    while min(taken) < steps:
        while waiting and free:
            begin, thread = heapq.heappop(free)
            env = waiting.pop(0)
            cost = float(costs[taken[env] % steps, env])
            taken[env] += 1
            worked += cost
            heapq.heappush(running, (max(begin, now) + cost, thread, env))
        now, thread, env = heapq.heappop(running)
        heapq.heappush(free, (now, thread))
        done.append(env)
        if len(done) >= batch:
            waiting += done[:batch]
            del done[:batch]
    # What has begun but is not done counts up to now.
    worked -= sum(end - now for end, _, _ in running)
    return 1 - worked / (threads * now)


def step_costs(task: str, num_envs: int) -> np.ndarray[Any, Any]:
    """Seconds of each step of each environment, (STEPS, num_envs), stepped one by one."""
    with make(f"mujoco/{task}", num_envs=num_envs, num_threads=1, seed=0) as pool:
        pool.reset()
        actions = draw_actions(pool.single_action_space, num_envs)
        for step in range(WARM_UP):
            pool.step(actions[step % len(actions)])
        costs = np.empty((STEPS, num_envs))
        for step in range(STEPS):
            action = actions[step % len(actions)]
            for env in range(num_envs):
                begin = time.perf_counter()
                pool.step(action[env : env + 1], [env])
                costs[step, env] = time.perf_counter() - begin
        overhead = call_overhead()
    return without_disturbances(np.maximum(costs - overhead, 1e-7))


def call_overhead() -> float:
    """Of a call of Python for one environment, seconds."""
    with make("classic/CartPole-v1", num_envs=256, num_threads=1, seed=0) as pool:
        pool.reset()
        times = []
        for env in range(256):
            begin = time.perf_counter()
            pool.step(np.zeros(1, np.int64), [env])
            times.append(time.perf_counter() - begin)
    return median(times)


def without_disturbances(costs: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Steps that another process interrupted are cut to four times the median."""
    result: np.ndarray[Any, Any] = np.minimum(costs, 4 * np.median(costs))
    return result


if __name__ == "__main__":
    cases = ("Ant-v5", "HalfCheetah-v5", "Humanoid-v5")
    run(Study(cases, measure, text, "docs/mujoco.md", "waiting"), __doc__)
