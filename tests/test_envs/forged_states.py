"""Forged states: a saved one, altered, with the checksum that belongs to it.

Knows the layout of host/state/saved_state.hpp: a head of 96 bytes, hashes of options, id, version, what
the host keeps of players, and the plugin's own bytes.
"""

import struct
from collections.abc import Sequence
from random import Random

HEAD = 96
HOST = slice(16, 72)
CHECKED = 16  # where what the checksum covers begins
SIZES = 72  # four of 32 bits: options, id, version, players
PLUGIN_SIZE = 88

_MASK = (1 << 64) - 1
_MULTIPLIER = 0xFF51AFD7ED558CCD

EXTREMES = (
    *(struct.pack("<b", value) for value in (0, 1, 2, 3, 127, -128, -1)),
    *(struct.pack("<h", value) for value in (1, 256, 2**15 - 1, -(2**15), -1)),
    *(struct.pack("<i", value) for value in (0, 1, -1, 2, 1000, 10**6, 2**31 - 1, -(2**31))),
    *(struct.pack("<q", value) for value in (0, 1, -1, 10**9, 2**63 - 1, -(2**63))),
    *(struct.pack("<f", value) for value in (float("nan"), float("inf"), -3e38, 1e-40)),
    *(
        struct.pack("<d", value)
        for value in (
            *(float("nan"), float("inf"), float("-inf"), 1e300, -1e300, 1e18, -1e18),
            *(1e10, -1e6, 1e6, 1e-310, -0.0, 0.5, 3.0),
        )
    ),
)
"""Numbers of every size that reach the end of something."""


def _hash(data: bytes, value: int = 0x9E3779B97F4A7C15) -> int:
    words = len(data) // 8
    rest = int.from_bytes(data[8 * words :], "little")
    for word in (*struct.unpack(f"<{words}Q", data[: 8 * words]), rest, len(data) - 8 * words):
        value = ((value ^ word) * _MULTIPLIER) & _MASK
        value ^= value >> 32
    return value


def checksum(data: bytes) -> int:
    """As checksum_bytes() of saved_state.hpp."""
    lanes = [1, 2, 3, 4]
    blocks = len(data) // 32
    words = struct.unpack(f"<{4 * blocks}Q", data[: 32 * blocks])
    for lane in range(4):
        value = lanes[lane]
        for word in words[lane::4]:
            value = ((value ^ word) * _MULTIPLIER) & _MASK
            value ^= value >> 32
        lanes[lane] = value
    return _hash(data[32 * blocks :], _hash(struct.pack("<4Q", *lanes), len(data)))


def sealed(state: bytes | bytearray, *, sized: bool = True) -> bytes:
    """That state with the checksum of its bytes, and the size of the plugin's part."""
    state = bytearray(state)
    if sized and len(state) >= HEAD:
        rest = len(state) - plugin_start(state)
        state[PLUGIN_SIZE : PLUGIN_SIZE + 8] = struct.pack("<Q", rest & _MASK)
    state[8:CHECKED] = struct.pack("<Q", checksum(bytes(state[CHECKED:])))
    return bytes(state)


def plugin_start(state: bytes | bytearray) -> int:
    options, id_bytes, version, players = struct.unpack_from("<4I", state, SIZES)
    return int(HEAD + 8 * options + id_bytes + version + players)


def _scatter(draw: Random, state: bytearray, start: int, stop: int) -> None:
    for _ in range(draw.choice((1, 2, 4, 16))):
        state[draw.randrange(start, stop)] = draw.randrange(256)


def _flip(draw: Random, state: bytearray, start: int, stop: int) -> None:
    state[draw.randrange(start, stop)] ^= 1 << draw.randrange(8)


def _extremes(draw: Random, state: bytearray, start: int, stop: int) -> None:
    """Some numbers, as if fields began where their size lets them, counted from the start."""
    for _ in range(draw.choice((1, 1, 2, 5))):
        number = draw.choice(EXTREMES)
        if stop - start < len(number):
            continue
        place = start + draw.randrange(stop - start - len(number) + 1)
        if draw.random() < 0.8:
            place = start + (place - start) // len(number) * len(number)
        state[place : place + len(number)] = number


def _run(draw: Random, state: bytearray, start: int, stop: int) -> None:
    """A run of zeros or ones; often from the start, where generators are."""
    begin = start if draw.random() < 0.3 else draw.randrange(start, stop)
    end = min(stop, begin + draw.choice((8, 16, 40, 200, 2500, stop)))
    state[begin:end] = draw.choice((b"\0", b"\xff", b"\x7f")) * (end - begin)


def _noise(draw: Random, state: bytearray, start: int, stop: int) -> None:
    begin = draw.randrange(start, stop)
    end = min(stop, begin + draw.choice((4, 8, 40, 400)))
    state[begin:end] = draw.randbytes(end - begin)


ALTER = (_scatter, _scatter, _flip, _extremes, _extremes, _extremes, _run, _noise)


def forge(draw: Random, saved: Sequence[bytes]) -> bytes:
    """One of `saved`, altered; all are of one environment with the same options."""
    state = bytearray(draw.choice(saved))
    start = plugin_start(state)
    way = draw.random()
    if way < 0.08:  # the host's numbers
        draw.choice(ALTER[:-1])(draw, state, HOST.start, HOST.stop)
    elif way < 0.12:  # what the host keeps of players, and which it is of
        draw.choice(ALTER)(draw, state, min(HEAD, start - 1), start)
    elif way < 0.16:  # sizes
        _extremes(draw, state, SIZES, HEAD)
        if draw.random() < 0.5:
            _extremes(draw, state, SIZES, HEAD)
        size = len(state) - plugin_start(state)
        if draw.random() < 0.8:
            state[PLUGIN_SIZE : PLUGIN_SIZE + 8] = struct.pack("<Q", size & _MASK)
        return sealed(state, sized=False)
    elif way < 0.22:  # longer or shorter
        if draw.random() < 0.5:
            del state[draw.randrange(start, len(state) + 1) :]
        else:
            state += draw.randbytes(draw.choice((1, 8, 100)))
    elif way < 0.40:  # of two
        other = draw.choice(saved)
        if draw.random() < 0.3:
            state[HOST] = other[HOST]
        else:
            begin = draw.randrange(start, len(state))
            end = draw.randrange(begin, len(state)) + 1
            state[begin:end] = other[begin:end].ljust(end - begin, b"\0")
    else:
        for _ in range(draw.choice((1, 1, 2, 4))):
            draw.choice(ALTER)(draw, state, start, len(state))
    return sealed(state)
