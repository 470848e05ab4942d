"""Every number and every state of pp::Rng and pp::RandomState is numpy's, in every bit."""

import ctypes

import numpy as np
import pytest
from native_generators import MakePair, NativeRandomState, NativeRng, assert_same, assert_same_bits
from numpy_generators import NumpyRandomState, NumpyRng

SEEDS = [0, 1, 42, 2**31, 2**32 - 1]


def test_uniform_floats(make_pair: MakePair) -> None:
    pair = make_pair(11)
    assert_same(pair, "random", 100_000)
    assert_same(pair, "filled", "random", 9999)
    for low, high in ((0, 1), (-0.05, 0.05), (-1.2, 0.6), (-1e300, 1e300), (0.1, 0.1)):
        assert_same(pair, "uniform", low, high, 20_000)
        assert_same(pair, "filled", "uniform", 9999, low, high)


def test_half_precision_floats(library: ctypes.CDLL) -> None:
    ours, reference = NativeRng(library, 11), NumpyRng(11)
    drawn = ours.fill("random_float", 99_999, dtype=np.float32)
    assert_same_bits(drawn, reference.random(99_999, np.float32))
    assert ours.state() == reference.state()


@pytest.mark.parametrize("count", [0, 1, 2, 7, 1000])
def test_bounds_for_each_value(make_pair: MakePair, count: int) -> None:
    pair = make_pair(19)
    source = np.random.default_rng(count)
    low, scale = source.normal(0, 10, count), source.random(count)
    assert_same(pair, "filled", "uniform", count, low, low + scale)
    assert_same(pair, "filled", "normal", count, low, scale)


def test_standard_normal(make_pair: MakePair) -> None:
    ours, reference = make_pair(101)
    tail_count = 0
    for _ in range(2):
        expected = reference.standard_normal(1_000_000)
        tail_count += int(np.count_nonzero(np.abs(expected) > 3.6541528853610088))
        assert_same_bits(ours.standard_normal(expected.size), expected)
    # The ziggurat's draws from the tail are those beyond this point, about one in 3900.
    assert tail_count > 400


@pytest.mark.parametrize("seed", SEEDS)
def test_normal(make_pair: MakePair, seed: int) -> None:
    pair = make_pair(seed)
    for location, scale in ((0, 1), (0.5, 0.1), (-3.3, 1e-9), (1e9, 7.7), (2, 0)):
        # An odd number: the second of a pair is kept for the next call.
        for count in (1, 3333):
            assert_same(pair, "normal", location, scale, count)
            assert_same(pair, "filled", "normal", count, location, scale)
            assert_same(pair, "filled", "standard_normal", count)


def test_exponential(make_pair: MakePair) -> None:
    ours, reference = pair = make_pair(103)
    expected = reference.standard_exponential(1_000_000)
    assert np.count_nonzero(expected > 7.697117470131050) > 250  # the ziggurat's tail
    assert_same_bits(ours.standard_exponential(expected.size), expected)
    for scale in (0.0, 1e-3, 1.0, 7.7):
        assert_same(pair, "exponential", scale, 999)


def test_numpys_other_names(library: ctypes.CDLL) -> None:
    ours, reference = pair = NativeRandomState(library, 3), NumpyRandomState(3)
    for name in ("rand", "random_sample", "randn"):
        assert_same(pair, name, 101)
    assert ours.state() == reference.state()
