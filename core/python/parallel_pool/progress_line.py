"""Progress on stderr: a line or a bar that changes, or a new line now and then if stderr is no terminal."""

from __future__ import annotations

import sys
import time
from typing import TextIO

_BAR = 24
_BAR_SECONDS = 0.1
_LINE_SECONDS = 2.0


class ProgressLine:
    """`if line.is_due(): line.show(text)` can be called often: texts are made only when they are shown.

    Args:
        every: seconds between two texts on a terminal.
        every_line: seconds between two texts if each is a line of its own.
        at_once: whether the first text is due at once, or that many seconds later.
        stream: None: stderr.
    """

    def __init__(
        self, every: float, every_line: float, *, at_once: bool, stream: TextIO | None = None
    ) -> None:
        self._stream = stream or sys.stderr
        self.is_terminal = self._stream.isatty()
        self._every = every if self.is_terminal else every_line
        self._shown = float("-inf") if at_once else time.monotonic()
        self._width = 0

    def is_due(self) -> bool:
        """Whether the last text has been there for long enough."""
        return time.monotonic() - self._shown >= self._every

    def show(self, text: str) -> None:
        """Puts the text in the place of the last one."""
        self._shown = time.monotonic()
        if self.is_terminal:
            self._stream.write("\r" + text.ljust(self._width))
            self._width = len(text)
        else:
            self._stream.write(text + "\n")
        self._stream.flush()

    def end(self) -> None:
        """Leaves the last text, and begins a new line after it."""
        self._finish("\n")

    def wipe(self) -> None:
        """Leaves nothing on a terminal."""
        self._finish("\r" + " " * self._width + "\r")

    def _finish(self, text: str) -> None:
        if self._width:
            self._stream.write(text)
            self._stream.flush()
            self._width = 0


class Progress:
    """Shows how much of `total` (seconds, say) is done. Call `close` before printing."""

    def __init__(self, total: float, label: str = "", stream: TextIO | None = None) -> None:
        self._line = ProgressLine(_BAR_SECONDS, _LINE_SECONDS, at_once=False, stream=stream)
        self._total = total
        self._label = label

    def update(self, done: float, text: str = "") -> None:
        """Show the state, unless it was shown just now."""
        if not self._line.is_due():
            return
        share = min(1.0, done / self._total) if self._total else 1.0
        full = round(share * _BAR)
        bar = f"[{'#' * full}{'.' * (_BAR - full)}] " if self._line.is_terminal else ""
        self._line.show(f"{self._label} {bar}{share:4.0%}  {text}")

    def close(self) -> None:
        """Wipe the bar."""
        self._line.wipe()
