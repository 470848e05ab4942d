"""Reads where players begin on a map from its WAD file."""

import re
import struct
from dataclasses import dataclass
from pathlib import Path

_HEADER = struct.Struct("<4sii")
_ENTRY = struct.Struct("<ii8s")
_OF_DEATHMATCH = 11
_OF_PLAYERS = {1, 2, 3, 4, *range(4001, 4005)}
"""The engine knows eight; whoever has none of its own begins at any of them."""


@dataclass(frozen=True)
class Starts:
    """The counts of the places to start from."""

    deathmatch: int
    players: int


def starts(path: Path, name: str) -> Starts | None:
    """The starts of the map `name`; None if the file has no such map, or is not a WAD file."""
    data = path.read_bytes()
    lumps = _lumps(data)
    for at in reversed(range(len(lumps))):  # the engine takes the last of several
        if lumps[at][0].lower() != name.lower():
            continue
        following: dict[str, bytes] = {}
        for each, begin, end in lumps[at + 1 : at + 12]:
            following.setdefault(each, data[begin:end])  # another map's come later
        if "TEXTMAP" in following and lumps[at + 1][0] == "TEXTMAP":
            return _counted(_of_text(following["TEXTMAP"]))
        if "THINGS" in following:
            return _counted(_of_things(following["THINGS"], hexen="BEHAVIOR" in following))
    return None


def _lumps(data: bytes) -> list[tuple[str, int, int]]:
    """Name, begin and end of each."""
    if len(data) < _HEADER.size or data[:4] not in (b"IWAD", b"PWAD"):
        return []
    _, count, offset = _HEADER.unpack_from(data)
    if count < 0 or offset < 0 or offset + count * _ENTRY.size > len(data):
        return []
    found = []
    for number in range(count):
        begin, size, name = _ENTRY.unpack_from(data, offset + number * _ENTRY.size)
        found.append((name.split(b"\0")[0].decode("latin1"), begin, begin + size))
    return found


def _of_text(text: bytes) -> list[int]:
    """Types of things; those of sectors and lines are called otherwise."""
    return [int(number) for number in re.findall(rb"\btype\s*=\s*(\d+)\s*;", text)]


def _of_things(data: bytes, *, hexen: bool) -> list[int]:
    size, at = (20, 10) if hexen else (10, 6)
    return [
        struct.unpack_from("<H", data, begin + at)[0]
        for begin in range(0, len(data) - size + 1, size)
    ]


def _counted(types: list[int]) -> Starts:
    return Starts(
        deathmatch=types.count(_OF_DEATHMATCH), players=sum(each in _OF_PLAYERS for each in types)
    )
