"""Options of environments on the command line: `--option NAME=VALUE`."""

import argparse
import ast
from collections.abc import Container, Iterable
from typing import Any

from parallel_pool.errors import OptionError


def add_option(parser: argparse.ArgumentParser) -> None:
    """Declare `--option`."""
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="an option of the environment, see `parallel-pool info ID`; may be repeated",
    )


def assigned(texts: Iterable[str], decided: Container[str] = ()) -> dict[str, Any]:
    """["frame_skip=4"] as {"frame_skip": 4}; values other than Python literals are text.

    decided: names that the command itself decides. Raises OptionError.
    """
    options = dict(map(_assignment, texts))
    for name in options:
        if name in decided:
            raise OptionError(f"--option {name}: the command decides it, or has an argument for it")
    return options


def _assignment(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise OptionError(f"--option {text!r}: expected NAME=VALUE")
    if value.lower() in ("true", "false"):
        return name, value.lower() == "true"
    try:
        return name, ast.literal_eval(value)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return name, value  # also what no parser takes: a thousand brackets
