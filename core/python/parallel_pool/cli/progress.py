"""A progress bar on stderr, or now and then a line where stderr is no terminal."""

from typing import TextIO

from parallel_pool.progress_line import ProgressLine

_BAR = 24
_BAR_SECONDS = 0.1
_LINE_SECONDS = 2.0


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
