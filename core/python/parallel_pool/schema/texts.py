"""Texts of a batch: bytes in its rows, `str` where a text is looked at."""

from __future__ import annotations

import reprlib
from collections.abc import Iterator, Sequence
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from parallel_pool.errors import OptionError
from parallel_pool.schema.fields import Field
from parallel_pool.schema.object_rows import ObjectRows

ASCII_END = 128
"""Texts whose bytes are below it are in ASCII; others in UTF-8."""


class Texts(Sequence[str]):
    """The texts of a batch, one for each row. A `str` is made when it is looked at, never before.

    It has an order and is equal to a tuple or list of the same texts. `np.asarray(texts)` is an array of `str`.
    Slices and arrays of numbers or bools choose rows.
    """

    __slots__ = ("_rows",)
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, rows: npt.NDArray[np.uint8]) -> None:
        """rows: (n, bytes), each text in UTF-8 and padded with zeros. It is kept, not copied."""
        self._rows = rows

    @property
    def bytes(self) -> npt.NDArray[np.uint8]:
        """The rows, (n, bytes): texts in UTF-8, padded with zeros. The memory of the batch, not a copy."""
        return self._rows

    @property
    def nbytes(self) -> int:
        """The memory of the rows."""
        return self._rows.nbytes

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Texts: ...
    @overload
    def __getitem__(self, index: npt.NDArray[Any] | Sequence[Any]) -> Texts: ...
    def __getitem__(self, index: Any) -> str | Texts:
        """The text of a row, or the Texts of several."""
        rows = self._rows[index]
        return Texts(rows) if rows.ndim > 1 else text_of(rows.tobytes())

    def __iter__(self) -> Iterator[str]:
        width = self._rows.shape[1]
        whole = np.ascontiguousarray(self._rows).tobytes()
        return (text_of(whole[at : at + width]) for at in range(0, len(whole), width))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Texts | tuple | list):
            return len(self) == len(other) and all(
                mine == theirs for mine, theirs in zip(self, other, strict=True)
            )
        return NotImplemented

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        if copy is False:
            raise ValueError("texts are made when they are looked at, so an array is a copy")
        return np.array(list(self), str if dtype is None else dtype)

    def __reduce__(self) -> tuple[Any, ...]:
        return Texts, (self._rows.copy(),)

    def __repr__(self) -> str:
        return f"Texts({reprlib.repr(list(self[:7]))})"


def texts_where(rows: npt.NDArray[np.uint8], ended: npt.NDArray[np.bool_]) -> npt.NDArray[Any]:
    """An object array of the texts in some rows, None in the others."""
    texts = np.full(len(rows), None, object)
    for row in np.flatnonzero(ended):
        texts[row] = text_of(rows[row].tobytes())
    return texts


def text_of(row: bytes) -> str:
    """The text in a row of bytes."""
    return row.partition(b"\0")[0].decode(errors="replace")


def over_rows(function: Any, *leaves: Any) -> Any:
    """`function` of arrays of rows; of Texts, the Texts of what it makes of their bytes; ObjectRows alike."""
    if isinstance(leaves[0], ObjectRows):
        return ObjectRows(function(*(each.array() for each in leaves)))
    if isinstance(leaves[0], Texts):
        return Texts(function(*(each.bytes for each in leaves)))
    return function(*leaves)


def as_bytes(field: Field) -> Field:
    """A field of texts as one of bytes; others as they are."""
    return {**field, "kind": "box"} if field["kind"] == "text" else field


def expect_array_fields(
    fields: Sequence[Field], owner: str, what: str, error: type[Exception] = OptionError
) -> None:
    """Raises `error` if an observation or action is no array. what: has no place for it, "xla()" say."""
    for field in fields:
        role, kind = field["role"], field["kind"]
        if role in ("obs", "action") and kind in ("text", "object"):
            raise error(no_place(owner, role, field["name"], what, field.get("space")))


def no_place(owner: str, role: str, name: str, what: str, space: Any = None) -> str:
    """The words that there is no place for the observation or action of this name, which is no array.

    space: of objects; None: it is a text.
    """
    from gymnasium import spaces

    kind = {"obs": "observation"}.get(role, role)
    label = f"{kind} {name!r}" if name else f"the {kind}"
    if role == "obs" and (space is None or isinstance(space, spaces.Text)):
        return (
            f"{owner}: {label} is a text, for which {what} has no place: with texts='bytes' it is an array of "
            "bytes, padded with zeros"
        )
    return (
        f"{owner}: {label} is of the space {type(space).__name__}, for which {what} has no place: wrap the "
        "environment so that it is an array"
    )
