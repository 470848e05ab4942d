"""What a program has done to its process changes no trajectory, and what pools took goes back."""

import ctypes
import ctypes.util
import gc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import parallel_pool
import pytest
from parallel_pool.plugin_api import EnvSpec
from test_envs.checks import resident_bytes
from test_envs.pools import make
from test_envs.programs import ran
from test_envs.storm import play_all

UPWARD = 0x800


@pytest.mark.own_process
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


def rounding(libm: Any, mode: int) -> None:
    assert libm.fesetround(mode) == 0


@pytest.mark.own_process
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
    rounding(libm, UPWARD)
    assert 0.1 + 0.2 > 0.3
    with parallel_pool.make(seed=3, **arguments) as pool:
        found = play_all(pool, left_or_right, 100)
        if states:
            assert pool.get_state() == states
    assert libm.fegetround() == UPWARD
    rounding(libm, 0)
    assert found == expected


@pytest.fixture(scope="module")
def tiny_numbers(compiled: Callable[[Path], Path]) -> Any:
    """The library of tiny/Halving-v0, which can be made then."""
    path = compiled(Path(__file__).with_name("tiny_numbers.cpp"))
    parallel_pool.register(EnvSpec("tiny/Halving-v0"), library=str(path))
    return ctypes.CDLL(str(path))


@pytest.mark.parametrize("num_threads", [1, 2])
def test_finding_14_tiny_numbers_stay_what_they_are(tiny_numbers: Any, num_threads: int) -> None:
    """Torch and others have a thread take them for zeros."""
    library = tiny_numbers
    if not hasattr(library, "float_rules"):
        pytest.skip("it is not known how to set the rules of this processor")
    library.float_rules.restype = ctypes.c_uint64

    def halved() -> list[float]:
        with parallel_pool.make("tiny/Halving-v0", num_envs=8, num_threads=num_threads) as pool:
            pool.reset(seed=1)
            steps = [pool.step([0] * 8) for _ in range(60)]
        assert [step[1].min() for step in steps] == [1.0] * 60
        return [value for step in steps for value in step[0].tolist()]

    expected = halved()
    assert 0 < expected[-1] < 2.3e-308
    library.tiny_numbers_are_zero(1)
    try:
        there = library.float_rules()
        found = halved()
        still = library.float_rules()
    finally:
        library.tiny_numbers_are_zero(0)
    assert there == still != 0
    assert found == expected
