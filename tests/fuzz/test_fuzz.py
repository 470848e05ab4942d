"""Hostile arguments: only documented errors, and the pool works afterwards.

In processes of their own with a time limit, so that a crash or a hang is a failure with the input in it.
"""

import os
import sys
import time
from pathlib import Path
from random import Random

import pytest

CORPUS = Path(__file__).parent / "corpus"
sys.path.insert(0, str(CORPUS.parent))  # target, in processes of their own too


def play(inputs: int, seed: int, seconds: float = float("inf")) -> int:
    """Random inputs, of which the latest is on standard error if the process dies of it."""
    from target import Target

    target = Target()
    random = Random(seed)
    end = time.monotonic() + seconds
    for number in range(inputs):
        if time.monotonic() > end:
            return number
        data = random.randbytes(random.choice((8, 64, 200)))
        try:
            target(data)
        except BaseException:
            print("input", data.hex())
            raise
    return inputs


@pytest.mark.own_process
def test_random_inputs() -> None:
    play(800, seed=1)


@pytest.mark.own_process
def test_inputs_that_once_failed() -> None:
    from target import Target

    target = Target()
    for file in sorted(CORPUS.glob("*.hex")):
        target(bytes.fromhex(file.read_text()))


@pytest.mark.own_process
@pytest.mark.parametrize("batch_size", [2, 4])
def test_an_argument_that_closes_the_pool(batch_size: int) -> None:
    """While it is converted, by the very call that it is an argument of."""
    import numpy as np
    from parallel_pool import ClosedPoolError
    from test_envs import pools
    from values import Hostile

    for use in ("send", "step", "async_reset", "reset", "get_state"):
        pool = pools.make(num_envs=4, batch_size=batch_size, num_threads=2)
        pool.async_reset()
        closes = Hostile(pool.close, np.array([0, 1]))
        with pytest.raises(ClosedPoolError):
            getattr(pool, use)(*([[0, 0]] if use in ("send", "step") else []), closes)


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_random_inputs_for_minutes() -> None:
    """Others in every run; PP_FUZZ_SECONDS of them."""
    seed = int.from_bytes(os.urandom(8))
    print("seed", seed)
    played = play(2**62, seed, float(os.environ.get("PP_FUZZ_SECONDS", "300")))
    print(played, "inputs")
