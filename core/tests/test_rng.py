"""pp::Rng against numpy.random.default_rng: every value and every state equal in every bit."""

import ctypes
import os
import pathlib
import random
import struct
import subprocess

import numpy as np
import pytest

TESTS_DIR = pathlib.Path(__file__).resolve().parent
INCLUDE_DIR = TESTS_DIR.parent / "include"

# The second build takes every path that the first leaves out: the 128-bit arithmetic for compilers
# without such a type, fused multiply-add instructions where this machine has them, and checks for
# undefined behaviour.
BUILDS = {
    "plain": ["-O2"],
    "other_paths": [
        "-O2",
        "-march=native",
        "-DPP_RNG_PORTABLE_UINT128",
        "-fsanitize=undefined",
        "-fno-sanitize-recover=all",
    ],
}

EDGE_SEEDS = [0, 1, 2, 42, 2**31, 2**32 - 1, 2**32, 2**32 + 1, 2**63, 2**64 - 1]
INT64_MIN, INT64_MAX = -(2**63), 2**63 - 1


@pytest.fixture(scope="module", params=BUILDS)
def library(request, tmp_path_factory):
    output = tmp_path_factory.mktemp("rng") / "librng.so"
    subprocess.run(
        [
            os.environ.get("CXX", "g++"),
            "-std=c++17",
            *BUILDS[request.param],
            "-Wall",
            "-Wextra",
            "-Wpedantic",
            "-Werror",
            "-shared",
            "-fPIC",
            "-fvisibility=default",
            f"-I{INCLUDE_DIR}",
            str(TESTS_DIR / "rng_capi.cpp"),
            "-o",
            str(output),
        ],
        check=True,
    )
    loaded = ctypes.CDLL(str(output))
    loaded.rng_size.restype = ctypes.c_size_t
    loaded.rng_uniform.restype = ctypes.c_double
    for name in ("rng_integers", "rng_choice", "rng_categorical"):
        getattr(loaded, name).restype = ctypes.c_int64
    loaded.rng_integers32.restype = ctypes.c_int32
    loaded.rng_choice_many.restype = ctypes.c_bool
    return loaded


def pointer(array):
    return ctypes.c_void_p(None if array is None else array.ctypes.data)


def words_of(integer):
    """The 32-bit words of a number, as SeedSequence splits it."""
    words = [integer & 0xFFFFFFFF]
    while integer := integer >> 32:
        words.append(integer & 0xFFFFFFFF)
    return words


