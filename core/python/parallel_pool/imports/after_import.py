"""Calls a function once a module has been imported. Imports almost nothing itself."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec
    from types import ModuleType


def after_import(name: str, call: Callable[[], None]) -> None:
    """Calls at once if the module `name` is imported, or else when it has been.

    name: of a module that is in no package. An exception of `call` is one of the import.
    """
    if name in sys.modules:
        call()
    else:
        sys.meta_path.insert(0, _Finder(name, call))


def forget_imports() -> None:
    """Cancels all calls that wait for an import."""
    sys.meta_path[:] = [each for each in sys.meta_path if not isinstance(each, _Finder)]


class _Finder:
    """Finds no module itself: other finders do. Their loader then reports that the module was executed."""

    def __init__(self, name: str, call: Callable[[], None]) -> None:
        self._name, self._call = name, call
        self._asks = False

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """As importlib.abc.MetaPathFinder, which is not imported because its import is slow."""
        if name != self._name or self._asks:
            return None
        from importlib.util import find_spec

        self._asks = True
        try:
            spec = find_spec(name)
        finally:
            self._asks = False
        if spec is not None and spec.loader is not None:
            spec.loader = _Loader(spec.loader, self._executed)  # type: ignore[assignment]
        return spec

    def _executed(self) -> None:
        self._call()
        # Only now: a child that is forked meanwhile imports the module again.
        sys.meta_path[:] = [each for each in sys.meta_path if each is not self]


class _Loader:
    """The module's own loader, and a call after it."""

    def __init__(self, loader: Any, executed: Callable[[], None]) -> None:
        self._loader, self._executed = loader, executed

    def exec_module(self, module: ModuleType) -> None:
        """As importlib.abc.Loader."""
        self._loader.exec_module(module)
        if module.__spec__ is not None:
            module.__spec__.loader = self._loader
        module.__loader__ = self._loader
        self._executed()

    def __getattr__(self, name: str) -> Any:  # create_module and other members
        return getattr(self._loader, name)
