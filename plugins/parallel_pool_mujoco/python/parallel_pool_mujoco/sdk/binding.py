"""The table of MuJoCo's functions and struct members that libraries are handed (binding.h)."""

from __future__ import annotations

import ctypes
import importlib.util
import os
import re
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from parallel_pool.errors import LibraryError, ParallelPoolError
from parallel_pool.plugin_api import PerProcess, import_undisturbed

from parallel_pool_mujoco.sdk.layout import Layouts, Member
from parallel_pool_mujoco.sdk.verify import mismatch

MAGIC = 0x316A6D70
MINIMUM = (3, 6)
INSTALL = "pip install 'mujoco>=3.6'"

_STRUCTS = ("mjModel", "mjData", "mjContact", "mjWarningStat")
_VARIABLES = ("mju_user_error", "mju_user_warning")


class MujocoError(ParallelPoolError):
    """MuJoCo is missing, too old, or not what it says it is. The message has the command to run."""


class _Symbol(ctypes.Structure):
    _fields_ = (
        ("name", ctypes.c_char_p),
        ("type", ctypes.c_char_p),
        ("value", ctypes.c_uint64),
        ("extents", ctypes.c_char_p),
    )


class _Table(ctypes.Structure):
    _fields_ = (
        ("magic", ctypes.c_uint32),
        ("struct_size", ctypes.c_uint32),
        ("version", ctypes.c_char_p),
        ("n_symbol", ctypes.c_uint64),
        ("symbol", ctypes.POINTER(_Symbol)),
    )


_lock = PerProcess(threading.Lock)
_table: _Table | None = None


def binding_address() -> int:
    """The address of the process's one `pp_mujoco`, made and checked on the first call.

    Raises MujocoError: MuJoCo is not installed, too old, or its structs are not as it declares them.
    """
    global _table
    with _lock.here:
        if _table is None:
            _table = _make()
        return ctypes.addressof(_table)


def member_offset(name: str) -> int:
    """Bytes from the beginning of its struct to a member such as `mjData.buffer`. Raises KeyError."""
    binding_address()
    assert _table is not None
    offsets: dict[bytes, int] = _table.offsets
    return offsets[name.encode()]


def mujoco_library() -> ctypes.CDLL:
    """MuJoCo's library, the one that the package mujoco uses. Raises MujocoError."""
    binding_address()
    assert _table is not None
    library: ctypes.CDLL = _table.library
    return library


def forget_handler() -> None:
    """To be called after a call of MuJoCo's Python package failed.

    The package leaves its handler of this thread's errors, which throws: the next error in a library
    ended the process.
    """
    for name in ("_mjPRIVATE_setTlsLogHandler", "_mjPRIVATE__set_tls_error_fn"):  # 3.17, before
        if (function := getattr(mujoco_library(), name, None)) is not None:
            function(None)


def require_mujoco() -> Any:
    """The module mujoco. Raises MujocoError with the command that installs or upgrades it."""
    if importlib.util.find_spec("mujoco") is None:
        raise MujocoError(f"the package mujoco is not installed: run `{INSTALL}`")
    try:
        import_undisturbed("mujoco")
        import mujoco
    except LibraryError:
        raise
    except Exception as error:  # its type depends on what is missing for MUJOCO_GL
        if os.environ.get("MUJOCO_GL"):
            raise opengl_refused("mujoco", error) from error
        if not isinstance(error, ImportError):
            raise
        raise MujocoError(
            f"the package mujoco cannot be imported ({error}). Several of its distributions in one "
            f"place overwrite each other: run `pip uninstall -y mujoco mujoco-core`, then `{INSTALL}`"
        ) from error
    version = tuple(int(number) for number in re.findall(r"\d+", mujoco.__version__)[:2])
    if version < MINIMUM:
        raise MujocoError(f"mujoco {mujoco.__version__} is too old: run `{INSTALL}`")
    return mujoco


