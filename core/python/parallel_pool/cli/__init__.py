"""The command `parallel-pool`.

Each subcommand is a module of this package with `add_parser(subparsers)` and `run(args) -> int`
(the exit status), or one of a wheel (of_a_wheel.py). Modules stay light at import: what is slow is
imported in `run`, so that `list` answers at once. To add a subcommand, add its module and its name
to `COMMANDS`.
"""

import argparse
import contextlib
import importlib
import os
import sys
import warnings
from collections.abc import Sequence
from typing import Any, TextIO

from parallel_pool import __version__
from parallel_pool.cli.assignments import assigned
from parallel_pool.cli.of_a_wheel import OF_WHEELS
from parallel_pool.errors import ParallelPoolError

COMMANDS = ("list", "info", "doctor", "bench", "index", *OF_WHEELS)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command. Returns its exit status: 0 good, 1 an error, 2 wrong usage, 130 interrupted."""
    _mend_streams()
    given = sys.argv[1:] if arguments is None else arguments
    try:
        try:
            args = _parse(given)
            with warnings.catch_warnings():
                warnings.showwarning = _show_warning  # type: ignore[assignment]
                if getattr(args, "json", False):
                    _scan_aside()
                status: int = _module(args.command).run(args)
        except SystemExit:  # of argparse; what it has printed is checked below
            sys.stdout.flush()
            raise
        sys.stdout.flush()
        return status
    except ParallelPoolError as error:
        return _fail(f"error: {_printable(str(error), given)}")
    except MemoryError as error:
        return _fail(f"error: there is not enough memory: {str(error) or 'for these numbers'}")
    except KeyboardInterrupt as error:
        remarks = "; ".join(getattr(error, "__notes__", ()))
        return _fail(f"interrupted{remarks and ' '}{remarks}", 130)
    except BrokenPipeError:
        # `parallel-pool list | head`: the reader has left.
        _let_go(sys.stdout)
        return 1
    except OSError as error:
        try:
            sys.stdout.flush()
        except OSError:  # that is what could not be written: the disk is full
            _let_go(sys.stdout)
        about = f"{error.filename}: " if error.filename is not None else ""
        return _fail(_printable(f"error: {about}{error.strerror or error}", given))


def _mend_streams() -> None:
    """All three are there, and none refuses a character that its encoding does not have."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:  # closed by the caller
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
        elif mode == "w" and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _scan_aside() -> None:
    """Finds the plugins before anything is printed: what their imports print is no JSON."""
    from parallel_pool.registry import registry

    with contextlib.redirect_stdout(sys.stderr):
        registry()


def _let_go(stream: TextIO) -> None:
    """Python would complain once more when it flushes at exit, so gives it somewhere to write."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _printable(message: str, arguments: Sequence[str]) -> str:
    """The message with each of these arguments on one line, whatever it is."""
    for each in (each for each in arguments if not each.isprintable()):
        message = message.replace(each, repr(each)[1:-1])
    return message


def _fail(message: str, status: int = 1) -> int:
    try:
        print(message, file=sys.stderr, flush=True)
    except OSError:
        _let_go(sys.stderr)
    return status


def _parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="parallel-pool",
        description="Lists, checks, measures and shows the environments of ParallelPool.",
    )
    parser.add_argument("--version", action="version", version=f"parallel-pool {__version__}")
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    # Only the module of the command at hand, if there is one; all for --help and for mistakes.
    wanted = [name for name in arguments[:1] if name in COMMANDS]
    for name in wanted or COMMANDS:
        if name not in OF_WHEELS:
            _module(name).add_parser(subparsers)
            continue
        own = subparsers.add_parser(name, help=OF_WHEELS[name].help)
        if wanted:
            OF_WHEELS[name].add_arguments(name, own)
    if not arguments:
        parser.print_help()
        parser.exit(2)
    args, unknown = parser.parse_known_args(arguments)
    if unknown:
        # The usage that helps is the command's own.
        subparsers.choices[args.command].error(f"unrecognized arguments: {' '.join(unknown)}")
    if args.command in OF_WHEELS and OF_WHEELS[args.command].makes_pools:
        args.option = assigned(args.option)
    return args


def _module(command: str) -> Any:
    if command in OF_WHEELS:
        return OF_WHEELS[command].load(command)
    return importlib.import_module(f"parallel_pool.cli.{command}")


def _show_warning(message: Warning | str, *_: object) -> None:
    """Without the file and line of the registry, which tell a user nothing."""
    print(f"warning: {message}", file=sys.stderr)
