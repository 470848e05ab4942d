"""pp::Rng and pp::RandomState through ctypes."""

import ctypes
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from numpy_generators import NumpyGenerator, NumpyRandomState, NumpyRng

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]

NARROW_TYPES: list[Any] = [np.bool_, np.int8, np.uint8, np.int16, np.uint16]
WIDE_TYPES: list[Any] = [np.int32, np.uint32, np.int64, np.uint64]


def pointer(array: Array | None) -> ctypes.c_void_p:
    return ctypes.c_void_p(None if array is None else array.ctypes.data)


def size(array: Array) -> ctypes.c_size_t:
    return ctypes.c_size_t(array.size)


def words_of(integer: int) -> Array:
    """The 32-bit words of a number, as SeedSequence splits it."""
    words = [integer & 0xFFFFFFFF]
    while integer := integer >> 32:
        words.append(integer & 0xFFFFFFFF)
    return np.array(words, np.uint32)


def limits(dtype: Any) -> tuple[int, int]:
    """The least and the greatest value of an integer type."""
    if dtype is np.bool_:
        return 0, 1
    return int(np.iinfo(dtype).min), int(np.iinfo(dtype).max)


def some_probabilities(count: int, seed: int) -> Floats:
    weights = np.random.default_rng(seed).random(count) ** 3
    weights[count // 2 :: 5] = 0
    weights[0] += 0.1
    probabilities: Floats = weights / weights.sum()
    return probabilities


def random_seeds(count: int, bits: list[int]) -> list[int]:
    source = random.Random(2024)
    return [source.getrandbits(source.choice(bits)) for _ in range(count)]


def assert_same_bits(ours: Any, expected: Any) -> None:
    ours, expected = np.asarray(ours), np.asarray(expected)
    assert ours.dtype == expected.dtype
    assert ours.shape == expected.shape
    assert ours.tobytes() == expected.tobytes()


def assert_same(pair: tuple[Any, Any], name: str, *arguments: Any, **named: Any) -> None:
    """What this method of both gives."""
    ours, reference = (getattr(each, name)(*arguments, **named) for each in pair)
    assert_same_bits(ours, reference)


class NativeGenerator:
    """What pp::Rng and pp::RandomState share, with numpy's names and arguments."""

    prefix: str

    def __init__(self, library: ctypes.CDLL, seed: int | None = None) -> None:
        self.library = library
        self.memory = np.zeros(self.call("size") // 4, np.uint32)
        self.address = pointer(self.memory)
        if seed is None:
            self.call("default", self.address)
        elif not self.call("construct", self.address, ctypes.c_uint64(seed)):
            raise ValueError(seed)

    def call(self, name: str, *arguments: Any, result: Any = ctypes.c_int64) -> Any:
        function = getattr(self.library, f"{self.prefix}_{name}")
        function.restype = result
        return function(*arguments)

    def try_to(self, name: str, *arguments: Any) -> None:
        """ValueError where the call threw."""
        if not self.call(name, self.address, *arguments, result=ctypes.c_bool):
            raise ValueError

    def fill(self, name: str, count: int, *arguments: Any, dtype: Any = np.float64) -> Array:
        out = np.empty(count, dtype)
        self.call(name, self.address, pointer(out), size(out), *arguments, result=None)
        return out

    def state(self) -> bytes:
        return self.memory.tobytes()

    def set_state(self, state: bytes) -> None:
        self.memory[:] = np.frombuffer(state, np.uint32)

    def seed(self, seed: int) -> None:
        self.try_to("seed", ctypes.c_uint64(seed))

    def seed_from_words(self, entropy: Array, spawn_key: Array) -> None:
        words = (pointer(entropy), size(entropy), pointer(spawn_key), size(spawn_key))
        self.call("construct_from_sequence", self.address, *words, result=None)

    def uint32(self, count: int) -> Array:
        return self.fill("uint32", count, dtype=np.uint32)

    def uint64(self, count: int) -> Array:
        return self.fill("uint64", count, dtype=np.uint64)

    def __getattr__(self, name: str) -> Callable[..., Array]:
        """numpy's draws of doubles: what they are drawn from, and how many.

        They are taken by the methods for one value, over and over, so that those are tested too; `filled` has
        those for arrays.
        """

        def draw(*arguments: float) -> Array:
            *given, count = arguments
            first, second = map(ctypes.c_double, (*given, 0, 0)[:2])
            return self.fill(name, int(count), first, second)

        return draw

    def filled(self, name: str, count: int, *arguments: Any) -> Array:
        if arguments and isinstance(arguments[0], np.ndarray):
            return self.fill(f"fill_{name}_each", count, *map(pointer, arguments))
        return self.fill(f"fill_{name}", count, *map(ctypes.c_double, arguments))

    def integers(
        self,
        low: int,
        high: int,
        count: int | None = None,
        dtype: Any = np.int64,
        endpoint: bool = False,
    ) -> Any:
        bound = ctypes.c_uint64 if dtype is np.uint64 else ctypes.c_int64
        bounds = bound(low), bound(high), ctypes.c_bool(endpoint)
        out = np.empty(1 if count is None else count, dtype)
        name = np.dtype(dtype).name
        if count is None:
            self.try_to(f"scalar_{name}", pointer(out), *bounds)
            return out[0]
        self.try_to(f"fill_{name}", pointer(out), size(out), *bounds)
        return out

    def permutation(self, count: int) -> Array:
        return self.fill("permutation", count, dtype=np.int64)

    def shuffle(self, data: Floats) -> None:
        self.call("shuffle", self.address, pointer(data), size(data), result=None)

    def choice(
        self,
        population: int,
        count: int | None = None,
        replace: bool = True,
        p: Floats | None = None,
        shuffle: bool = True,
    ) -> Any:
        if count is None:
            return self.call("choice", self.address, ctypes.c_int64(population), pointer(p))
        out = np.empty(count, np.int64)
        sizes = ctypes.c_int64(population), ctypes.c_int64(count)
        options = ctypes.c_bool(replace), pointer(p), ctypes.c_bool(shuffle)
        self.try_to("choice_many", pointer(out), *sizes, *options)
        return out

    def categorical(self, p: Floats) -> int:
        return int(self.call("categorical", self.address, pointer(p), size(p)))


class NativeRng(NativeGenerator):
    prefix = "rng"


class NativeRandomState(NativeGenerator):
    prefix = "random_state"

    def seed_array(self, words: Array) -> None:
        self.try_to("construct_from_array", pointer(words), size(words))


GENERATIONS: dict[str, tuple[type[NativeGenerator], Any]] = {
    "Rng": (NativeRng, NumpyRng),
    "RandomState": (NativeRandomState, NumpyRandomState),
}

MakePair = Callable[[int], tuple[NativeGenerator, NumpyGenerator]]
"""From a seed, a generator of ours and the one that it has to equal."""
