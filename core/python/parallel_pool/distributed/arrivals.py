"""Fragments that have arrived and that nobody has taken."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any


class Arrivals:
    """By actor, and in the order in which they came. An answer takes as long for any number of actors."""

    def __init__(self, actors: int) -> None:
        self._of = [deque[dict[str, Any]]() for _ in range(actors)]
        # One entry for each fragment, and those of fragments that were taken out of order.
        self._order = deque[int]()

    def add(self, actor: int, fragments: Sequence[dict[str, Any]]) -> None:
        """The answer to one call."""
        self._of[actor].extend(fragments)
        self._order.extend([actor] * len(fragments))

    def count(self, actor: int) -> int:
        """How many of this one there are."""
        return len(self._of[actor])

    def first_actor(self) -> int | None:
        """Whose fragment came first; None if there is none."""
        while self._order:
            if self._of[self._order[0]]:
                return self._order[0]
            self._order.popleft()
        return None

    def first_of(self, actor: int) -> dict[str, Any]:
        """The one of this actor that came first. It stays."""
        return self._of[actor][0]

    def drop_first_of(self, actor: int) -> None:
        """It was taken."""
        self._of[actor].popleft()
        if self._order and self._order[0] == actor:
            self._order.popleft()

    def clear(self) -> None:
        """Nobody will take them."""
        for each in self._of:
            each.clear()
        self._order.clear()
