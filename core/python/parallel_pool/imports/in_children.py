"""Forks, and imports of other threads of the parent.

Python locks a module while it is imported. The thread that imports is not in the child, where everyone who
imports the module would wait for it for ever. So a fork waits for such imports. After some seconds it does not:
then the child forgets the modules, as Python does where an import fails, and imports them anew. Those that are
libraries, and packages with one in them, cannot be loaded twice, and raise LibraryError, an ImportError.
"""

from __future__ import annotations

import concurrent.futures.thread  # noqa: F401  # locks in a fork, as logging does: see import_unfinished_anew
import logging  # noqa: F401
import os
import sys
import threading
import time
from importlib.machinery import ExtensionFileLoader
from typing import Any

from parallel_pool.errors import LibraryError

PATIENCE = 5.0
"""Seconds that a fork waits for imports: they may wait for the thread that forks."""

_waited_in_vain: set[str] = set()
"""Modules whose import outlasted a fork, such as one that is a program: no other fork waits for them."""


def import_unfinished_anew() -> None:
    """From now on, in all forked children."""
    # Forks call what was registered last first, and only that. So the modules of Python that lock something
    # meanwhile are imported before: imports that a fork waits for need what they lock.
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(before=_wait, after_in_child=_forget_unfinished)


def _locks() -> dict[str, Any]:
    # Without these names, which are not public, children wait as they do in any Python program.
    importing: Any = sys.modules["_frozen_importlib"]
    locks: dict[str, Any] = getattr(importing, "_module_locks", {})
    return locks


def _imported_elsewhere() -> set[str]:
    """What other threads are importing."""
    owners = {name: getattr(lock(), "owner", None) for name, lock in list(_locks().items())}
    return {name for name, owner in owners.items() if owner not in (None, threading.get_ident())}


def _wait() -> None:
    until = time.monotonic() + PATIENCE
    while unfinished := _imported_elsewhere() - _waited_in_vain:
        if time.monotonic() > until:
            _waited_in_vain.update(unfinished)
            return
        time.sleep(0.001)


def _forget_unfinished() -> None:
    locks = _locks()
    unfinished = _imported_elsewhere()
    mine = set()
    for name, reference in list(locks.items()):
        if getattr(reference(), "owner", None) == threading.get_ident():
            mine.add(name)
        else:
            del locks[name]
    loaders = {name: _loader(name) for name in unfinished - set(sys.modules)}
    for name, module in list(sys.modules.items()):
        spec = getattr(module, "__spec__", None)
        loaders[name] = getattr(spec, "loader", None)
        if getattr(spec, "_initializing", False) and name not in mine:
            unfinished.add(name)
    refused = set()
    for package in unfinished:
        parts = {name for name in loaders if f"{name}.".startswith(f"{package}.")} - mine
        if any(isinstance(loaders[name], ExtensionFileLoader) for name in parts):
            refused.add(package)
            parts = {package}
        for name in parts:  # with a part that stays, a package would not get it as an attribute
            sys.modules.pop(name, None)
    if refused:
        sys.meta_path.insert(0, _Refusal(refused))


def _loader(name: str) -> Any:
    """Of a module that is not in sys.modules yet: a library may be half loaded already."""
    importing: Any = sys.modules["_frozen_importlib"]
    parent = sys.modules.get(name.rpartition(".")[0])
    try:
        return importing._find_spec(name, getattr(parent, "__path__", None)).loader
    except Exception:  # others' finders; None for what there is not
        return None


class _Refusal:
    """As importlib.abc.MetaPathFinder: finds nothing, and raises for what cannot be loaded twice."""

    def __init__(self, names: set[str]) -> None:
        self._names = names

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> None:
        """Raises LibraryError."""
        if name in self._names:
            raise LibraryError(
                f"another thread was importing {name} when this process was forked, and it cannot be loaded "
                "twice: import it before the fork, or use the 'spawn' start method",
                name=name,
            )
