"""`parallel-pool check PLUGIN`: the conformance kit without pytest."""

import argparse
import dataclasses
import json
import sys
from pathlib import Path

from parallel_pool.errors import OptionError

_LONGEST = 1e6
"""Seconds: about as many as the system's timers take."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument(
        "plugin",
        help="the family, as `parallel-pool doctor` lists it, or an id; with --sanitize the folder of its "
        "sources too",
    )
    parser.add_argument(
        "--env",
        action="append",
        metavar="ID",
        help="only this environment (repeat for several; default: one per environment of the library)",
    )
    parser.add_argument("--only", action="append", metavar="CHECK", help="only this check")
    parser.add_argument("--steps", type=int, default=150, help="steps per trajectory (150)")
    parser.add_argument(
        "--limit",
        type=float,
        default=300.0,
        metavar="SECONDS",
        help="time limit of each check (300)",
    )
    parser.add_argument(
        "--in-process",
        action="store_true",
        help="run checks in this process, for debuggers; a crash ends the command",
    )
    parser.add_argument(
        "--library",
        metavar="PATH",
        help="another build of the plugin's library, or the folder with it, in place of the installed one",
    )
    parser.add_argument(
        "--sanitize",
        action="store_true",
        help="build the plugin from its sources with the address and undefined-behaviour sanitizers, and check "
        "that: finds what leaves no trace in results, as a table read past its end (Linux, GCC)",
    )
    parser.add_argument("--json", action="store_true", help="print as JSON")


def run(args: argparse.Namespace) -> int:
    """Print a line per check as it ends. Returns 1 if any failed, else 0."""
    from parallel_pool.author_api import registry

    from parallel_pool_author.testing.report import Result, check_plugin

    if args.steps < 1:
        raise OptionError(f"--steps is {args.steps}, expected 1 or more")
    if not args.limit > 0:
        raise OptionError(f"--limit is {args.limit:g}, expected more than 0")
    if args.sanitize:
        from parallel_pool_author.cli.sanitize import check

        check(args)
    if args.library is not None:
        _take_library(args.plugin, Path(args.library))
    family, slash, _ = args.plugin.partition("/")
    if slash:
        args.plugin, args.env = family, [*(args.env or ()), args.plugin]
    ids = None if args.env is None else [registry().resolve(each).spec.id for each in args.env]
    words = {"passed": "ok", "failed": "FAILED", "inapplicable": "-"}

    def announce(subject: str, check: str) -> None:
        # On a terminal the result is written over it.
        end = "\r" if sys.stderr.isatty() else "\n"
        print(f"begins  {subject}  {check}", end=end, file=sys.stderr, flush=True)

    def show(result: Result) -> None:
        line = f"{words[result.outcome]:<7} {result.subject}  {result.check}"
        print(f"{line}: {result.text}" if result.text else line, flush=True)

    try:
        report = check_plugin(
            args.plugin,
            env_ids=ids,
            only=args.only,
            steps=args.steps,
            begins=announce,
            each=None if args.json else show,
            limit=min(args.limit, _LONGEST),
            in_process=args.in_process,
        )
    except ValueError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    if args.json:
        print(json.dumps([dataclasses.asdict(each) for each in report.results], indent=2))
    else:
        passed = sum(each.outcome == "passed" for each in report.results)
        print(f"\n{passed} passed, {len(report.failures)} failed")
    return 0 if report.ok else 1


def _take_library(family: str, path: Path) -> None:
    from parallel_pool.author_api import hooks, registry

    if path.is_dir():
        path /= hooks.library_path(registry().plugin(family)).name
    if not path.is_file():
        raise OptionError(f"--library: there is no file {path}")
    registry().plugin(family).library = path.resolve()
