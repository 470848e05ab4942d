"""`parallel-pool doctor`: checks of the installation, and the commands that fix it."""

import argparse
import importlib.util
from typing import Any


def add_parser(subparsers: Any) -> None:
    """Declare the command's arguments."""
    subparsers.add_parser(
        "doctor", help="check the installation and every plugin; exit status 1 if a check fails"
    )


def run(args: argparse.Namespace) -> int:
    """Print a line per check. Returns 1 if any failed, else 0."""
    # Plugins are found with it, and the words of a check are in a module that imports it.
    if importlib.util.find_spec("pluggy") is None:
        print("FAILED  pluggy  not installed\n\nFixes:\n  pluggy: pip install pluggy")
        return 1
    from parallel_pool.cli.doctor_report import report

    return report()
