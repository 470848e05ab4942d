"""`parallel-pool new NAME`: a plugin that builds and passes its tests, ready to be changed."""

import argparse
import shutil
import sys
from pathlib import Path

from parallel_pool.author_api import FAMILIES, owner
from parallel_pool.errors import OptionError

TASKS = "tasks"
"""The family on which plugins without C++ are built."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument(
        "family", help="name of the family, a lower-case Python identifier such as lander"
    )
    parser.add_argument(
        "--env", help="name of the first environment, in CamelCase (default: from the family)"
    )
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument(
        "--kernel",
        choices=("scalar", "batch"),
        help="scalar: one object per environment (default); batch: one kernel for many",
    )
    for family in FAMILIES:
        also = ["--mujoco-task"] if family == TASKS else []
        kind.add_argument(
            f"--{family}",
            *also,
            dest="on",
            action="store_const",
            const=family,
            help=_help_of(family),
        )
    parser.add_argument("--author")
    parser.add_argument(
        "--license", help="MIT, Apache-2.0, BSD-3-Clause, GPL-3.0-or-later, proprietary"
    )
    parser.add_argument(
        "--library",
        action="store_const",
        const="yes",
        help="with headers for other plugins, which find them by CMake",
    )
    parser.add_argument(
        "--folder", type=Path, default=Path(), help="parent folder of the project (the current one)"
    )


def _help_of(family: str) -> str:
    from parallel_pool_author.cli.scaffold import kind_of

    try:
        kind_of(family)
    except OptionError:
        return argparse.SUPPRESS
    return f"a task built on {owner(family)}"


def run(args: argparse.Namespace) -> int:
    """Ask for missing answers if stdin is a terminal, write the files, and print the next steps."""
    from parallel_pool_author.cli.scaffold import complete, write_plugin

    answers = {"family": args.family}
    answers |= {
        name: getattr(args, name)
        for name in ("env", "kernel", "author", "license", "library")
        if getattr(args, name) is not None
    }
    _refuse_installed(args.family, complete(answers)["__distribution"])
    if sys.stdin.isatty() and len(answers) == 1 and not args.on:
        try:
            answers = _ask(answers)
        except (EOFError, KeyboardInterrupt):
            print("\nnothing was written", file=sys.stderr)
            return 1
    remarks: list[str] = []
    folder = write_plugin(answers, args.folder, remarks.append, args.on)
    python = args.on == TASKS
    env_id = f"{args.family}/{complete(answers)['env']}-v0"
    print(f"{folder} is there: the environment is {_shown(folder, args.family, python)}.\n")
    print(f"  cd {folder}")
    if python:
        print("  pip install scikit-build-core pytest")
        print(f"  parallel-pool index {args.family} --project .   # after each change of options")
    else:
        print("  pip install scikit-build-core cmake ninja pytest")
    # With the core that is here: an isolated build would look for one on the index.
    print("  pip install --no-build-isolation . && pytest")
    if python:
        print(f"  parallel-pool watch {env_id} -o {args.family}.gif")
    else:
        print("  parallel-pool dev                    # builds and checks at every save")
    print(f"  parallel-pool bench {env_id}")
    for remark in remarks:
        print(f"\n{remark}")
    if python:
        return 0
    compilers = [each for each in ("c++", "g++", "clang++", "cl") if shutil.which(each)]
    if not compilers:
        print(
            "\nThere is no C++ compiler on this machine yet: apt-get install g++, or xcode-select "
            "--install, or Visual Studio's Build Tools"
        )
    return 0


def _refuse_installed(family: str, distribution: str) -> None:
    from parallel_pool.author_api import registry

    for plugin in registry().plugins:
        if plugin.family == family and plugin.distribution != distribution:
            raise OptionError(
                f"the family {family!r} is installed already, by {plugin.distribution} {plugin.version}, and "
                f"two plugins of one family refuse each other: choose another, such as my_{family}"
            )


def _shown(folder: Path, family: str, python: bool) -> Path:
    if python:
        return folder / "python" / f"parallel_pool_{family}" / "tasks.py"
    return folder / "src" / f"{family}.cpp"


def _ask(answers: dict[str, str]) -> dict[str, str]:
    """Asks again after answers that are not valid."""
    from parallel_pool_author.cli.scaffold import check, complete, questions

    check(answers)
    full = complete(answers)
    for name, choices in questions().items():
        if name == "family":
            continue
        default = full[name]
        hint = f" ({', '.join(choices)})" if len(choices) > 1 else ""
        while True:
            tried = answers | {name: input(f"{name}{hint} [{default}]: ").strip() or default}
            try:
                check(tried)
            except OptionError as error:
                print(f"  {error}")
            else:
                break
        answers = tried
    return answers
