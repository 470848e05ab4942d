"""Progress on stderr: a line that changes, or a new line now and then if stderr is no terminal."""

from __future__ import annotations

import sys
import time

_SECONDS = 0.2
_LINE_SECONDS = 5.0


class ProgressLine:
    """`if line.is_due(): line.show(text)` can be called often: texts are made only when they are shown."""

    def __init__(self) -> None:
        self._is_terminal = sys.stderr.isatty()
        self._shown = float("-inf")

    def is_due(self) -> bool:
        """Says if the last text has been there for long enough."""
        return time.monotonic() - self._shown >= (_SECONDS if self._is_terminal else _LINE_SECONDS)

    def show(self, text: str) -> None:
        """Puts the text in the place of the last one."""
        self._shown = time.monotonic()
        sys.stderr.write(f"\r{text}\x1b[K" if self._is_terminal else text + "\n")
        sys.stderr.flush()

    def end(self) -> None:
        """Leaves the last text, and begins a new line after it."""
        if self._is_terminal and self._shown > 0.0:
            sys.stderr.write("\n")
            sys.stderr.flush()
