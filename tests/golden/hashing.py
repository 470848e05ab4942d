"""Hashes of trajectories: of one environment, whoever its neighbours and whatever the threads."""

import hashlib
import struct
from typing import Any

import numpy as np

ENVS = 36
STEPS = 80


def policy(env: int, step: int, actions: int) -> int:
    return (7 * env + 3 * step + env * step) % actions


class Trajectory:
    """Takes rows, gives one hash. Little-endian, so that every machine agrees."""

    def __init__(self) -> None:
        self.rows = 0
        self._hash = hashlib.sha256()

    def add(self, obs: Any, reward: float, terminated: bool, truncated: bool, elapsed: int) -> None:
        if self.rows <= STEPS:
            obs = np.asarray(obs)
            self._hash.update(obs.astype(obs.dtype.newbyteorder("<")).tobytes())
            self._hash.update(struct.pack("<d??i", reward, terminated, truncated, elapsed))
        self.rows += 1

    def hexdigest(self) -> str:
        return self._hash.hexdigest()[:16]


def of_pool(pool: Any, actions: int) -> list[str]:
    """Plays a gymnasium view, synchronous or not, and closes it."""
    seen = [Trajectory() for _ in range(ENVS)]
    pool.async_reset()
    while min(each.rows for each in seen) <= STEPS:
        obs, reward, terminated, truncated, info = pool.recv()
        ids = info["env_id"].tolist()
        for row, env in enumerate(ids):
            values = (reward[row], terminated[row], truncated[row], info["elapsed_step"][row])
            seen[env].add(obs[row], *(value.item() for value in values))
        pool.send(np.array([policy(env, seen[env].rows - 1, actions) for env in ids]), ids)
    pool.close()
    return [each.hexdigest() for each in seen]


def of_original(make: Any, actions: int, mode: str) -> list[str]:
    """The same from Gymnasium environments, one alone after the other; `make` gives a new one."""
    hashes = []
    for number in range(ENVS):
        env, seen = make(), Trajectory()
        obs, _ = env.reset(seed=number)
        seen.add(obs, 0.0, False, False, 0)
        elapsed, over = 0, False
        for step in range(STEPS):
            if over:
                obs, _ = env.reset()
                elapsed, over = 0, False
                seen.add(obs, 0.0, False, False, 0)
                continue
            obs, reward, terminated, truncated, _ = env.step(policy(number, step, actions))
            elapsed += 1
            over = terminated or truncated
            if over and mode == "SameStep":
                obs, _ = env.reset()
                elapsed, over = 0, False
            seen.add(obs, float(reward), bool(terminated), bool(truncated), elapsed)
        hashes.append(seen.hexdigest())
    return hashes
