"""Fragments that have arrived and are not yet returned to the caller."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any


class Arrivals:
    """Fragments by actor and by arrival. The cost of a call does not depend on the number of actors."""

    def __init__(self, actors: int) -> None:
        self._of = [deque[dict[str, Any]]() for _ in range(actors)]
        # One entry for each fragment, and those of fragments that were taken out of order.
        self._order = deque[int]()

    def add(self, actor: int, fragments: Sequence[dict[str, Any]]) -> None:
        """Adds the result of one call."""
        self._of[actor].extend(fragments)
        self._order.extend([actor] * len(fragments))

    def count(self, actor: int) -> int:
        """The number of fragments of this actor."""
        return len(self._of[actor])

    def first_actor(self) -> int | None:
        """The actor of the oldest fragment; None if there is none."""
        while self._order:
            if self._of[self._order[0]]:
                return self._order[0]
            self._order.popleft()
        return None

    def first_of(self, actor: int) -> dict[str, Any]:
        """The oldest fragment of this actor. It is not removed."""
        return self._of[actor][0]

    def drop_first_of(self, actor: int) -> None:
        """Removes the oldest fragment of this actor."""
        self._of[actor].popleft()
        if self._order and self._order[0] == actor:
            self._order.popleft()

    def clear(self) -> None:
        """Removes all fragments."""
        for each in self._of:
            each.clear()
        self._order.clear()
