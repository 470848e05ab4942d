"""Options of environments on the command line: `--option NAME=VALUE`."""

import argparse
import ast
from collections.abc import Iterable
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


def assigned(texts: Iterable[str]) -> dict[str, Any]:
    """["frame_skip=4"] as {"frame_skip": 4}; values other than Python literals are text. Raises OptionError."""
    return dict(map(_assignment, texts))


def _assignment(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise OptionError(f"--option {text!r}: expected NAME=VALUE")
    if value.lower() in ("true", "false"):
        return name, value.lower() == "true"
    try:
        return name, ast.literal_eval(value)
    except (ValueError, SyntaxError):
        return name, value
