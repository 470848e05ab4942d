"""What a call costs the actor and the driver, by its bytes; and how many bytes calls have."""

from __future__ import annotations

import pickle
import time
from collections.abc import Iterator
from statistics import median
from typing import Any

import numpy as np
import ray
from distributed_cases import ENVS, SHARE, STEPS, RandomPolicy
from parallel_pool.distributed.actor_group import ActorGroup, Answer
from parallel_pool.distributed.buffer_pool import BufferPool
from parallel_pool.distributed.pool_actor import PoolActor
from parallel_pool.distributed.rollout_actor import HowToRoll, RolloutActor
from parallel_pool.distributed.rollout_pool import CALL_SECONDS
from parallel_pool.distributed.sharding import Sharding

SIZES = (100, 100_000, 1_000_000, 10_000_000)
AT_ONCE = 8


class Giver:
    """An actor whose answers are nothing but their bytes."""

    def begin(self) -> None:
        """It is there."""
        self._kept = {size: np.zeros(size, np.uint8) for size in SIZES}

    def give(self, size: int) -> Any:
        """So many."""
        return self._kept[size]


class Costs:
    """Of one actor and its driver, which take turns: neither disturbs the other."""

    def __init__(self) -> None:
        self._buffers = BufferPool()
        self._actors = ActorGroup(
            Giver,
            1,
            arguments=lambda *_: (),
            resources=SHARE,
            strategy="PACK",
            timeout=60,
            start_timeout=60,
            max_restarts=0,
        )
        self._actors.begin()

    def of(self, size: int, rounds: int) -> dict[str, float]:
        """Seconds: `giving`, of the actor; `taking`, of the driver; `round trip`, from call to answer."""
        givings, takings, trips = [], [], []
        for _ in range(rounds):
            begin = time.perf_counter()
            for _ in range(AT_ONCE):
                self._actors.call(0, None, "give", size)
            asked = time.perf_counter()
            (member,) = self._actors.members
            ray.wait(list(member.waiting), num_returns=AT_ONCE)
            made = time.perf_counter()
            self._take(AT_ONCE, size)
            givings.append((made - begin) / AT_ONCE)
            takings.append((asked - begin + time.perf_counter() - made) / AT_ONCE)
            begin = time.perf_counter()
            self._actors.call(0, None, "give", size)
            self._take(1, size)
            trips.append(time.perf_counter() - begin)
        return {"giving": median(givings), "taking": median(takings), "round trip": median(trips)}

    def _take(self, count: int, size: int) -> None:
        while count:
            self._actors.wait(None)
            while self._actors.events:
                event = self._actors.events.popleft()
                assert isinstance(event, Answer)
                (kept,) = self._buffers.arrays([((size,), np.uint8)])
                np.copyto(kept, event.value)
                count -= 1

    def close(self) -> None:
        """Ends the actor."""
        self._actors.close()


def nbytes(*values: Any) -> int:
    """As they travel: pickled, arrays beside it."""
    buffers: list[pickle.PickleBuffer] = []
    told = pickle.dumps(values, protocol=5, buffer_callback=buffers.append)
    return len(told) + sum(each.raw().nbytes for each in buffers)


def sizes(task_id: str) -> Iterator[dict[str, Any]]:
    """Of a fragment, and of a step of a lane: bytes there and back, by doing here what actors do."""
    options: dict[str, Any] = {"num_threads": 1, "infos": "minimal"}
    rolled = {"autoreset_mode": "SameStep", **options}
    shard = Sharding("RolloutPool", task_id, ENVS, 1, 0, rolled).shard(0, 0)
    policy = RandomPolicy(task_id, ENVS)
    how = HowToRoll(policy, takes_weights=False, num_steps=STEPS, gamma=0.99, gae_lambda=0.95)
    actor = RolloutActor(shard, how, (0, 0), 0)
    actor.roll(0, [])  # the first time takes longer
    fragments = actor.roll(0, [], CALL_SECONDS)
    yield {
        "env": task_id,
        "pool": "RolloutPool",
        "fragments": len(fragments),
        "steps": len(fragments) * ENVS * STEPS,
        "there": nbytes(0, [], CALL_SECONDS),
        "back": nbytes(fragments),
    }
    lane = np.arange(ENVS // 2)
    pool = PoolActor(Sharding("RayPool", task_id, ENVS, 1, 0, options).shard(0, 0))
    pool.reset(np.arange(ENVS), None, None)
    action = RandomPolicy(task_id, len(lane))(None)[0]
    yield {
        "env": task_id,
        "pool": "RayPool",
        "steps": len(lane),
        "there": nbytes(action, lane),
        "back": nbytes(pool.step(action, lane)),
    }
