"""Commands that a wheel of its own has. Its module has `add_arguments(parser)` and `run(args, options)`."""

import argparse
from typing import Any

from parallel_pool.cli.assignments import add_option, assigned
from parallel_pool.imports.libraries import imported


def add_parser(subparsers: Any, *, name: str, help: str) -> None:
    """Declare the command; its arguments, --help too, are left for the wheel's parser."""
    parser = subparsers.add_parser(name, help=help, add_help=False, prefix_chars="\0")
    parser.add_argument("words", nargs="*")


def run(args: argparse.Namespace, *, module: str, extra: str) -> int:
    """Run it with the options of environments as `make` takes them. Raises LibraryError without the wheel."""
    command = imported(module, "0", f"`parallel-pool {args.command}`", extra=extra)
    parser = argparse.ArgumentParser(prog=f"parallel-pool {args.command}")
    command.add_arguments(parser)
    add_option(parser)
    given = parser.parse_args(args.words)
    status: int = command.run(given, assigned(given.option))
    return status
