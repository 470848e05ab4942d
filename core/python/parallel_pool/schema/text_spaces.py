"""Gymnasium spaces of texts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gymnasium import spaces
from gymnasium.vector.utils import batch_space

from parallel_pool.errors import OptionError
from parallel_pool.schema.fields import Field, bounds
from parallel_pool.schema.texts import ASCII_END, Texts, no_place

CHARACTERS = "\n" + "".join(map(chr, range(32, 127)))
"""Of a text in ASCII: those that can be printed, and the end of a line."""


class TextSpace(spaces.Text):
    """Texts of at most so many bytes; with `utf8` of all characters, of which only CHARACTERS are sampled."""

    def __init__(self, max_length: int, *, utf8: bool = False) -> None:
        super().__init__(max_length, min_length=0, charset=CHARACTERS)
        self.utf8 = utf8

    def contains(self, x: Any) -> bool:
        """Whether `x` is a text of this space."""
        if not self.utf8:
            return bool(super().contains(x))
        return isinstance(x, str) and "\0" not in x and len(x.encode()) <= self.max_length


class TextRows(spaces.Tuple):  # type: ignore[type-arg]  # not generic in Gymnasium 1.2
    """One text for each row: what Gymnasium makes of a batch of Text, and Texts are in it too.

    All rows have one space: Gymnasium's function takes a quarter of a second to copy it for 1,024 of them.
    """

    def __init__(self, space: spaces.Text, rows: int) -> None:
        super().__init__([space] * rows)

    def contains(self, x: Any) -> bool:
        """Whether `x` has a text of the space for each row."""
        return bool(super().contains(tuple(x) if isinstance(x, Texts) else x))


@batch_space.register(TextSpace)
def _rows_of(space: TextSpace, n: int = 1) -> TextRows:
    return TextRows(space, n)


def text_space(field: Field) -> TextSpace:
    """The space of a field of texts."""
    _, high = bounds(field)
    return TextSpace(int(field["shape"][0]), utf8=bool((high >= ASCII_END).any()))


ARRAYS = (spaces.Box, spaces.Discrete, spaces.MultiDiscrete, spaces.MultiBinary)
"""The spaces of which a batch is an array."""


def expect_arrays(observed: Any, acted: Any, owner: str, what: str) -> None:
    """Raises OptionError if a part of the spaces of one environment's observations and actions is no array."""
    for role, space in (("obs", observed), ("action", acted)):
        for name, each in _parts(space, ""):
            if not isinstance(each, ARRAYS):
                raise OptionError(no_place(owner, role, name, what, each))


def _parts(space: Any, path: str) -> Iterator[tuple[str, Any]]:
    if not isinstance(space, (spaces.Dict, spaces.Tuple)):
        yield path, space
        return
    for key, each in space.items() if isinstance(space, spaces.Dict) else enumerate(space):
        yield from _parts(each, f"{path}/{key}" if path else str(key))
