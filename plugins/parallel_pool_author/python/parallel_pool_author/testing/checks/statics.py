"""Static and global variables of the library, which environments in other threads use at the same time."""

from __future__ import annotations

import ctypes
import platform
import struct
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from parallel_pool.author_api import hooks, registry

from parallel_pool_author.testing import deep
from parallel_pool_author.testing.env_under_test import Actions, EnvUnderTest
from parallel_pool_author.testing.findings import Finding, Inapplicable

ENVS = 3
STEPS = 40
"""Steps that are always taken; ..."""
FAR = 2000
"""... up to this many are, ..."""
SECONDS = 0.5
"""... unless they take longer than this."""
LOOKS = 48
"""The memory is looked at this many times meanwhile."""
INSTRUMENTED = (b"__gcov_", b"__llvm_prof", b"__sanitizer_", b"__asan_", b"__tsan_")
"""Such libraries count in static variables what they run."""

ADVICE = (
    "Environments of other threads write them at the same time: make them members, or, where a library that "
    "you use keeps them, say `static constexpr bool exclusive = true`"
)

LOADED = 1
WRITABLE = 2
"""PT_LOAD and PF_W of the ELF format."""
LARGEST = 1 << 20
MOST = 1 << 24
"""Bytes of a block behind a pointer, and of all of them, that are looked at."""
TURNS = 4
"""Two pools play in turn, this many times each."""


