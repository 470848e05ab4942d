"""Imports of optional libraries when they are needed."""

from __future__ import annotations

import re
import sys
from importlib import metadata
from typing import Any

from parallel_pool.errors import LibraryError
from parallel_pool.imports.undisturbed import import_undisturbed


def imported(name: str, oldest: str, needed_by: str, *, extra: str | None = None) -> Any:
    """The module `name`. Raises LibraryError with the command that installs it if it is missing or too old.

    extra: the extra of `parallel-pool` that installs it; None: the one of the same name.
    """
    install = f"pip install -U 'parallel-pool[{extra or name}]'"
    try:
        import_undisturbed(name)
        module = sys.modules[name]
        spec = module.__spec__
        if spec is not None and spec.origin is None:
            raise ImportError(
                f"{name} is a folder without a module in it"
            )  # such as the folder /tmp/ray that Ray makes
    except LibraryError:
        raise
    except ImportError as error:
        raise LibraryError(
            f"{needed_by} needs {name}, which is missing: {install}", name=name
        ) from error
    version = getattr(module, "__version__", None) or _installed_version(name)
    if version is not None and release(version) < release(oldest):
        raise LibraryError(
            f"{needed_by} needs {name} {oldest} or newer, and this is {version}: {install}",
            name=name,
        )
    return module


def _installed_version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:  # a checkout on the path
        return None


def release(version: str) -> tuple[int, ...]:
    """The release of a version: (2, 9, 1) of "2.9.1+cpu", (2, 7, 1) of "2.7.1rc1"."""
    numbers = re.match(r"\d+(\.\d+)*", version)
    return tuple(map(int, numbers.group().split("."))) if numbers else ()
