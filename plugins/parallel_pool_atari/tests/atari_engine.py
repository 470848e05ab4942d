"""The engine's test library (driver.cpp) as Python objects."""

import ctypes
import importlib.util
import os
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

Bytes = npt.NDArray[np.uint8]

HERE = Path(__file__).parent
# ROMs without a single-player game, which neither ale-py nor EnvPool registers.
MULTIPLAYER_ONLY = {"combat", "joust", "maze_craze", "warlords"}


def find_driver() -> Path | None:
    """The test library of the newest build, or None."""
    if path := os.environ.get("PARALLEL_POOL_ATARI_TEST_DRIVER"):
        return Path(path)
    built = HERE.parent.glob("build/**/atari_test_driver.*")
    libraries = [p for p in built if p.suffix in {".so", ".dll", ".dylib"}]
    return max(libraries, key=lambda p: p.stat().st_mtime, default=None)


@cache
def library() -> ctypes.CDLL:
    path = find_driver()
    assert path is not None
    lib = ctypes.CDLL(str(path))
    pointer, integer = ctypes.c_void_p, ctypes.c_int
    lib.emulator_new.restype = pointer
    lib.emulator_ram.restype = pointer
    lib.emulator_reseed.argtypes = [pointer, ctypes.c_uint32]
    lib.compare_engines.argtypes = [ctypes.c_char_p, ctypes.c_float] + [integer] * 5
    lib.compare_engines.restype = ctypes.c_char_p
    lib.bench.restype = ctypes.c_double
    return lib


def roms() -> Path:
    """The folder of ale-py's ROMs, found without importing ale-py."""
    spec = importlib.util.find_spec("ale_py")
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent / "roms"


def games() -> list[str]:
    return sorted(p.stem for p in roms().glob("*.bin") if p.stem not in MULTIPLAYER_ONLY)


def address(array: Bytes) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)


def same(got: Any, wanted: Any, where: str = "") -> None:
    """As assert_array_equal, which takes longer than a frame does to find that all is well."""
    if not np.array_equal(got, wanted):
        np.testing.assert_array_equal(got, wanted, err_msg=where)


class Emulator:
    def __init__(self, game: str) -> None:
        lib = library()
        self.handle = ctypes.c_void_p(lib.emulator_new(str(roms() / f"{game}.bin").encode()))
        self.engine = "fast" if lib.emulator_is_fast(self.handle) else "ale"

    def __del__(self) -> None:
        library().emulator_delete(self.handle)

    def reseed(self, seed: int) -> None:
        library().emulator_reseed(self.handle, seed)

    def reset(self) -> None:
        library().emulator_reset(self.handle)

    def act(self, action: int) -> int:
        return int(library().emulator_act(self.handle, action))

    def ram(self) -> bytes:
        return ctypes.string_at(library().emulator_ram(self.handle), 128)

    def offers(self, what: str) -> list[int]:
        out = (ctypes.c_int * 256)()
        number = ("actions", "modes", "difficulties").index(what)
        return list(out[: library().emulator_offers(self.handle, number, out)])


def compare_engines(
    game: str,
    *,
    frames: int,
    seed: int,
    sticky: float = 0.0,
    max_frames: int = 0,
    mode: int = -1,
    difficulty: int = -1,
) -> str:
    """The first difference between the fast engine and ALE, in words; empty if there is none."""
    path = str(roms() / f"{game}.bin").encode()
    found = library().compare_engines(path, sticky, max_frames, mode, difficulty, frames, seed)
    return str(found.decode())


def resize(image: Bytes, height: int, width: int, linear: bool) -> Bytes:
    out = np.empty((height, width), np.uint8)
    library().resize_plane(address(image), *image.shape, address(out), height, width, int(linear))
    return out


def watch_row(now: Bytes, seen: Bytes, best: bool) -> tuple[int, int]:
    """Two rows, one of each screen, and those seen before, which become the same. What changed."""
    span = (ctypes.c_int * 2)()
    library().watch_row(address(now), address(seen), int(best), span)
    return span[0], span[1]


def shade_row(table: Bytes, a: Bytes, b: Bytes, span: tuple[int, int], best: bool) -> Bytes:
    out = np.zeros_like(a)
    rows = (address(table), address(a), address(b))
    library().shade_row(*rows, *span, address(out), int(best))
    return out