def statics(tested: EnvUnderTest) -> str | None:
    """None of them changes in play: a race is rarely seen in results, and always there.

    What is filled once and then read only is no matter: the same trajectories have been played before.
    """
    library = _library(tested)
    table = tested.actions(ENVS, held=False)
    steps = _play(tested, table)  # tables that are filled once are filled now
    memory = variables(library)
    changed: set[int] = set()
    before: list[MemoryRange] = []

    def look(step: int) -> None:
        if step == 0:
            before[:] = snapshot(memory)
        elif step <= 8 or step % max(1, steps // LOOKS) == 0 or step == steps:
            changed.update(differences(before, snapshot(memory)))

    _play(tested, table, steps, look)
    if changed:
        places = ", ".join(f"{address:#x}" for address in sorted(changed)[:4])
        raise Finding(
            f"{len(changed)} bytes of static or global variables of {library.name} change in play (at "
            f"{places}; `nm -nC {library.name}` names what lies there, if the library is not stripped). "
            f"{ADVICE}"
        )
    shared = _written_by_both(tested, table, memory)
    if shared:
        raise Finding(
            f"{shared} bytes of memory that a static or global variable of {library.name} points to (what a "
            "static std::vector holds, say) are written by environments that have nothing to do with each "
            f"other. {ADVICE}"
        )
    return f"{steps} steps"


def _library(tested: EnvUnderTest) -> Path:
    """The library. Raises Inapplicable where its variables cannot be found, or may change."""
    config = tested.config
    if not sys.platform.startswith("linux"):
        raise Inapplicable("only Linux tells where a library's variables are")
    if config.plugin.declaration(config.env.native_id)["exclusive"]:
        raise Inapplicable("it says that its library keeps global state (exclusive)")
    library = hooks.library_path(registry().plugin(config.env.family))
    if any(word in library.read_bytes() for word in INSTRUMENTED):
        raise Inapplicable("the library is instrumented")
    return library


def untouched(tested: EnvUnderTest, call: str, **manner: Any) -> None:
    """Raises Finding if static variables change in deep play of this manner, which has more than steps."""
    try:
        library = _library(tested)
    except Inapplicable:
        return
    deep.parts(tested, **manner)  # tables that are filled once are filled now
    memory = variables(library)
    before = snapshot(memory)
    deep.parts(tested, roles=[list(reversed(range(deep.ROLES)))], **manner)
    changed = differences(before, snapshot(memory))
    if changed:  # without the manner, too, what is built may be counted
        before = snapshot(memory)
        deep.parts(tested, roles=[list(reversed(range(deep.ROLES)))])
        changed -= differences(before, snapshot(memory))
    if changed:
        raise Finding(
            f"{len(changed)} bytes of static or global variables of {library.name} change in {call} (at "
            f"{min(changed):#x}; `nm -nC {library.name}` names what lies there). Pools of other threads call "
            "it at the same time: use members or local variables"
        )


def _play(
    tested: EnvUnderTest,
    table: Actions,
    steps: int = 0,
    look: Callable[[int], None] = lambda step: None,
) -> int:
    """Plays the same trajectories each time, and returns the number of steps. steps: 0: as many as there is
    time for. look: called after the reset and every step.
    """
    with tested.pool(num_envs=ENVS, seed=7) as pool:
        pool.reset(seed=[7, 8, 9])
        look(0)
        start, step = time.monotonic(), 0
        while (
            step < steps
            if steps
            else step < STEPS or (step < FAR and time.monotonic() - start < SECONDS)
        ):
            pool.step(table.at(step))
            step += 1
            look(step)
    return step


def _written_by_both(tested: EnvUnderTest, table: Actions, memory: list[Variables]) -> int:
    """Counts bytes behind pointers of static variables that change while either of two pools plays alone. What
    belongs to an environment changes with its own pool only.
    """
    if platform.libc_ver()[0] != "glibc" or struct.calcsize("P") != 8:
        return 0
    written: list[set[int]] = []
    with (
        tested.pool(num_envs=ENVS, seed=7) as one,
        tested.pool(num_envs=ENVS, seed=[907, 908, 909]) as other,
    ):
        for pool in (one, other):
            pool.reset()
        for turn in range(2 * TURNS):
            before = blocks(memory)
            for step in range(STEPS // TURNS):
                (one, other)[turn % 2].step(table.at(turn * STEPS + step))
            after = {piece.begin: piece for piece in blocks(memory)}
            written.append(set())
            for piece in before:
                now = after.get(piece.begin)
                if now is not None and len(now.contents) == len(piece.contents):
                    written[turn] |= differences([piece], [now])
    return len(set[int]().union(*written[::2]) & set[int]().union(*written[1::2]))


@dataclass(frozen=True)
class Variables:
    """Writable memory of a library that is loaded. begin: as `nm` counts."""

    begin: int
    address: int
    size: int


@dataclass(frozen=True)
class MemoryRange:
    """Writable memory of a library, or a block that it points to, at one moment. begin: as `Variables` has it,
    or the block's address.
    """

    begin: int
    contents: bytes


def variables(library: Path) -> list[Variables]:
    """All writable memory of the library."""
    path = str(library.resolve())
    for line in Path("/proc/self/maps").read_text().splitlines():
        place, _, offset, _, _, *name = line.split(maxsplit=5)
        if name and name[0] == path and int(offset, 16) == 0:
            base = int(place.split("-")[0], 16)
            return [Variables(begin, base + begin, size) for begin, size in _writable(library)]
    return []


def snapshot(memory: list[Variables]) -> list[MemoryRange]:
    """Returns the memory as it is now."""
    return [MemoryRange(each.begin, ctypes.string_at(each.address, each.size)) for each in memory]


def blocks(memory: list[Variables]) -> list[MemoryRange]:
    """The blocks of malloc that the library's variables point to. Not those that these point to: the linker's
    own structure, which every library has a pointer to, leads to all libraries.
    """
    maps = []
    for line in Path("/proc/self/maps").read_text().splitlines():
        place, rights, _, _, inode, *name = line.split(maxsplit=5)
        if rights.startswith("rw") and inode == "0" and (not name or name[0] == "[heap]"):
            begin, end = (int(each, 16) for each in place.split("-"))
            maps.append((begin, end))
    begins, ends = (np.array(each, np.uint64) for each in zip(*maps, strict=True))
    found: list[MemoryRange] = []
    for piece in snapshot(memory):
        words = np.frombuffer(piece.contents[: len(piece.contents) // 8 * 8], np.uint64)
        words = np.unique(words[(words % 16 == 0) & (words > begins[0])])
        at = np.searchsorted(begins, words, "right") - 1
        where = (each.tolist() for each in (words, begins[at], ends[at]))
        for word, begin, end in zip(*where, strict=True):
            block = _block(word, end) if begin + 16 <= word < end else None
            if block is not None and sum(len(each.contents) for each in found) < MOST:
                found.append(block)
    return found


def _block(begin: int, end: int) -> MemoryRange | None:
    """The block that begins there, as glibc's malloc writes the size of one before it."""
    before = int.from_bytes(ctypes.string_at(begin - 8, 8), "little")
    size = before & ~0xF
    if size < 32 or before & 0x8 or size > LARGEST or begin - 8 + size >= end:
        return None
    mapped = before & 2
    if not mapped and not ctypes.string_at(begin - 8 + size, 1)[0] & 1:
        return None  # free
    return MemoryRange(begin, ctypes.string_at(begin, size - (16 if mapped else 8)))


def _writable(library: Path) -> list[tuple[int, int]]:
    """Returns where an ELF file says that its variables will be, and how large they are."""
    data = library.read_bytes()
    if data[:6] != b"\x7fELF\x02\x01":
        raise Inapplicable("the library is no ELF file of 64 bits, little-endian")
    (table,) = struct.unpack_from("<Q", data, 32)
    each, count = struct.unpack_from("<HH", data, 54)
    pieces = []
    for number in range(count):
        kind, flags, _, begin, _, _, size, _ = struct.unpack_from(
            "<IIQQQQQQ", data, table + number * each
        )
        if kind == LOADED and flags & WRITABLE:
            pieces.append((begin, size))
    return pieces


def differences(before: list[MemoryRange], after: list[MemoryRange]) -> set[int]:
    """Returns the addresses of the bytes that differ."""
    found: set[int] = set()
    for one, other in zip(before, after, strict=True):
        if one.contents != other.contents:
            mine, theirs = (np.frombuffer(piece.contents, np.uint8) for piece in (one, other))
            found |= {one.begin + int(place) for place in np.flatnonzero(mine != theirs)}
    return found
