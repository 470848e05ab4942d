"""Writes a tape as the text that the library reads (src/reader.hpp)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from parallel_pool_tasks.program.ops import ops
from parallel_pool_tasks.program.tape import KEPT, Instruction, Operand, Tape


def text_of(
    tape: Tape,
    generator: str,
    action_dtype: np.dtype[Any],
    bounds: Sequence[tuple[float, float]],
) -> str:
    """The program. bounds: of each number of the action."""
    return "".join(f"{line}\n" for line in _lines(tape, generator, action_dtype, bounds))


def digest_of(text: str) -> str:
    """Hashes a program's text, without the author's files and lines: a comment more makes no other program."""
    lines = (line for line in text.splitlines() if not line.startswith("source "))
    whole = "\n".join(lines)
    head, _, code = whole.partition("\nreset\n")
    bare = [line.rsplit(" ", 2)[0] for line in code.splitlines()]
    return hashlib.sha256("\n".join([head, *bare]).encode()).hexdigest()


def _lines(
    tape: Tape, generator: str, action_dtype: np.dtype[Any], bounds: Sequence[tuple[float, float]]
) -> Iterator[str]:
    yield "parallel-pool-tasks 1"
    yield f"generator {generator}"
    yield f"registers {tape.registers + tape.kept}"
    yield f"kept {tape.registers} {tape.kept}"
    if tape.tunables:
        yield f"tunables {tape.tunables}"
    yield f"action {action_dtype}"
    for low, high in bounds:
        yield f"bound {float(low)!r} {float(high)!r}"
    files = {each.line.file: None for part in tape.code.values() for each in part}
    sources = {file: number for number, file in enumerate(files)}
    for file in files:
        yield f"source {file}"
    for register, value in sorted(tape.initial.items()):
        if np.float64(value).tobytes() != bytes(8):  # registers begin as zeros
            yield f"constant {_place(register, tape.registers)} {value!r}"
    for name, shown in (("observation", tape.observations), ("info", tape.infos)):
        for each in shown:
            yield " ".join([name, each.name or "-", str(each.dtype), *map(str, each.shape)])
    for part, code in tape.code.items():
        yield part
        for instruction in code:
            yield _instruction(instruction, tape.registers, sources)
    yield "end"


def _instruction(each: Instruction, kept_first: int, sources: dict[str, int]) -> str:
    form = ops()[each.op]
    words = [each.op, str(each.dtype)]
    for letter, operand in zip(form, each.operands, strict=True):
        if isinstance(operand, Operand):
            place = _place(operand.first, kept_first)
            words.append(f"r{place}*" if operand.one and letter in "ABCVW" else f"r{place}")
        elif letter in "DdRYS":
            assert isinstance(operand, int)
            words.append(f"r{_place(operand, kept_first)}")
        else:
            words.append(str(operand))
    return " ".join([*words, str(sources[each.line.file]), str(each.line.number)])


def _place(register: int, kept_first: int) -> int:
    return register if register < KEPT else kept_first + register - KEPT
