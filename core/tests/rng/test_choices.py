"""Permutations, shuffles and choices are numpy's."""

import ctypes

import numpy as np
import pytest
from native_generators import (
    GENERATIONS,
    MakePair,
    NativeRng,
    assert_same,
    assert_same_bits,
    some_probabilities,
)
from numpy_generators import NumpyRng

# The last four are on both sides of the Generator's rule for shuffling the whole population.
SAMPLES = [(1, 1), (5, 0), (5, 3), (5, 5), (100, 99), (9000, 500), (10000, 9999)]
SAMPLES += [(10001, 200), (10001, 201), (20000, 900), (20000, 20000)]


@pytest.mark.parametrize("count", [0, 1, 2, 3, 10, 1000, 20_000])
def test_permutation_and_shuffle(make_pair: MakePair, count: int) -> None:
    ours, reference = pair = make_pair(count)
    assert_same(pair, "permutation", count)
    narrow = ours.fill("fill_permutation", count, dtype=np.int32)
    assert_same_bits(narrow, reference.permutation(count).astype(np.int32))
    data = np.linspace(0, 1, count)
    expected = data.copy()
    ours.shuffle(data)
    reference.shuffle(expected)
    assert_same_bits(data, expected)
    as_list = list(range(count))
    reference.shuffle(as_list)
    assert_same_bits(ours.permutation(count), np.array(as_list, np.int64))
    rows = np.arange(2 * count).reshape(count, 2)
    assert_same_bits(2 * ours.permutation(count), reference.permutation(rows)[:, 0])


@pytest.mark.parametrize("population", [1, 2, 3, 7, 64, 1000])
def test_choice(make_pair: MakePair, population: int) -> None:
    pair = make_pair(population)
    probabilities = some_probabilities(population, population)
    for _ in range(100):
        assert_same(pair, "choice", population)
        assert_same(pair, "choice", population, p=probabilities)
    for p in (None, probabilities):
        assert_same(pair, "choice", population, 501, p=p)


@pytest.mark.parametrize(("population", "count"), SAMPLES)
def test_choice_without_replacement(make_pair: MakePair, population: int, count: int) -> None:
    pair = make_pair(31)
    for _ in range(3):
        assert_same(pair, "choice", population, count, False)


@pytest.mark.parametrize(("population", "count"), SAMPLES)
def test_choice_left_in_order(library: ctypes.CDLL, population: int, count: int) -> None:
    ours, reference = pair = NativeRng(library, 31), NumpyRng(31)
    for _ in range(3):
        assert_same(pair, "choice", population, count, False, shuffle=False)
    assert ours.state() == reference.state()


@pytest.mark.parametrize(("population", "count"), [(1, 1), (4, 2), (10, 5), (300, 100)])
def test_weighted_choice_without_replacement(
    make_pair: MakePair, population: int, count: int
) -> None:
    pair = make_pair(37)
    probabilities = some_probabilities(population, 1)
    for _ in range(100):
        assert_same(pair, "choice", population, count, False, p=probabilities)


def test_impossible_choices_throw(library: ctypes.CDLL, generation: str) -> None:
    ours = GENERATIONS[generation][0](library, 1)
    before = ours.state()
    for impossible in ((3, 4, False), (3, -1, False), (0, 1), (3, 2, True, np.zeros(3))):
        with pytest.raises(ValueError):
            ours.choice(*impossible)
    assert ours.state() == before
    with pytest.raises(ValueError):
        ours.choice(3, 2, False, p=np.array([0.0, 1.0, 0.0]))


def test_categorical(make_pair: MakePair) -> None:
    pair = make_pair(41)
    for count in (1, 2, 3, 10):
        # Half the total, so that the running sum often never exceeds the draw.
        for p in (some_probabilities(count, count), some_probabilities(count, count) / 2):
            for _ in range(200):
                assert_same(pair, "categorical", p)
