"""What importing a plugin changes in the process, for `parallel-pool doctor` and strict mode to tell."""

import locale
import os
import signal
import sys
from typing import Any


def state() -> dict[str, Any]:
    """What a plugin has no reason to change."""
    try:
        folder = os.getcwd()
    except OSError:  # it was deleted
        folder = ""
    return {
        "the working directory": folder,
        "the locale": locale.setlocale(locale.LC_ALL),
        "the handler of SIGINT": signal.getsignal(signal.SIGINT),
        "the handler of SIGTERM": signal.getsignal(signal.SIGTERM),
        "sys.stdout": sys.stdout,
        "sys.stderr": sys.stderr,
    }


def changes(before: dict[str, Any]) -> list[str]:
    """The names of what is different now."""
    return [name for name, value in state().items() if value != before[name]]
