"""What a program has done to its process changes no trajectory, and what pools took goes back."""

import ctypes
import ctypes.util
import gc
import platform
from typing import Any

import numpy as np
import parallel_pool
import pytest
from test_envs.checks import resident_bytes
from test_envs.pools import begun, make
from test_envs.programs import ran
from test_envs.storm import play_all

pytestmark = pytest.mark.own_process

UPWARD = 0x800
TINY = 1e-310
ZEROS = {"x86_64": (7, 0x8040), "aarch64": (0, 1 << 24)}
"""The word of `fenv_t`, and the bits in it with which a thread takes tiny numbers for zeros."""


@pytest.mark.parametrize("closed", [True, False])
def test_finding_11_the_memory_of_batches_goes_back(closed: bool) -> None:
    """Of pools that are closed, whoever keeps batches, and of pools that are dropped with them."""

    def take(steps: int) -> None:
        pool = make("Walk", num_envs=1000, num_threads=2)
        pool.reset()
        kept = [pool.step([0] * 1000) for _ in range(steps)]
        if closed:
            pool.close()
        assert len(kept) == steps
        del pool, kept
        gc.collect()

    take(10)
    before = resident_bytes()
    take(1500)
    assert resident_bytes() < 1.1 * before


def test_finding_13_sub_interpreters_are_refused() -> None:
    program = """
try:
    import _interpreters as interpreters
    new = lambda: interpreters.create("legacy")
    run = lambda which, text: interpreters.run_string(which, text)
except ImportError:
    import _xxsubinterpreters as interpreters
    new = lambda: interpreters.create(isolated=False)
    run = interpreters.run_string
run(new(), '''
try:
    import parallel_pool._core
except ImportError as error:
    import os
    os.write(1, str(error).encode())
''')
"""
    done = ran("-c", program)
    assert "cannot be used in a sub-interpreter" in done.stdout, done.stderr
    assert "another process" in done.stdout


@pytest.mark.parametrize(
    "arguments",
    [
        {"task_id": "classic/CartPole-v1", "num_envs": 3, "num_threads": 1},
        {"task_id": "classic/CartPole-v1", "num_envs": 300, "num_threads": 3},
        {"task_id": "classic/CartPole-v1", "num_envs": 3, "isolation": "process"},
        {"task_id": "gym:CartPole-v1", "num_envs": 3, "isolation": "thread"},
    ],
)
def test_finding_14_the_callers_rules_for_floats_change_nothing(arguments: dict[str, Any]) -> None:
    libm = ctypes.CDLL(ctypes.util.find_library("m"))

    def left_or_right(rng: np.random.Generator) -> Any:
        return rng.integers(0, 2, arguments["num_envs"])

    with parallel_pool.make(seed=3, **arguments) as pool:
        expected = play_all(pool, left_or_right, 100)
        states = pool.get_state() if "isolation" not in arguments else []
    assert libm.fesetround(UPWARD) == 0
    assert 0.1 + 0.2 > 0.3
    with parallel_pool.make(seed=3, **arguments) as pool:
        found = play_all(pool, left_or_right, 100)
        if states:
            assert pool.get_state() == states
    assert libm.fegetround() == UPWARD
    assert libm.fesetround(0) == 0
    assert found == expected


@pytest.mark.skipif(platform.machine() not in ZEROS, reason="how to set the rules is not known")
@pytest.mark.parametrize("num_threads", [1, 2])
def test_finding_14_tiny_numbers_stay_what_they_are(num_threads: int) -> None:
    """Torch and others have a thread take them for zeros."""
    libm = ctypes.CDLL(ctypes.util.find_library("m"))
    rules = (ctypes.c_uint32 * 8)()
    word, bits = ZEROS[platform.machine()]
    libm.fegetenv(rules)
    rules[word] |= bits
    libm.fesetenv(rules)
    found = [TINY * 1.0]
    with begun(make("Count", num_envs=8, num_threads=num_threads, scale=TINY)) as pool:
        found += pool.step([1] * 8)[1].tolist()
    libm.fegetenv(rules)
    still = rules[word] & bits
    rules[word] &= ~bits
    libm.fesetenv(rules)  # before numbers are compared
    assert still == bits
    assert found == [0.0, *[TINY] * 8]
