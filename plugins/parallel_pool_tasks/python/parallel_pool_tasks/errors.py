"""The error of a task, and the author's line that it names."""

from __future__ import annotations

import inspect
import linecache
import os
import sys
from dataclasses import dataclass

from parallel_pool.errors import OptionError

_OURS = "parallel_pool_tasks"
_EXAMPLES = "parallel_pool_tasks.examples"


class TaskError(OptionError):
    """A task does what the language has not, or what makes no sense. The message begins with file and line."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the author's source."""

    path: str
    number: int

    @property
    def file(self) -> str:
        """The file's name, without folders: programs and states are the same on every machine."""
        return os.path.basename(self.path)

    @property
    def text(self) -> str:
        """The text of the line; empty if the source is not to be had."""
        return linecache.getline(self.path, self.number).strip()

    def __str__(self) -> str:
        return f"{self.file}:{self.number}"


def author_line() -> Line:
    """The innermost line that is neither this package's nor numpy's."""
    frame = sys._getframe(1)
    while frame.f_back is not None and is_ours(frame.f_globals.get("__name__", "")):
        frame = frame.f_back
    return Line(frame.f_code.co_filename, frame.f_lineno)


def class_line(task: type) -> Line:
    """Returns the line where a class is; line 0 if that is not to be had."""
    try:
        return Line(inspect.getfile(task), inspect.getsourcelines(task)[1])
    except (OSError, TypeError):
        return Line(f"{task.__name__}.py", 0)


def refused(why: str, line: Line | None = None) -> TaskError:
    """The error for a line, or for the author's that is running."""
    line = line or author_line()
    shown = f" `{line.text}`" if line.text else ""
    return TaskError(f"{line}:{shown}: {why}")


def is_ours(module: str) -> bool:
    """Returns True if a module is no author's: one of this package, but for its examples, or that it calls."""
    package = module.partition(".")[0]
    return package in ("numpy", "contextlib") or (
        package == _OURS and not (module + ".").startswith(_EXAMPLES + ".")
    )
