"""How collecting goes, on stderr: one line that changes, or now and then another where it is no terminal."""

from __future__ import annotations

import sys
import time
from typing import TextIO

_TERMINAL_SECONDS = 0.2
_LINE_SECONDS = 5.0


class ProgressLine:
    """`show` as often as you like."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr
        self._terminal = self._stream.isatty()
        self._shown = float("-inf")
        self._width = 0

    def show(self, text: str) -> None:
        """Shows it, unless something was shown just now."""
        now = time.monotonic()
        if now - self._shown < (_TERMINAL_SECONDS if self._terminal else _LINE_SECONDS):
            return
        self._shown = now
        if self._terminal:
            self._stream.write("\r" + text.ljust(self._width))
            self._width = len(text)
        else:
            self._stream.write(text + "\n")
        self._stream.flush()

    def close(self) -> None:
        """Ends the line."""
        if self._width:
            self._stream.write("\n")
            self._stream.flush()
            self._width = 0
