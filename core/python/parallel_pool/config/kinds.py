"""Kinds of values that an argument may have, each with the text of its errors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, Protocol


class Kind(Protocol):
    """The values that an argument may have."""

    def accept(self, value: Any) -> Any:
        """The value as it is used. Raises ValueError with what is expected, in words."""


@dataclass(frozen=True)
class Nullable:
    """None, which becomes `absent`, or what another kind accepts."""

    kind: Kind
    absent: int | None = None

    def accept(self, value: Any) -> Any:
        """See Kind."""
        return self.absent if value is None else self.kind.accept(value)


@dataclass(frozen=True)
class IntRange:
    """An integer of a range."""

    low: int
    high: int

    def accept(self, value: Any) -> int:
        """See Kind."""
        whole = isinstance(value, Integral) and not isinstance(value, bool)
        if not whole or not self.low <= int(value) <= self.high:
            raise ValueError(f"an integer in {self.low} .. {self.high}")
        return int(value)


@dataclass(frozen=True)
class Seconds:
    """A time, or None: no limit."""

    def accept(self, value: Any) -> float | None:
        """See Kind."""
        if value is None:
            return None
        number = isinstance(value, Real) and not isinstance(value, bool)
        if not number or not 0 < float(value) < float("inf"):
            raise ValueError("seconds, more than 0, or None: no limit")
        return float(value)


@dataclass(frozen=True)
class Choice:
    """One of several texts; the first is the usual one."""

    words: Sequence[str]

    def accept(self, value: Any) -> str:
        """See Kind."""
        if value not in self.words:
            raise ValueError(f"one of {', '.join(self.words)}")
        return str(value)


@dataclass(frozen=True)
class Member(Choice):
    """The value of an enumeration, in any spelling of its name; None is the first."""

    enumeration: str

    def accept(self, value: Any) -> str:
        """See Kind."""
        if value is None:
            return self.words[0]
        name = str(getattr(value, "value", value)).replace("_", "").lower()
        for known in self.words:
            if name == known.lower():
                return known
        raise ValueError(f"one of {', '.join(self.words)} or a {self.enumeration}")


@dataclass(frozen=True)
class Flag:
    """True or False; None, unless it is not optional: the view decides. words: texts that it may be too."""

    words: Sequence[str] = ()
    optional: bool = True

    def accept(self, value: Any) -> Any:
        """See Kind."""
        if value not in (True, False, *self.words) and not (value is None and self.optional):
            raise ValueError(" or ".join(["True", "False", *map(repr, self.words)]))
        return value


@dataclass(frozen=True)
class Text:
    """A text or None."""

    def accept(self, value: Any) -> str | None:
        """See Kind."""
        if value is not None and not isinstance(value, str):
            raise ValueError("a text or None")
        return value


@dataclass(frozen=True)
class CheckedElsewhere:
    """Any value: the module `where` checks it, together with other arguments."""

    where: str

    def accept(self, value: Any) -> Any:
        """See Kind."""
        return value
