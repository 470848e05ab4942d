"""`parallel-pool dev`: builds a plugin and checks it, and does so again whenever one of its files is saved."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable

from parallel_pool.errors import ParallelPoolError

from parallel_pool_author.cli.dev_build import QUICK, RELEASE, Build, BuildError
from parallel_pool_author.cli.dev_checks import FIRST, Checker
from parallel_pool_author.cli.dev_project import Project, find_project, installed, read_project
from parallel_pool_author.cli.dev_watch import Files


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument(
        "plugin", nargs="?", default=".", help="its folder, or the name of its family (this folder)"
    )
    parser.add_argument(
        "--release",
        action="store_true",
        help="with the optimisation of a wheel; builds take longer",
    )
    parser.add_argument(
        "--once", action="store_true", help="build and check once; 1 if anything fails"
    )


def run(args: argparse.Namespace) -> int:
    """Build, check, and wait for the next save until Ctrl-C. Returns 130 then; with --once 0 or 1."""
    project = find_project(args.plugin)
    files = Files(project.folder)
    try:
        if args.once:
            passed = _turn(project, args.release, lambda: False)
            _say_where(project)
            return 0 if passed else 1
        files.mark()
        _turn(project, args.release, files.changed)
        _say(project, f"waits for the next save in {project.folder}; Ctrl-C ends")
        _say_where(project)
        while True:
            files.wait()
            files.mark()
            try:
                project = read_project(project.folder)
                _turn(project, args.release, files.changed)
            except ParallelPoolError as error:
                print(f"error: {error}", file=sys.stderr, flush=True)
    except KeyboardInterrupt:
        print(flush=True)
        return 130


def _say_where(project: Project) -> None:
    """Says how programs find what was built, and which installed plugin they find without that."""
    site = Build(project, QUICK).site
    for other in installed(project.family, site):
        _say(
            project,
            f"{other} is installed, and programs use that without the next line; after "
            "`pip install --no-build-isolation -e .` they use this one",
        )
    _say(project, f"for programs of yours: PYTHONPATH={site}")


def _turn(project: Project, release: bool, saved_again: Callable[[], bool]) -> bool:
    """Builds once and runs the checks; the slow checks stop at the next save. Returns whether all passed."""
    started = time.perf_counter()
    build = Build(project, RELEASE if release else QUICK)
    checker = Checker(project, build.site)
    try:
        try:
            warnings = build.run()
        except BuildError as error:
            print(error, flush=True)
            _say(project, f"does not build ({_since(started)})")
            return False
        if warnings:
            print(warnings, flush=True)
        _say(project, f"built ({_since(started)})")
        checker.begin()
        return _checked(project, checker, saved_again, started)
    finally:
        checker.close()


def _checked(
    project: Project, checker: Checker, saved_again: Callable[[], bool], started: float
) -> bool:
    passed = failed = 0
    first_ones = True

    def sum_up(what: str) -> None:
        _say(project, f"{what}{passed} checks passed, {failed} failed ({_since(started)})")

    for result in checker.results():
        if result is None:
            if not first_ones and saved_again():
                return False
            continue
        if "error" in result:
            print(f"error: {result['error']}", flush=True)
            return False
        if "placed" in result:
            _say(project, f"the library is in {result['placed']} too")
            continue
        if first_ones and result["check"] not in FIRST:
            first_ones = False
            sum_up("first ")
        passed += result["outcome"] == "passed"
        if result["outcome"] == "failed":
            failed += 1
            print(f"FAILED  {result['subject']}  {result['check']}: {result['text']}", flush=True)
    sum_up("")
    return failed == 0


def _since(started: float) -> str:
    return f"{time.perf_counter() - started:.2f} s"


def _say(project: Project, text: str) -> None:
    print(f"{project.family}: {text}", flush=True)