class NativeRng:
    """pp::Rng with the methods of numpy's Generator that it has."""

    def __init__(self, library, seed=None):
        self.library = library
        self.memory = np.zeros(library.rng_size() // 8, np.uint64)
        self.address = pointer(self.memory)
        if seed is None:
            library.rng_default(self.address)
        else:
            library.rng_construct(self.address, ctypes.c_uint64(seed))

    def fill(self, name, dtype, count, *arguments):
        out = np.empty(count, dtype)
        getattr(self.library, f"rng_{name}")(
            self.address, pointer(out), ctypes.c_size_t(count), *arguments
        )
        return out

    def uint64(self, count):
        return self.fill("uint64", np.uint64, count)

    def uint32(self, count):
        return self.fill("uint32", np.uint32, count)

    def random(self, count, dtype=np.float64):
        return self.fill("random" if dtype == np.float64 else "random_float", dtype, count)

    def uniform(self, low, high, count=None):
        bounds = ctypes.c_double(low), ctypes.c_double(high)
        if count is None:
            return self.library.rng_uniform(self.address, *bounds)
        return self.fill("fill_uniform", np.float64, count, *bounds)

    def standard_normal(self, count):
        return self.fill("standard_normal", np.float64, count)

    def normal(self, location, scale, count):
        arguments = ctypes.c_double(location), ctypes.c_double(scale)
        return self.fill("normal", np.float64, count, *arguments)

    def standard_exponential(self, count):
        return self.fill("standard_exponential", np.float64, count)

    def integers(self, low, high, count=None, dtype=np.int64, endpoint=False):
        bounds = ctypes.c_int64(low), ctypes.c_int64(high), ctypes.c_bool(endpoint)
        if count is not None:
            return self.fill(f"fill_{np.dtype(dtype).name}", dtype, count, *bounds)
        name = {np.int64: "rng_integers", np.int32: "rng_integers32"}[dtype]
        return getattr(self.library, name)(self.address, *bounds)

    def permutation(self, count):
        return self.fill("permutation", np.int64, count)

    def shuffle(self, data):
        self.library.rng_shuffle(self.address, pointer(data), ctypes.c_size_t(data.size))

    def choice(self, population, count=None, replace=True, p=None, shuffle=True):
        if count is None:
            return self.library.rng_choice(self.address, ctypes.c_int64(population), pointer(p))
        out = np.empty(count, np.int64)
        sizes = ctypes.c_int64(population), ctypes.c_int64(count)
        options = ctypes.c_bool(replace), pointer(p), ctypes.c_bool(shuffle)
        if not self.library.rng_choice_many(self.address, pointer(out), *sizes, *options):
            raise ValueError
        return out

    def categorical(self, p):
        return self.library.rng_categorical(self.address, pointer(p), ctypes.c_size_t(p.size))


def state_bytes(generator):
    fields = generator.bit_generator.state
    words = []
    for number in (fields["state"]["state"], fields["state"]["inc"]):
        words += [number >> 64, number & (2**64 - 1)]
    return struct.pack("=4Q2I", *words, fields["uinteger"], fields["has_uint32"])


def assert_same_bits(ours, expected):
    ours, expected = np.asarray(ours), np.asarray(expected)
    assert ours.dtype == expected.dtype
    assert ours.shape == expected.shape
    assert ours.tobytes() == expected.tobytes()


def assert_same_state(ours, reference):
    assert ours.memory.tobytes() == state_bytes(reference)


@pytest.fixture
def pair(library):
    """Makes a generator of each kind from one seed; their states must be equal in the end."""
    pairs = []

    def make(seed):
        pairs.append((NativeRng(library, seed), np.random.default_rng(seed)))
        return pairs[-1]

    yield make
    for ours, reference in pairs:
        assert_same_state(ours, reference)


def random_seeds(count):
    source = random.Random(2024)
    return [source.getrandbits(source.choice([8, 31, 32, 33, 48, 64])) for _ in range(count)]


# Seeding.


def test_thousands_of_seeds(library):
    seeds = np.array([*EDGE_SEEDS, *range(1000), *random_seeds(2000)], np.uint64)
    words = np.empty_like(seeds)
    library.rng_first_words(pointer(seeds), pointer(words), ctypes.c_size_t(seeds.size))
    expected = [np.random.PCG64(int(seed)).random_raw() for seed in seeds]
    assert_same_bits(words, np.array(expected, np.uint64))


@pytest.mark.parametrize("seed", EDGE_SEEDS)
def test_state_after_seeding(library, seed):
    fresh = NativeRng(library, seed)
    assert_same_state(fresh, np.random.default_rng(seed))
    reused = NativeRng(library, 7)
    reused.uint32(3)
    library.rng_seed(reused.address, ctypes.c_uint64(seed))
    assert reused.memory.tobytes() == fresh.memory.tobytes()


def test_default_is_seed_zero(library):
    assert_same_state(NativeRng(library), np.random.default_rng(0))


@pytest.mark.parametrize("seed", EDGE_SEEDS)
@pytest.mark.parametrize("spawn_key", [(), (0,), (3, 5), (1, 2, 3, 4, 5, 6)])
def test_seed_sequence_words(library, seed, spawn_key):
    expected = np.random.SeedSequence(seed, spawn_key=spawn_key)
    key = np.array(spawn_key, np.uint32)
    for bits, dtype in ((32, np.uint32), (64, np.uint64)):
        for count in (1, 4, 11):
            out = np.empty(count, dtype)
            getattr(library, f"seed_sequence_uint{bits}")(
                *(ctypes.c_uint64(seed), pointer(key), ctypes.c_size_t(key.size)),
                *(pointer(out), ctypes.c_size_t(count)),
            )
            assert_same_bits(out, expected.generate_state(count, dtype))


@pytest.mark.parametrize("entropy", [0, 5, 2**64 + 9, 2**127, 2**128 - 1, 2**128, 3**200])
@pytest.mark.parametrize("spawn_key", [(), (0,), (3, 2**40)])
def test_long_entropy(library, entropy, spawn_key):
    words = np.array(words_of(entropy), np.uint32)
    key = np.array([word for element in spawn_key for word in words_of(element)], np.uint32)
    ours = NativeRng(library)
    library.rng_construct_from_words(
        *(ours.address, pointer(words), ctypes.c_size_t(words.size)),
        *(pointer(key), ctypes.c_size_t(key.size)),
    )
    sequence = np.random.SeedSequence(entropy, spawn_key=spawn_key)
    assert_same_state(ours, np.random.default_rng(sequence))


def test_copied_bytes_resume_the_stream(library):
    rng = NativeRng(library, 3)
    rng.uint32(1)
    saved = rng.memory.copy()
    first = rng.uint32(9)
    rng.memory[:] = saved
    assert_same_bits(rng.uint32(9), first)


# Uniform draws.


@pytest.mark.parametrize("seed", EDGE_SEEDS)
def test_words(pair, seed):
    ours, reference = pair(seed)
    assert_same_bits(ours.uint64(1000), reference.bit_generator.random_raw(1000))
    assert_same_bits(ours.uint32(999), reference.integers(0, 2**32, 999, np.uint32))


def test_uniform_floats(pair):
    ours, reference = pair(11)
    assert_same_bits(ours.random(200_000), reference.random(200_000))
    assert_same_bits(ours.random(99_999, np.float32), reference.random(99_999, np.float32))
    for low, high in ((0, 1), (-0.05, 0.05), (-1.2, 0.6), (-1e300, 1e300), (0.1, 0.1)):
        assert_same_bits(ours.uniform(low, high), reference.uniform(low, high))
        assert_same_bits(ours.uniform(low, high, 50_000), reference.uniform(low, high, 50_000))


# Integers.

SPANS = [1, 2, 3, 6, 10, 100, 255, 256, 257, 1000, 2**16, 3 * 2**29, 2**31 - 1, 2**31, 2**31 + 1]
SPANS += [3 * 2**30, 2**32 - 1, 2**32, 2**32 + 1, 2**40, 3 * 2**61, 2**63 - 1]


@pytest.mark.parametrize("span", SPANS)
@pytest.mark.parametrize("low", [0, 1, -1, -5, -(2**62), INT64_MIN])
def test_integers(pair, low, span):
    ours, reference = pair(span % 1000)
    high = min(low + span, INT64_MAX)
    assert_same_bits(ours.integers(low, high, 400), reference.integers(low, high, 400))
    for endpoint in (False, True):
        for _ in range(5):
            expected = reference.integers(low, high, endpoint=endpoint)
            assert ours.integers(low, high, endpoint=endpoint) == expected


def test_integers_over_everything(pair):
    ours, reference = pair(5)
    everything = (INT64_MIN, INT64_MAX)
    expected = reference.integers(*everything, 1000, endpoint=True)
    assert_same_bits(ours.integers(*everything, 1000, endpoint=True), expected)
    expected = reference.integers(*everything, 1000)
    assert_same_bits(ours.integers(*everything, 1000), expected)


@pytest.mark.parametrize(
    "dtype", [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64]
)
def test_integers_of_each_type(pair, dtype):
    ours, reference = pair(17)
    lowest, highest = int(np.iinfo(dtype).min), int(np.iinfo(dtype).max)
    ranges = [(lowest, highest), (lowest, lowest), (lowest, 0), (0, 1), (0, 2), (3, 100), (0, 127)]
    # Two thirds of the type's values: a third of the draws is rejected.
    ranges.append((lowest, lowest + (highest - lowest) // 3 * 2))
    for low, high in ranges:
        for count in (1, 2, 3, 1001):
            expected = reference.integers(low, high, count, dtype, endpoint=True)
            assert_same_bits(ours.integers(low, high, count, dtype, endpoint=True), expected)


def test_scalar_int32(pair):
    ours, reference = pair(23)
    for low, high in [(0, 6), (-3, 3), (-(2**31), 2**31), (5, 6)] * 50:
        expected = reference.integers(low, high, dtype=np.int32)
        assert ours.integers(low, high, dtype=np.int32) == expected


@pytest.mark.parametrize(
    "bounds", [(0, 0, False), (1, 0, True), (INT64_MIN, INT64_MIN, False), (-1, 5, False)]
)
def test_bad_ranges_throw_and_draw_nothing(library, bounds):
    rng = NativeRng(library, 1)
    before = rng.memory.tobytes()
    out = np.empty(1, np.uint8)
    low, high, endpoint = bounds
    library.rng_fill_uint8.restype = ctypes.c_bool
    assert not library.rng_fill_uint8(
        *(rng.address, pointer(out), ctypes.c_size_t(1)),
        *(ctypes.c_int64(low), ctypes.c_int64(high), ctypes.c_bool(endpoint)),
    )
    assert rng.memory.tobytes() == before


# Normal and exponential draws.


def test_standard_normal(pair):
    ours, reference = pair(101)
    tail_count = 0
    for _ in range(4):
        expected = reference.standard_normal(1_000_000)
        tail_count += np.count_nonzero(np.abs(expected) > 3.6541528853610088)
        assert_same_bits(ours.standard_normal(expected.size), expected)
    # Draws from the tail are those beyond this point, about one in 3900.
    assert tail_count > 500


@pytest.mark.parametrize("seed", EDGE_SEEDS)
def test_normal(pair, seed):
    ours, reference = pair(seed)
    for location, scale in ((0, 1), (0.5, 0.1), (-3.3, 1e-9), (1e9, 7.7), (2, 0)):
        assert_same_bits(
            ours.normal(location, scale, 5000), reference.normal(location, scale, 5000)
        )


def test_standard_exponential(pair):
    ours, reference = pair(103)
    tail_count = 0
    for _ in range(2):
        expected = reference.standard_exponential(1_000_000)
        tail_count += np.count_nonzero(expected > 7.697117470131050)
        assert_same_bits(ours.standard_exponential(expected.size), expected)
    assert tail_count > 500


# Shuffling and choosing.


@pytest.mark.parametrize("count", [0, 1, 2, 3, 10, 1000, 20_000])
def test_permutation_and_shuffle(pair, count):
    ours, reference = pair(count)
    assert_same_bits(ours.permutation(count), reference.permutation(count))
    narrow = ours.fill("fill_permutation", np.int32, count)
    assert_same_bits(narrow, reference.permutation(count).astype(np.int32))
    data = np.linspace(0, 1, count)
    expected = data.copy()
    ours.shuffle(data)
    reference.shuffle(expected)
    assert_same_bits(data, expected)
    as_list = list(range(count))
    reference.shuffle(as_list)
    assert_same_bits(ours.permutation(count), np.array(as_list, np.int64))


def some_probabilities(count, seed):
    weights = np.random.default_rng(seed).random(count) ** 3
    weights[count // 2 :: 5] = 0
    weights[0] += 0.1
    return weights / weights.sum()


@pytest.mark.parametrize("population", [1, 2, 3, 7, 64, 1000])
def test_choice(pair, population):
    ours, reference = pair(population)
    probabilities = some_probabilities(population, population)
    for _ in range(200):
        assert ours.choice(population) == reference.choice(population)
        assert ours.choice(population, p=probabilities) == reference.choice(
            population, p=probabilities
        )
    for p in (None, probabilities):
        assert_same_bits(ours.choice(population, 500, p=p), reference.choice(population, 500, p=p))


# The last four are on both sides of the rule for shuffling the whole population.
@pytest.mark.parametrize(
    "population, count",
    [
        (1, 1),
        (5, 0),
        (5, 3),
        (5, 5),
        (100, 99),
        (9000, 500),
        (10000, 9999),
        (10001, 200),
        (10001, 201),
        (20000, 900),
        (20000, 20000),
    ],
)
@pytest.mark.parametrize("shuffle", [True, False])
def test_choice_without_replacement(pair, population, count, shuffle):
    ours, reference = pair(31)
    for _ in range(3):
        expected = reference.choice(population, count, replace=False, shuffle=shuffle)
        assert_same_bits(ours.choice(population, count, False, shuffle=shuffle), expected)


@pytest.mark.parametrize("population, count", [(1, 1), (4, 2), (10, 5), (300, 100)])
def test_weighted_choice_without_replacement(pair, population, count):
    ours, reference = pair(37)
    probabilities = some_probabilities(population, 1)
    for _ in range(100):
        expected = reference.choice(population, count, replace=False, p=probabilities)
        assert_same_bits(ours.choice(population, count, False, p=probabilities), expected)


def test_impossible_choices_throw(library):
    rng = NativeRng(library, 1)
    only_one = np.array([0.0, 1.0, 0.0])
    with pytest.raises(ValueError):
        rng.choice(3, 4, False)
    with pytest.raises(ValueError):
        rng.choice(0, 1)
    with pytest.raises(ValueError):
        rng.choice(3, 2, False, p=only_one)
    with pytest.raises(ValueError):
        rng.choice(3, 2, True, p=np.zeros(3))


def test_categorical(pair):
    ours, reference = pair(41)
    for count in (1, 2, 3, 10):
        # Half the total, so that the running sum often never exceeds the draw.
        for p in (some_probabilities(count, count), some_probabilities(count, count) / 2):
            for _ in range(200):
                expected = np.argmax(np.cumsum(p) > reference.random())
                assert ours.categorical(p) == expected


# Everything in turn: the held-back half word must survive or be used exactly as in numpy.


@pytest.mark.parametrize("seed", EDGE_SEEDS)
def test_interleaved_draws(pair, seed):
    ours, reference = pair(seed)
    plan = random.Random(seed)
    weights = some_probabilities(6, 2)
    draws = [
        lambda rng: rng.random(1),
        lambda rng: rng.random(1, np.float32),
        lambda rng: rng.integers(0, 6, 1),
        lambda rng: rng.integers(0, 2**40, 1),
        lambda rng: rng.integers(0, 200, 3, np.uint8),
        lambda rng: rng.integers(-9, 9, 1, np.int16),
        lambda rng: rng.uniform(-2, 2),
        lambda rng: rng.standard_normal(1),
        lambda rng: rng.standard_exponential(1),
        lambda rng: rng.permutation(4),
        lambda rng: rng.choice(9, 3, False),
        lambda rng: rng.choice(6, 1, True, p=weights),
    ]
    for _ in range(500):
        draw = plan.choice(draws)
        assert_same_bits(draw(ours), draw(reference))
        assert_same_state(ours, reference)