def opengl_refused(package: str, error: Exception) -> MujocoError:
    """The error for a package that cannot be imported with MUJOCO_GL as it is."""
    return MujocoError(
        f"the package {package} cannot be imported with MUJOCO_GL={os.environ['MUJOCO_GL']} ({error}). "
        "To draw without a display set MUJOCO_GL=egl (`apt-get install libegl1`) or MUJOCO_GL=osmesa "
        "(`apt-get install libosmesa6`, slower) before Python starts; to draw nothing, leave it out"
    )


def _make() -> _Table:
    mujoco = require_mujoco()
    try:
        layouts = Layouts()
        members = {struct: list(layouts.members(struct)) for struct in _STRUCTS}
        sizes = {struct: layouts.size(struct) for struct in _STRUCTS}
    except LibraryError:
        raise
    except (ImportError, AttributeError, KeyError, TypeError) as error:
        raise MujocoError(
            f"mujoco {mujoco.__version__} declares its structs in a way that parallel-pool does not "
            f"know ({type(error).__name__}: {error}). Run `pip install --upgrade parallel-pool`, or "
            f"install the latest mujoco that it was tested with (see docs/mujoco.md)"
        ) from error
    if wrong := mismatch(members):
        raise MujocoError(
            f"mujoco {mujoco.__version__}: {wrong}, so its memory must not be touched. "
            f"Run `pip install --force-reinstall mujoco`, or install another version of it"
        )
    library = _library(mujoco)
    _stop_clock(mujoco, library)
    entries = sorted(_entries(library, members, sizes))
    symbols = (_Symbol * len(entries))(*(_Symbol(*entry) for entry in entries))
    version = mujoco.__version__.encode()
    table = _Table(MAGIC, ctypes.sizeof(_Table), version, len(entries), symbols)
    table.library = library
    table.offsets = {entry[0]: entry[2] for entry in entries}
    table.keep = (entries, symbols)  # the table points to these
    return table


def _library(mujoco: Any) -> ctypes.CDLL:
    """The library that the package has loaded already; opening it again gives the same one."""
    folder = Path(mujoco.__file__).parent
    for pattern in ("libmujoco*.so*", "libmujoco*.dylib", "mujoco*.dll"):
        for path in sorted(folder.glob(pattern)):
            library = ctypes.CDLL(str(path))
            if library.mj_version() == mujoco.mj_version():
                return library
    raise MujocoError(
        f"there is no library of MuJoCo {mujoco.__version__} in {folder}: "
        f"run `pip install --force-reinstall mujoco=={mujoco.__version__}`"
    )


def _stop_clock(mujoco: Any, library: ctypes.CDLL) -> None:
    """Takes the clock away that the package gives MuJoCo for its profiler, unless it is the user's own.

    MuJoCo asks it dozens of times in a step, which takes up to two fifths of a cheap step. Without one,
    mjData.timer stays as it is.
    """
    if mujoco.get_mjcb_time() is None:
        ctypes.c_void_p.in_dll(library, "mjcb_time").value = None


def _entries(
    library: ctypes.CDLL, members: dict[str, list[Member]], sizes: dict[str, int]
) -> Iterator[tuple[bytes, bytes, int, bytes]]:
    from mujoco.introspect import enums, functions

    for name in functions.FUNCTIONS:
        # Some are declared but only inlined, or compiled out.
        if (function := getattr(library, name, None)) is not None:
            address = ctypes.cast(function, ctypes.c_void_p).value or 0
            yield name.encode(), b"function", address, b""
    for name in _VARIABLES:
        variable = ctypes.c_void_p.in_dll(library, name)
        yield name.encode(), b"variable", ctypes.addressof(variable), b""
    for enum in enums.ENUMS.values():
        for name, value in enum.values.items():
            yield name.encode(), b"constant", value & 0xFFFF_FFFF_FFFF_FFFF, b""
    for struct, listed in members.items():
        yield struct.encode(), b"size", sizes[struct], b""
        for each in listed:
            name = f"{struct}.{each.path}"
            yield name.encode(), each.type.encode(), each.offset, each.extents.encode()
