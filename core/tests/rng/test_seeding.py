"""Seeds of every kind lead to numpy's states."""

import ctypes

import numpy as np
import pytest
from native_generators import (
    GENERATIONS,
    NativeRandomState,
    NativeRng,
    assert_same_bits,
    pointer,
    random_seeds,
    size,
    words_of,
)
from numpy_generators import NumpyRandomState, NumpyRng

EDGE_SEEDS = {
    "Rng": [0, 1, 2, 42, 2**31, 2**32 - 1, 2**32, 2**32 + 1, 2**63, 2**64 - 1],
    "RandomState": [0, 1, 2, 42, 5489, 19650218, 2**16, 2**31 - 1, 2**31, 2**32 - 1],
}
EDGES = [(generation, seed) for generation, seeds in EDGE_SEEDS.items() for seed in seeds]


@pytest.mark.parametrize(
    ("generation", "bits"), [("Rng", [8, 31, 32, 33, 48, 64]), ("RandomState", [8, 16, 31, 32])]
)
def test_thousands_of_seeds(library: ctypes.CDLL, generation: str, bits: list[int]) -> None:
    native, numpy = GENERATIONS[generation]
    seeds = [*EDGE_SEEDS[generation], *range(1000), *random_seeds(2000, bits)]
    as_array = np.array(seeds, np.uint64)
    words = np.empty_like(as_array)
    native(library).call("first_words", pointer(as_array), pointer(words), size(words), result=None)
    assert_same_bits(words, np.concatenate([numpy(seed).uint64(1) for seed in seeds]))


@pytest.mark.parametrize(("generation", "seed"), EDGES)
def test_state_after_seeding(library: ctypes.CDLL, generation: str, seed: int) -> None:
    native, numpy = GENERATIONS[generation]
    fresh = native(library, seed)
    assert fresh.state() == numpy(seed).state()
    # What is held back, half a word or a normal draw, is forgotten.
    reused = native(library, 7)
    reused.uint32(3)
    reused.standard_normal(1)
    reused.seed(seed)
    assert reused.state() == fresh.state()


def test_default_is_seed_zero(library: ctypes.CDLL, generation: str) -> None:
    native, numpy = GENERATIONS[generation]
    assert native(library).state() == numpy(0).state()


@pytest.mark.parametrize("seed", EDGE_SEEDS["Rng"])
@pytest.mark.parametrize("spawn_key", [(), (0,), (3, 5), (1, 2, 3, 4, 5, 6)])
def test_seed_sequence_words(library: ctypes.CDLL, seed: int, spawn_key: tuple[int, ...]) -> None:
    expected = np.random.SeedSequence(seed, spawn_key=spawn_key)
    key = np.array(spawn_key, np.uint32)
    for name, dtype in (("uint32", np.uint32), ("uint64", np.uint64)):
        for count in (1, 4, 11):
            out = np.empty(count, dtype)
            getattr(library, f"seed_sequence_{name}")(
                *(ctypes.c_uint64(seed), pointer(key), size(key), pointer(out), size(out))
            )
            assert_same_bits(out, expected.generate_state(count, dtype))


@pytest.mark.parametrize("entropy", [0, 5, 2**64 + 9, 2**127, 2**128 - 1, 2**128, 3**200])
@pytest.mark.parametrize("spawn_key", [(), (0,), (3, 2**40)])
def test_long_entropy(library: ctypes.CDLL, entropy: int, spawn_key: tuple[int, ...]) -> None:
    words = words_of(entropy)
    key = np.concatenate([np.empty(0, np.uint32), *map(words_of, spawn_key)])
    sequence = np.random.SeedSequence(entropy, spawn_key=spawn_key)
    rng = NativeRng(library)
    rng.seed_from_words(words, key)
    assert rng.state() == NumpyRng(sequence).state()
    state = NativeRandomState(library)
    state.seed_from_words(words, key)
    assert state.state() == NumpyRandomState(np.random.MT19937(sequence)).state()


@pytest.mark.parametrize("count", [1, 2, 3, 10, 623, 624, 625, 2000])
def test_arrays_of_words(library: ctypes.CDLL, count: int) -> None:
    source = np.random.default_rng(count)
    for words in (
        np.zeros(count, np.uint32),
        np.full(count, 2**32 - 1, np.uint32),
        *source.integers(0, 2**32, (20, count), np.uint32),
    ):
        ours, reference = NativeRandomState(library), NumpyRandomState(words.tolist())
        ours.standard_normal(1)
        ours.seed_array(words)
        assert ours.state() == reference.state()
        assert_same_bits(ours.uint32(700), reference.uint32(700))
        assert ours.state() == reference.state()


def test_seeds_that_numpy_refuses(library: ctypes.CDLL) -> None:
    for seed in (2**32, 2**64 - 1):
        with pytest.raises(ValueError):
            np.random.RandomState(seed)
        with pytest.raises(ValueError):
            NativeRandomState(library, seed)
        state = NativeRandomState(library, 3)
        before = state.state()
        with pytest.raises(ValueError):
            state.seed(seed)
        assert state.state() == before
    with pytest.raises(ValueError):
        np.random.RandomState([])
    with pytest.raises(ValueError):
        NativeRandomState(library).seed_array(np.empty(0, np.uint32))
