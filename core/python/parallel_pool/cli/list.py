"""`parallel-pool list`: every environment that can be made."""

import argparse
from collections.abc import Sequence
from typing import Any

from parallel_pool.cli.text import table
from parallel_pool.errors import ParallelPoolError
from parallel_pool.plugin_api import EnvSpec
from parallel_pool.registry import hooks, registry
from parallel_pool.registry.first_party import LIGHTEST, install_command


def add_parser(subparsers: Any) -> None:
    """Declare the command's arguments."""
    parser = subparsers.add_parser("list", help="list the environments that can be made")
    parser.add_argument(
        "words",
        nargs="*",
        metavar="WORD",
        help="only those with all of these in id, names or summary",
    )
    parser.add_argument("--family", metavar="F", help="only this family")
    parser.add_argument(
        "--aliases", action="store_true", help="show the other names of each environment"
    )
    parser.add_argument("--json", action="store_true", help="print all fields as JSON")


def run(args: argparse.Namespace) -> int:
    """Print the list. Loads a library only for environments without a summary in the list."""
    if args.family is not None:
        registry().plugin(args.family)  # raises if nothing provides it
    every = registry().specs(args.family)
    specs = [spec for spec in every if _has(spec, args.words)]
    if args.json:
        import dataclasses
        import json

        # default=str: presets may hold paths.
        print(json.dumps([dataclasses.asdict(spec) for spec in specs], indent=2, default=str))
    elif specs:
        table((_row(spec, args.aliases) for spec in specs), cut=True)
    elif every:
        print(f"none of {len(every)} environments has {' and '.join(map(repr, args.words))}")
    else:
        print(f"no environments are installed; try: {install_command(LIGHTEST)}")
    return 0


def _has(spec: EnvSpec, words: Sequence[str]) -> bool:
    text = " ".join(_row(spec, aliases=True)).lower() if words else ""
    return all(word.lower() in text for word in words)


def _row(spec: EnvSpec, aliases: bool) -> tuple[str, ...]:
    summary = summary_of(spec)
    summary = f"[deprecated: {spec.deprecated}] {summary}" if spec.deprecated else summary
    return (spec.id, " ".join(spec.aliases), summary) if aliases else (spec.id, summary)


def summary_of(spec: EnvSpec) -> str:
    """The summary of an environment, which the library may have."""
    if spec.summary or spec.backend != "native" or spec.removed:
        return spec.summary
    try:
        path = hooks.library_path(registry().plugin(spec.family))
        from parallel_pool import _core  # heavy: only where there is a library

        library = _core.Plugin(str(path))
        return str(library.declaration(spec.native_id)["summary"])
    except (ImportError, ParallelPoolError, ValueError, KeyError):
        return ""  # `parallel-pool doctor` says what is wrong with it
