"""Static and global variables of the library, which environments in other threads use at the same time."""

from __future__ import annotations

import ctypes
import struct
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from parallel_pool.registry import registry
from parallel_pool.testing.env_under_test import EnvUnderTest
from parallel_pool.testing.findings import Finding, Inapplicable

ENVS = 3
STEPS = 40
INSTRUMENTED = (b"__gcov_", b"__llvm_prof", b"__sanitizer_", b"__asan_", b"__tsan_")
"""Such libraries count in static variables what they run."""

LOADED = 1
WRITABLE = 2
"""PT_LOAD and PF_W of the ELF format."""


def statics(tested: EnvUnderTest) -> str | None:
    """None of them changes in play: a race is rarely seen in results, and always there.

    What is filled once and then read only is no matter: the same trajectories have been played before.
    """
    config = tested.config
    if not sys.platform.startswith("linux"):
        raise Inapplicable("only Linux tells where a library's variables are")
    if config.plugin.declaration(config.env.native_id)["exclusive"]:
        raise Inapplicable("it says that its library keeps global state (exclusive)")
    library = registry().library_path(config.env.family)
    if any(word in library.read_bytes() for word in INSTRUMENTED):
        raise Inapplicable("the library is instrumented")
    table = tested.actions(ENVS)
    steps = min(table.steps, STEPS)
    changed: set[int] = set()
    with tested.pool(num_envs=ENVS, seed=7) as pool:
        for looks in (False, True):
            pool.reset(seed=[7, 8, 9])
            before = snapshot(library) if looks else []
            for step in range(steps):
                pool.step(table.rows(np.full(ENVS, step), np.arange(ENVS)))
                if (looks and step < 8) or step == steps - 1:
                    changed |= differences(before, snapshot(library)) if looks else set()
    if changed:
        places = ", ".join(f"{address:#x}" for address in sorted(changed)[:4])
        raise Finding(
            f"{len(changed)} bytes of static or global variables of {library.name} change in play (at "
            f"{places}; `nm -nC {library.name}` names what lies there, if the library is not stripped). "
            "Environments of other threads write them at the same time: make them members, or, where a library "
            "that you use keeps them, say `static constexpr bool exclusive = true`"
        )
    return None


@dataclass(frozen=True)
class Piece:
    """Writable memory of a library. begin: as `nm` counts."""

    begin: int
    contents: bytes


def snapshot(library: Path) -> list[Piece]:
    """All writable memory of the library as it is now."""
    base = None
    for line in Path("/proc/self/maps").read_text().splitlines():
        place, _, offset, _, _, *name = line.split(maxsplit=5)
        if name and name[0] == str(library.resolve()) and int(offset, 16) == 0:
            base = int(place.split("-")[0], 16)
            break
    if base is None:
        return []
    return [
        Piece(begin, ctypes.string_at(base + begin, size)) for begin, size in _writable(library)
    ]


def _writable(library: Path) -> list[tuple[int, int]]:
    """Where an ELF file says that its variables will be, and how large they are."""
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


def differences(before: list[Piece], after: list[Piece]) -> set[int]:
    """Where they differ."""
    found: set[int] = set()
    for one, other in zip(before, after, strict=True):
        if one.contents != other.contents:
            mine, theirs = (np.frombuffer(piece.contents, np.uint8) for piece in (one, other))
            found |= {one.begin + int(place) for place in np.flatnonzero(mine != theirs)}
    return found
