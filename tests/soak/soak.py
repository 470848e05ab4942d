"""Ten million steps: does memory grow, and does a program that is stopped now and then go on as if nothing was?

python tests/soak/soak.py [STEPS], of CartPole-v1 by a pool of every view, mode and batch size in turn. Prints
progress, and the slope of resident memory over the second half; ends with an error where that is more than
MOST.
"""

import ctypes
import hashlib
import itertools
import os
import sys
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import parallel_pool

STEPS = 10_000_000
"""Of environments, in all; each view and mode takes an equal share."""
ROUNDS = 24
"""Samples of memory. All pools live all the time, so that nothing but steps lies in between."""
NUM_ENVS = 64
MOST = 0.02
"""Bytes a step. The smallest Python object, lost in each call of one pool of the twelve, would be 0.04."""

VIEWS = ("gymnasium", "gym", "dm")
MODES = ("NextStep", "SameStep")
BATCHES = (NUM_ENVS, NUM_ENVS // 4)


def resident_bytes() -> int:
    """Memory of this process in RAM, without what malloc holds back."""
    ctypes.CDLL(None).malloc_trim(0)
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def slope(steps: list[int], resident: list[int]) -> float:
    """Bytes a step by least squares over the second half, when caches are full."""
    half = len(steps) // 2
    return float(np.polyfit(steps[half:], resident[half:], 1)[0])


class Player:
    """A pool, and what its environments have shown so far."""

    def __init__(self, view: str, mode: str, batch_size: int, steps: int) -> None:
        self.mode = mode
        self._pool: Any = parallel_pool.make(
            "classic/CartPole-v1",
            view,
            num_envs=NUM_ENVS,
            batch_size=batch_size,
            num_threads=2,
            seed=0,
            autoreset_mode=mode,
        )
        self._dm = view == "dm"
        self._most = steps // NUM_ENVS
        self._sums = np.zeros((NUM_ENVS, 4))
        self._turns = np.zeros(NUM_ENVS, int)
        self._pool.async_reset()

    def play(self, share: float) -> None:
        """Until this share of the steps is done by every environment."""
        while self._turns.min() < share * self._most:
            answer = self._pool.recv()
            if self._dm:
                obs, ids = answer.observation.obs, answer.observation.env_id
            else:
                obs, ids = answer[0], answer[-1]["env_id"]
            # Some have had more by the end; how many is not their doing.
            counted = self._turns[ids] < self._most
            self._sums[ids[counted]] += obs[counted] * (1 + self._turns[ids[counted], None] % 7)
            self._turns[ids] += 1
            self._pool.send((self._turns[ids] + ids) % 3 % 2, ids)

    def close(self) -> str:
        """A hash of all observations by environment."""
        self._pool.close()
        return hashlib.sha256(self._sums.tobytes()).hexdigest()[:16]


def main() -> int:
    """Whether memory grows."""
    total = int(sys.argv[1]) if len(sys.argv) > 1 else STEPS
    kinds = list(itertools.product(VIEWS, MODES, BATCHES))
    # Twelve pools at once, and each steps while the others rest.
    warnings.filterwarnings("ignore", r"\d+ pools of this process have")
    players = [Player(*kind, total // len(kinds)) for kind in kinds]
    began = time.monotonic()
    steps, resident = [0], [resident_bytes()]
    for number in range(1, ROUNDS + 1):
        for player in players:
            player.play(number / ROUNDS)
        steps.append(total * number // ROUNDS)
        resident.append(resident_bytes())
        print(
            f"{steps[-1]:>9} steps, {time.monotonic() - began:6.1f} s, "
            f"{resident[-1] / 2**20:.2f} MiB resident",
            flush=True,
        )
    grown = slope(steps, resident)
    print(f"slope {grown:+.5f} bytes/step over the second half", flush=True)
    hashes = sorted({(player.mode, player.close()) for player in players})
    assert len(hashes) == len(MODES), "views or batch sizes differ in what environments did"
    print("trajectories", *(digest for _, digest in hashes), flush=True)
    return int(grown > MOST)


if __name__ == "__main__":
    sys.exit(main())
