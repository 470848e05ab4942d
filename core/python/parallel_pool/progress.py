"""Progress on stderr: a bar that changes, or a new line now and then if stderr is no terminal."""

from __future__ import annotations

import sys
import time
from typing import TextIO

_BAR = 24
_BAR_SECONDS = 0.1
_LINE_SECONDS = 2.0


class Progress:
    """Shows how much of `total` (seconds, say) is done. Call `close` before printing. stream: None: stderr."""

    def __init__(self, total: float, label: str = "", stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr
        self._is_terminal = self._stream.isatty()
        self._shown = time.monotonic()
        self._width = 0
        self._total = total
        self._label = label

    def update(self, done: float, text: str = "") -> None:
        """Show the state, unless it was shown just now."""
        if time.monotonic() - self._shown < (_BAR_SECONDS if self._is_terminal else _LINE_SECONDS):
            return
        self._shown = time.monotonic()
        share = min(1.0, done / self._total) if self._total else 1.0
        full = round(share * _BAR)
        bar = f"[{'#' * full}{'.' * (_BAR - full)}] " if self._is_terminal else ""
        line = f"{self._label} {bar}{share:4.0%}  {text}"
        self._stream.write("\r" + line.ljust(self._width) if self._is_terminal else line + "\n")
        self._stream.flush()
        self._width = len(line) if self._is_terminal else 0

    def close(self) -> None:
        """Wipe the bar."""
        if self._width:
            self._stream.write("\r" + " " * self._width + "\r")
            self._stream.flush()
        self._width = 0
