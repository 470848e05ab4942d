"""Programs of tests, each in a Python of its own."""

import os
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any


def ran(
    *arguments: object,
    folder: Path | None = None,
    given: str | None = None,
    seconds: float = 60,
    under: Sequence[str] = (),
    hidden: Iterable[str] = (),
    complaints: bool = False,
    **variables: str,
) -> subprocess.CompletedProcess[str]:
    """What came of `python *arguments`, which has to end in time, with these variables in its environment too.

    given: its standard input; under: a command that runs it; hidden: variables it does not see; complaints:
    standard error is part of its output.
    """
    return subprocess.run(
        [*under, sys.executable, *map(str, arguments)],
        cwd=folder,
        input=given,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT if complaints else subprocess.PIPE,
        text=True,
        timeout=seconds,
        check=False,
        env={name: value for name, value in os.environ.items() if name not in hidden} | variables,
    )


def python(*arguments: object, seconds: float = 250, **how: Any) -> str:
    """What a program writes to its output: see `ran`. One that fails is an error with all that it wrote."""
    done = ran(*arguments, seconds=seconds, **how)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return done.stdout
