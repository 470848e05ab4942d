"""Detects saved files of a plugin by polling, because not every file system reports changes."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

POLL = 0.1
"""Seconds between two polls."""
SETTLE = 0.05
"""Seconds after each change during which further changes are waited for: a program may save several files."""
ASIDE = {"build", "dist", "wheelhouse", "tests", "__pycache__", "node_modules", "venv"}
"""Folders that do not affect the build."""

Stamps = dict[str, tuple[int, int]]


class Files:
    """The files of a folder from which a plugin is built."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._seen = self._stamps()

    def changed(self) -> bool:
        """Returns True if a file was saved, added or removed since `mark`."""
        return self._stamps() != self._seen

    def mark(self) -> None:
        """Takes the current state as seen."""
        self._seen = self._stamps()

    def wait(self) -> None:
        """Waits for the next change, and until no more changes follow."""
        while (now := self._stamps()) == self._seen:
            time.sleep(POLL)
        while True:
            time.sleep(SETTLE)
            before, now = now, self._stamps()
            if now == before:
                return

    def _stamps(self) -> Stamps:
        return dict(_walk(str(self._folder)))


def _walk(folder: str) -> Iterator[tuple[str, tuple[int, int]]]:
    try:
        entries = list(os.scandir(folder))
    except FileNotFoundError:
        return
    for entry in entries:
        if entry.name.startswith(".") or entry.name.endswith(("~", ".md")):
            continue
        try:
            if entry.is_dir():
                if entry.name not in ASIDE and not entry.is_symlink():
                    yield from _walk(entry.path)
            else:
                about = entry.stat()
                yield entry.path, (about.st_mtime_ns, about.st_size)
        except FileNotFoundError:
            pass  # gone in between
