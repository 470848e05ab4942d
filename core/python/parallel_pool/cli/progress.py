"""A progress bar on stderr, or now and then a line where stderr is no terminal."""

import sys
import time
from typing import TextIO

_BAR = 24
_BAR_SECONDS = 0.1
_LINE_SECONDS = 2.0


class Progress:
    """Shows how much of `total` (seconds, say) is done. Call `close` before printing."""

    def __init__(self, total: float, label: str = "", stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr
        self._is_bar = self._stream.isatty()
        self._total = total
        self._label = label
        self._shown = time.monotonic()
        self._width = 0

    def update(self, done: float, text: str = "") -> None:
        """Show the state, unless it was shown just now."""
        now = time.monotonic()
        if now - self._shown < (_BAR_SECONDS if self._is_bar else _LINE_SECONDS):
            return
        self._shown = now
        share = min(1.0, done / self._total) if self._total else 1.0
        line = f"{share:4.0%}  {text}"
        if self._is_bar:
            full = round(share * _BAR)
            line = f"{self._label} [{'#' * full}{'.' * (_BAR - full)}] {line}"
            self._stream.write("\r" + line.ljust(self._width))
            self._width = len(line)
        else:
            self._stream.write(f"{self._label} {line}\n")
        self._stream.flush()

    def close(self) -> None:
        """Wipe the bar."""
        if self._is_bar and self._width:
            self._stream.write("\r" + " " * self._width + "\r")
            self._stream.flush()
            self._width = 0
