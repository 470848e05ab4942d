"""numpy's generators with the methods that native_generators gives ours."""

import struct
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


class NumpyGenerator:
    """What numpy's generations name alike is theirs; the rest is here."""

    def __init__(self, generator: Any) -> None:
        self.generator = generator

    def __getattr__(self, name: str) -> Any:
        return getattr(self.generator, name)

    def filled(self, name: str, count: int, *arguments: Any) -> Any:
        return getattr(self.generator, name)(*arguments, size=count)

    def state(self) -> bytes:
        raise NotImplementedError

    def uint32(self, count: int) -> Any:
        return self.integers(0, 2**32 - 1, count, np.uint32, endpoint=True)

    def uint64(self, count: int) -> Any:
        return self.integers(0, 2**64 - 1, count, np.uint64, endpoint=True)

    def categorical(self, p: Floats) -> int:
        return int(np.argmax(np.cumsum(p) > self.generator.random()))


class NumpyRng(NumpyGenerator):
    def __init__(self, seed: Any) -> None:
        super().__init__(np.random.default_rng(seed))

    def state(self) -> bytes:
        fields = self.generator.bit_generator.state
        words = []
        for number in (fields["state"]["state"], fields["state"]["inc"]):
            words += [number >> 64, number & (2**64 - 1)]
        return struct.pack("=4Q2I", *words, fields["uinteger"], fields["has_uint32"])


class NumpyRandomState(NumpyGenerator):
    def __init__(self, seed: Any) -> None:
        super().__init__(np.random.RandomState(seed))

    def integers(
        self,
        low: Any,
        high: Any,
        count: int | None = None,
        dtype: Any = np.int64,
        endpoint: bool = False,
    ) -> Any:
        return self.generator.randint(low, high + endpoint, count, dtype)

    def state(self) -> bytes:
        return state_bytes(self.generator.get_state())


def state_bytes(state: tuple[Any, ...]) -> bytes:
    _, key, position, has_gauss, gauss = state
    return bytes(key.tobytes()) + struct.pack("=2Id", position, has_gauss, gauss)
