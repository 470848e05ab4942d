"""Imports in a forked child, of modules that another thread of the parent was importing.

Python locks a module while it is imported. The thread that imports is not in the child, where everyone who
imports the module would wait for it for ever. So the child forgets such modules, as Python does where an import
fails, and imports them anew; those that are libraries cannot be loaded twice, and raise ImportError.
"""

from __future__ import annotations

import sys
import threading
from importlib.machinery import ExtensionFileLoader
from typing import Any

from parallel_pool.per_process import in_forked_children


def import_unfinished_anew() -> None:
    """From now on, in all forked children."""
    in_forked_children(_forget_unfinished)


def _forget_unfinished() -> None:
    # Without these names, which are not public, children wait as they do in any Python program.
    importing: Any = sys.modules["_frozen_importlib"]
    locks: dict[str, Any] = getattr(importing, "_module_locks", {})
    mine = set()
    for name, reference in list(locks.items()):
        if getattr(reference(), "owner", None) == threading.get_ident():
            mine.add(name)
        else:
            del locks[name]
    libraries = set()
    for name, module in list(sys.modules.items()):
        spec = getattr(module, "__spec__", None)
        if getattr(spec, "_initializing", False) and name not in mine:
            del sys.modules[name]
            if isinstance(getattr(spec, "loader", None), ExtensionFileLoader):
                libraries.add(name)
    if libraries:
        sys.meta_path.insert(0, _Refusal(libraries))


class _Refusal:
    """As importlib.abc.MetaPathFinder: finds nothing, and raises for libraries that were half loaded."""

    def __init__(self, names: set[str]) -> None:
        self._names = names

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> None:
        """Raises ImportError."""
        if name in self._names:
            raise ImportError(
                f"another thread was importing {name} when this process was forked, and it cannot be loaded "
                "twice: import it before the fork, or use the 'spawn' start method",
                name=name,
            )
