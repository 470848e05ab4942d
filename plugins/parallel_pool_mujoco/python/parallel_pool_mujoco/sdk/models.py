"""Compiled models, and how a library is handed one (`pp_mujoco_model` in binding.h)."""

from __future__ import annotations

import ctypes
import hashlib
import logging
import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np
from parallel_pool.plugin_api import PerProcess

from parallel_pool_mujoco.sdk.binding import (
    MAGIC,
    MujocoError,
    binding_address,
    forget_handler,
    mujoco_library,
    require_mujoco,
)

KEPT = 64
"""This many models are kept at least: those that were handed over last."""
KEPT_SECONDS = 600.0
"""A model is kept for this time at least. A library copies it while the pool is built, right afterwards."""


class _Handle(ctypes.Structure):
    _fields_ = (
        ("magic", ctypes.c_uint32),
        ("struct_size", ctypes.c_uint32),
        ("mujoco", ctypes.c_void_p),
        ("handle", ctypes.c_uint64),
        ("fingerprint", ctypes.c_uint64),
        ("model", ctypes.c_void_p),
        ("source", ctypes.c_char_p),
    )


class _Kept:
    """A model whose handle points to it."""

    def __init__(self, handle: _Handle, model: Any, now: float) -> None:
        self.handle, self.model, self.last = handle, model, now


_LOG = logging.getLogger("parallel_pool_mujoco")
_one_compiles = PerProcess(threading.RLock)
"""The function that MuJoCo calls is one for the process."""
_compiler: tuple[int, int | None] = (0, None)
"""The thread that compiles, and the function that gets the warnings of other threads."""
_Warned = ctypes.CFUNCTYPE(None, ctypes.c_char_p)


def _log_warning(message: bytes) -> None:
    thread, before = _compiler
    if before is not None and threading.get_ident() != thread:
        _Warned(before)(message)
    else:
        _LOG.info("%s", message.decode(errors="replace").strip())


_warned = _Warned(_log_warning)


_handles: list[_Handle] = []  # never let go: libraries may hold their addresses


class _Models:
    """The models of one process."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.kept: dict[int, _Kept] = {}  # by fingerprint, the latest used last
        self.compiled: dict[tuple[Any, ...], Any] = {}


_models = PerProcess(_Models)


def compile_file(path: str | os.PathLike[str]) -> Any:
    """The MjModel of an XML file, compiled anew only when that file or one it includes has changed.

    Treat it as read-only: it is shared. Raises MujocoError with MuJoCo's error.
    """
    mujoco = require_mujoco()
    path = os.path.abspath(path)
    if not os.path.isfile(path):
        raise MujocoError(f"there is no file {path}")
    return _compiled_once(
        path, lambda: _stamp(mujoco, path), lambda: mujoco.MjModel.from_xml_path(path)
    )


def compile_text(
    xml: str, assets: Mapping[str, bytes] | None = None, source: str = "the model's XML"
) -> Any:
    """The MjModel of an XML text, compiled once. assets: files that it includes, by name.

    Treat it as read-only: it is shared. `source` is for messages. Raises MujocoError as `compile_file`.
    """
    mujoco = require_mujoco()
    files = dict(assets or {})
    return _compiled_once(
        source,
        lambda: (xml, *sorted(files.items())),
        lambda: mujoco.MjModel.from_xml_string(xml, files),
    )


@contextmanager
def compiling() -> Iterator[None]:
    """Writes warnings of MuJoCo's compiler, such as those of attributes that will be removed, to the log
    "parallel_pool_mujoco". MuJoCo itself would print them, and write the file MUJOCO_LOG.TXT.
    """
    global _compiler
    # Not with mujoco.set_mju_user_warning, which does not know the handler that a library has set.
    slot = ctypes.c_void_p.in_dll(mujoco_library(), "mju_user_warning")
    ours = ctypes.cast(_warned, ctypes.c_void_p).value
    with _one_compiles.here:
        if (before := slot.value) == ours:
            if _compiler[0] == threading.get_ident():  # a nested call
                yield
                return
            before = _compiler[1]  # the process was forked while a thread compiled
        _compiler = threading.get_ident(), before
        slot.value = ours
        try:
            yield
        finally:
            if slot.value == ours:
                slot.value = before


def _compiled_once(
    source: str, key: Callable[[], tuple[Any, ...]], compile_model: Callable[[], Any]
) -> Any:
    mujoco = require_mujoco()
    models = _models.here
    try:
        found = key()
        with models.lock:
            if (model := models.compiled.get(found)) is not None:
                return model
        with compiling():
            model = compile_model()
    except BaseException as error:
        forget_handler()
        if not isinstance(error, ValueError | mujoco.FatalError | mujoco.UnexpectedError):
            raise
        raise MujocoError(f"MuJoCo cannot read {source}: {' '.join(str(error).split())}") from None
    with models.lock:
        while len(models.compiled) >= KEPT:
            del models.compiled[next(iter(models.compiled))]
        models.compiled[found] = model
    return model


def hand_over(model: Any, source: str) -> int:
    """The address of a `pp_mujoco_model` for an MjModel: the value for a library's option.

    Models of equal contents get the same one, so that environments share a single copy. `source` is
    for messages. The library has to copy the model before ten minutes and 64 other models have passed;
    pools do so while they are built. Raises MujocoError, see `binding_address`.
    """
    table = binding_address()
    fingerprint = _fingerprint(model)
    now = time.monotonic()
    models = _models.here
    with models.lock:
        kept = models.kept.pop(fingerprint, None)
        if kept is None:
            handle = _Handle(
                MAGIC,
                ctypes.sizeof(_Handle),
                table,
                len(_handles) + 1,
                fingerprint,
                model._address,
                source.encode(),
            )
            _handles.append(handle)
            kept = _Kept(handle, model, now)
        kept.last = now
        models.kept[fingerprint] = kept
        for old in list(models.kept):
            if len(models.kept) <= KEPT or now - models.kept[old].last < KEPT_SECONDS:
                break
            models.kept.pop(old).handle.model = None
        return ctypes.addressof(kept.handle)


def _stamp(mujoco: Any, path: str) -> tuple[Any, ...]:
    """A stamp that changes when the file changes, or one that it includes."""
    stamp: list[Any] = []
    for each in sorted({path, *mujoco.mju_getXMLDependencies(path)}):
        try:
            status = os.stat(each)
        except OSError:  # compiling will say which
            stamp.append((each, None))
        else:
            stamp.append((each, status.st_mtime_ns, status.st_size, status.st_ino))
    return tuple(stamp)


def _fingerprint(model: Any) -> int:
    import mujoco

    contents = np.empty(mujoco.mj_sizeModel(model), np.uint8)
    mujoco.mj_saveModel(model, None, contents)
    return int.from_bytes(hashlib.blake2b(contents.data, digest_size=8).digest(), "little")
