"""The tape: registers, constants and instructions, in the order in which a task's methods do things."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from parallel_pool_tasks.errors import Line, author_line

KINDS = ("float64", "float32", "int64", "bool")
"""The dtypes of values."""

KEPT = 1 << 40
"""Registers from here on are the episode's; they get their places when the tape is written."""


@dataclass(frozen=True, slots=True)
class Operand:
    """Registers that an operation reads: as many as it counts from `first` on, or one for all."""

    first: int
    one: bool = False


@dataclass(frozen=True, slots=True)
class Instruction:
    """An operation, the dtype of its results, its operands as src/ops.hpp has them, and the author's line."""

    op: str
    dtype: np.dtype[Any]
    operands: tuple[int | str | Operand, ...]
    line: Line


@dataclass(frozen=True, slots=True)
class Shown:
    """An array of an observation or an info; the name is "" for a whole observation."""

    name: str
    dtype: np.dtype[Any]
    shape: tuple[int, ...]


@dataclass
class Tape:
    """A program while it is recorded."""

    language: Any = None
    """The module that records the functions of numpy (trace/language.py)."""
    registers: int = 0
    kept: int = 0
    tunables: int = 0
    """The number of the episode's registers, the first ones, that begin with what the user sets."""
    part: str = "reset"
    """The part that is recorded: "reset" or "step"."""
    outside: Line | None = None
    """The line of instructions that no line of the author's methods makes: the class's."""
    initial: dict[int, float] = field(default_factory=dict)
    """The constants by register."""
    code: dict[str, list[Instruction]] = field(default_factory=lambda: {"reset": [], "step": []})
    observations: list[Shown] = field(default_factory=list)
    infos: list[Shown] = field(default_factory=list)
    blocks: list[int] = field(default_factory=list)
    """The blocks that are recorded now, from the outermost, by their numbers."""
    rounds: int = 1
    """The most times that what is recorded now runs."""
    _known: dict[bytes, int] = field(default_factory=dict)
    _begun: int = 0

    def begin_block(self) -> None:
        """Makes what is recorded from now on run only if, or as often as, the instruction before says."""
        self._begun += 1
        self.blocks.append(self._begun)

    def end_block(self) -> None:
        """Ends the innermost block."""
        self.blocks.pop()

    def fresh(self, count: int) -> int:
        """Returns the first of `count` new registers."""
        first = self.registers
        self.registers += count
        return first

    def fresh_kept(self, count: int) -> int:
        """Returns the first of `count` new registers of the episode."""
        first = KEPT + self.kept
        self.kept += count
        return first

    def constants(self, numbers: np.ndarray[Any, Any]) -> int:
        """Returns the first of the registers that hold these numbers, one behind another."""
        numbers = np.ascontiguousarray(numbers, np.float64).reshape(-1)
        key = numbers.tobytes()
        if key not in self._known:
            self._known[key] = first = self.fresh(numbers.size)
            self.initial |= {first + i: float(number) for i, number in enumerate(numbers)}
        return self._known[key]

    def emit(self, op: str, dtype: Any, *operands: int | str | Operand) -> None:
        """Records an instruction of the author's line that is running."""
        line = self.outside or author_line()
        self.code[self.part].append(Instruction(op, np.dtype(dtype), operands, line))

    def operand(self, registers: np.ndarray[Any, Any], *, may_be_one: bool = True) -> Operand:
        """These registers, which are brought together first where they lie apart.

        may_be_one: whether the operation takes one number for all.
        """
        found = list(runs(registers))
        if len(found) == 1:
            _, count, first, stride = found[0]
            if stride == 1 or count == 1 or may_be_one:
                return Operand(first, one=stride == 0)
        together = self.fresh(registers.size)
        for start, count, first, stride in found:
            source = Operand(first, one=stride == 0)
            self.emit("positive", np.float64, count, together + start, source)
        return Operand(together)


def runs(registers: np.ndarray[Any, Any] | Sequence[int]) -> Iterator[tuple[int, int, int, int]]:
    """Parts of the list in which registers follow each other, or repeat one.

    Of each its first place, its length, the first register, and 1 or 0. A part of one register repeats it.
    """
    listed = [int(each) for each in registers]
    start = 0
    while start < len(listed):
        end, stride = start + 1, 0
        if end < len(listed) and listed[end] - listed[start] in (0, 1):
            stride = listed[end] - listed[start]
            while end < len(listed) and listed[end] - listed[end - 1] == stride:
                end += 1
        yield start, end - start, listed[start], stride
        start = end
