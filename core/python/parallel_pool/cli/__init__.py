"""The command `parallel-pool`.

Each subcommand is a module of this package with `add_parser(subparsers)` and `run(args) -> int`
(the exit status). Modules stay light at import: what is slow is imported in `run`, so that `list`
answers at once. To add a subcommand, add its module and its name to `COMMANDS`.
"""

import argparse
import importlib
import os
import sys
import warnings
from collections.abc import Sequence
from typing import Any

from parallel_pool.errors import ParallelPoolError

COMMANDS = ("list", "info", "doctor", "bench", "watch", "new", "dev", "check")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command. Returns its exit status: 0 good, 1 an error, 2 wrong usage."""
    args = _parse(sys.argv[1:] if arguments is None else arguments)
    try:
        with warnings.catch_warnings():
            warnings.showwarning = _show_warning  # type: ignore[assignment]
            status: int = _module(args.command).run(args)
        sys.stdout.flush()
        return status
    except ParallelPoolError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        # `parallel-pool list | head`: the reader has left. Python would complain once more when it
        # flushes at exit, so give it somewhere to write.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


def _parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="parallel-pool",
        description="Lists, checks, measures and shows the environments of ParallelPool.",
    )
    parser.add_argument("--version", action="version", version=_version())
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    # Only the module of the command at hand, if there is one; all for --help and for mistakes.
    wanted = [name for name in arguments[:1] if name in COMMANDS]
    for name in wanted or COMMANDS:
        _module(name).add_parser(subparsers)
    return parser.parse_args(arguments)


def _module(command: str) -> Any:
    return importlib.import_module(f"parallel_pool.cli.{command}")


def _version() -> str:
    from parallel_pool import __version__

    return f"parallel-pool {__version__}"


def _show_warning(message: Warning | str, *_: object) -> None:
    """Without the file and line of the registry, which tell a user nothing."""
    print(f"warning: {message}", file=sys.stderr)
