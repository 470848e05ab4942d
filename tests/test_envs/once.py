"""What several of the processes that share the tests need, and one of them makes."""

from collections.abc import Callable
from pathlib import Path

try:
    import fcntl
except ImportError:  # on Windows, where one process runs all tests
    fcntl = None  # type: ignore[assignment]


def once(output: Path, build: Callable[[Path], object]) -> Path:
    """`output`, which `build` makes for whoever asks first; other processes wait for it."""
    with output.with_suffix(".lock").open("w") as lock:
        if fcntl is not None:
            fcntl.flock(lock, fcntl.LOCK_EX)
        if not output.exists():
            new = output.with_suffix(".new")
            build(new)
            new.rename(output)
    return output
