"""Draws of all kinds in any order: what is held back is kept or used exactly as in numpy."""

import ctypes
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from native_generators import GENERATIONS, NativeRandomState, assert_same_bits, some_probabilities
from numpy_generators import NumpyRandomState, state_bytes

WEIGHTS = some_probabilities(6, 2)
LOWS, HIGHS = np.array([-1.0, 0, 5]), np.array([1.0, 0.5, 9])

Draw = Callable[[Any], Any]

DRAWS: list[Draw] = [
    lambda rng: rng.random(1),
    lambda rng: rng.uint32(1),
    lambda rng: rng.uint64(99),
    lambda rng: rng.integers(0, 6, 1),
    lambda rng: rng.integers(0, 2**40, 1),
    lambda rng: rng.integers(0, 200, 3, np.uint8),
    lambda rng: rng.integers(-9, 9, 1, np.int16),
    lambda rng: rng.integers(0, 2, 5, np.bool_),
    lambda rng: rng.integers(7, 2**63 + 7, 1, np.uint64),
    lambda rng: rng.uniform(-2, 2, 1),
    lambda rng: rng.filled("uniform", 3, LOWS, HIGHS),
    lambda rng: rng.filled("normal", 3, LOWS, HIGHS),
    lambda rng: rng.standard_normal(1),
    lambda rng: rng.standard_normal(3),
    lambda rng: rng.standard_exponential(1),
    lambda rng: rng.permutation(4),
    lambda rng: rng.choice(9, 3, False),
    lambda rng: rng.choice(6, 1, True, p=WEIGHTS),
    lambda rng: rng.choice(6, 2, False, p=WEIGHTS),
]
LEGACY_DRAWS: list[Draw] = [lambda state: state.rand(1), lambda state: state.randn(1)]


@pytest.mark.parametrize("seed", range(10))
def test_long_programs(library: ctypes.CDLL, generation: str, seed: int) -> None:
    native, numpy = GENERATIONS[generation]
    ours, reference = native(library, seed), numpy(seed)
    plan = random.Random(seed)
    draws = DRAWS + (LEGACY_DRAWS if generation == "RandomState" else [])
    for _ in range(300):
        draw = plan.choice(draws)
        assert_same_bits(draw(ours), draw(reference))
        assert ours.state() == reference.state()


words = st.integers(0, 2**32 - 1)
states = st.tuples(
    st.just("MT19937"),
    st.integers(0, 2**32 - 1).map(
        lambda seed: np.random.default_rng(seed).integers(0, 2**32, 624, np.uint32)
    ),
    st.integers(0, 624),
    st.sampled_from([0, 1]),
    st.floats(-5, 5),
)
programs = st.lists(st.sampled_from(range(len(DRAWS + LEGACY_DRAWS))), max_size=20)


@settings(max_examples=200, deadline=None, derandomize=True, database=None)
@given(start=st.one_of(words, st.lists(words, min_size=1, max_size=9), states), program=programs)
def test_any_program_from_any_state(library: ctypes.CDLL, start: Any, program: list[int]) -> None:
    ours, reference = NativeRandomState(library), NumpyRandomState(0)
    if isinstance(start, tuple):
        ours.set_state(state_bytes(start))
        reference.set_state(start)
    elif isinstance(start, list):
        ours.seed_array(np.array(start, np.uint32))
        reference.seed(start)
    else:
        ours.seed(start)
        reference.seed(start)
    for number in program:
        draw = (DRAWS + LEGACY_DRAWS)[number]
        assert_same_bits(draw(ours), draw(reference))
        assert ours.state() == reference.state()
