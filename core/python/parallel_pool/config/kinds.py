"""What values an argument of a pool may have, and the words that say so when one is refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, Protocol


class Kind(Protocol):
    """What values an argument may have."""

    def accept(self, value: Any) -> Any:
        """The value as it is used. Raises ValueError that says in words what is expected."""


@dataclass(frozen=True)
class IntRange:
    """An integer of a range; None is `absent`, where there is such a thing."""

    low: int
    high: int
    optional: bool = False
    absent: int | None = None

    def accept(self, value: Any) -> int | None:
        """The value as it is used. Raises ValueError that says what is expected."""
        if value is None and self.optional:
            return self.absent
        whole = isinstance(value, Integral) and not isinstance(value, bool)
        if not whole or not self.low <= int(value) <= self.high:
            raise ValueError(f"an integer in {self.low} .. {self.high}")
        return int(value)


@dataclass(frozen=True)
class Seconds:
    """A time, or None: no limit."""

    def accept(self, value: Any) -> float | None:
        """The value as it is used. Raises ValueError that says what is expected."""
        if value is None:
            return None
        number = isinstance(value, Real) and not isinstance(value, bool)
        if not number or not 0 < float(value) < float("inf"):
            raise ValueError("seconds, more than 0, or None: no limit")
        return float(value)


@dataclass(frozen=True)
class Choice:
    """One of several texts, the first of them the usual one."""

    words: Sequence[str]

    def accept(self, value: Any) -> str:
        """The value as it is used. Raises ValueError that says what is expected."""
        if value not in self.words:
            raise ValueError(f"one of {', '.join(self.words)}")
        return str(value)


@dataclass(frozen=True)
class Member(Choice):
    """The value of an enumeration, in any spelling of its name; None is the first."""

    enumeration: str

    def accept(self, value: Any) -> str:
        """The value as it is used. Raises ValueError that says what is expected."""
        if value is None:
            return self.words[0]
        name = str(getattr(value, "value", value)).replace("_", "").lower()
        for known in self.words:
            if name == known.lower():
                return known
        raise ValueError(f"one of {', '.join(self.words)} or a {self.enumeration}")


@dataclass(frozen=True)
class Flag:
    """True or False; None: as the view likes."""

    def accept(self, value: Any) -> Any:
        """The value as it is used. Raises ValueError that says what is expected."""
        if value not in (None, True, False):
            raise ValueError("True or False")
        return value


@dataclass(frozen=True)
class Text:
    """A text or None."""

    def accept(self, value: Any) -> str | None:
        """The value as it is used. Raises ValueError that says what is expected."""
        if value is not None and not isinstance(value, str):
            raise ValueError("a text or None")
        return value


@dataclass(frozen=True)
class CheckedElsewhere:
    """Anything that `where` accepts, which knows more than the value."""

    where: str

    def accept(self, value: Any) -> Any:
        """The value as it is used. Raises ValueError that says what is expected."""
        return value
