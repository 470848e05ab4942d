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
    lib.last_error.restype = ctypes.c_char_p
    lib.emulator_new.argtypes = [ctypes.c_char_p, ctypes.c_float] + [integer] * 4
    lib.emulator_new.restype = pointer
    for name in ("screen", "previous_screen", "ram", "palette"):
        getattr(lib, f"emulator_{name}").restype = pointer
    lib.emulator_save.restype = ctypes.c_size_t
    lib.emulator_restore.argtypes = [pointer, ctypes.c_char_p, ctypes.c_size_t]
    lib.emulator_reseed.argtypes = [pointer, ctypes.c_uint32]
    lib.pipeline_new.argtypes = [pointer] + [integer] * 5
    lib.pipeline_new.restype = pointer
    lib.compare_engines.argtypes = [ctypes.c_char_p, ctypes.c_float] + [integer] * 5
    lib.compare_engines.restype = ctypes.c_char_p
    lib.compare_two_players.argtypes = [ctypes.c_char_p, integer, ctypes.c_uint32, integer]
    lib.compare_two_players.restype = ctypes.c_char_p
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


ENGINES = {"auto": 0, "fast": 1, "ale": 2}


def same(got: Any, wanted: Any, where: str = "") -> None:
    """As assert_array_equal, which takes longer than a frame does to find that all is well."""
    if not np.array_equal(got, wanted):
        np.testing.assert_array_equal(got, wanted, err_msg=where)


class Emulator:
    def __init__(
        self,
        game: str,
        sticky: float = 0.0,
        max_frames: int = 0,
        mode: int = -1,
        difficulty: int = -1,
        rom: str | None = None,
        engine: str = "auto",
    ) -> None:
        lib = library()
        path = rom if rom is not None else str(roms() / f"{game}.bin")
        self.handle = ctypes.c_void_p(
            lib.emulator_new(path.encode(), sticky, max_frames, mode, difficulty, ENGINES[engine])
        )
        if not self.handle:
            raise ValueError(lib.last_error().decode())
        self.height = int(lib.emulator_height(self.handle))
        self.engine = "fast" if lib.emulator_is_fast(self.handle) else "ale"

    def __del__(self) -> None:
        if self.handle:
            library().emulator_delete(self.handle)

    def reseed(self, seed: int) -> None:
        library().emulator_reseed(self.handle, seed)

    def reset(self) -> None:
        library().emulator_reset(self.handle)

    def act(self, action: int, drawn: bool = True) -> int:
        return int(library().emulator_act(self.handle, action, int(drawn)))

    def game_over(self) -> bool:
        return bool(library().emulator_game_over(self.handle))

    def truncated(self) -> bool:
        return bool(library().emulator_truncated(self.handle))

    def lives(self) -> int:
        return int(library().emulator_lives(self.handle))

    def _view(self, name: str, *shape: int) -> Bytes:
        where = getattr(library(), f"emulator_{name}")(self.handle)
        size = int(np.prod(shape))
        return np.ctypeslib.as_array((ctypes.c_uint8 * size).from_address(where)).reshape(shape)

    def screen(self) -> Bytes:
        return self._view("screen", self.height, 160).copy()

    def previous_screen(self) -> Bytes:
        return self._view("previous_screen", self.height, 160).copy()

    def ram(self) -> Bytes:
        return self._view("ram", 128).copy()

    def palette(self) -> Bytes:
        return self._view("palette", 4, 256).copy()

    def _integers(self, name: str) -> list[int]:
        out = (ctypes.c_int * 256)()
        count = getattr(library(), f"emulator_{name}")(self.handle, out)
        return list(out[:count])

    def minimal_actions(self) -> list[int]:
        return self._integers("minimal_actions")

    def modes(self) -> list[int]:
        return self._integers("modes")

    def difficulties(self) -> list[int]:
        return self._integers("difficulties")

    def save(self) -> bytes:
        size = library().emulator_save(self.handle)
        out = ctypes.create_string_buffer(size)
        library().saved_copy(out)
        return out.raw

    def restore(self, state: bytes) -> None:
        if library().emulator_restore(self.handle, state, len(state)):
            raise ValueError(library().last_error().decode())


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


def compare_two_players(game: str, *, frames: int, seed: int, selections: int) -> str:
    """The same for two players at a game, after so many presses of SELECT; no rewards or ends."""
    path = str(roms() / f"{game}.bin").encode()
    return str(library().compare_two_players(path, frames, seed, selections).decode())


class Pipeline:
    """Colours, maximum, resize and stack."""

    def __init__(
        self, emulator: Emulator, gray: bool, height: int, width: int, linear: bool, depth: int
    ) -> None:
        self.handle = ctypes.c_void_p(
            library().pipeline_new(emulator.handle, int(gray), height, width, int(linear), depth)
        )
        self.out = np.zeros((depth, 1 if gray else 3, height, width), np.uint8)

    def __del__(self) -> None:
        library().pipeline_delete(self.handle)

    def run(self, a: Bytes, b: Bytes) -> Bytes:
        library().pipeline_run(self.handle, address(a), address(b), address(self.out))
        return self.out.copy()


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
