"""Decisions read from bytes: whoever makes the bytes (a generator, Hypothesis, a fuzzer) makes the choices."""

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


class Chooser:
    """Reads decisions off `data`; when that has run out, every answer is the first."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def __bool__(self) -> bool:
        return self._at < len(self._data)

    def take(self, count: int) -> bytes:
        got = self._data[self._at : self._at + count]
        self._at += count
        return got.ljust(count, b"\0")

    def below(self, count: int) -> int:
        return self.take(1)[0] % count if count <= 256 else int.from_bytes(self.take(4)) % count

    def pick(self, values: Sequence[T]) -> T:
        return values[self.below(len(values))]
