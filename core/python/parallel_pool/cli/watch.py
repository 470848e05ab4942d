"""`parallel-pool watch`: a mosaic of environments with their returns, as a film or on a live page.

The wheel parallel-pool-watch makes them.
"""

import argparse
from pathlib import Path
from typing import Any

from parallel_pool.cli.assignments import add_option, assigned
from parallel_pool.imports.libraries import imported


def add_parser(subparsers: Any) -> None:
    """Declare the command's arguments."""
    parser = subparsers.add_parser(
        "watch", help="make a film of environments, or show them live in a browser"
    )
    parser.add_argument("id", help="an id in any form that make accepts")
    parser.add_argument(
        "--num-envs", type=int, default=16, metavar="N", help="environments in the mosaic (16)"
    )
    parser.add_argument(
        "--policy",
        default="random",
        metavar="P",
        help="random, FILE.py:FUNCTION of the observations, or a FILE.zip of Stable-Baselines3",
    )
    parser.add_argument(
        "--checkpoint",
        metavar="FILE",
        help="a file for the policy: FUNCTION(FILE) returns the function of the observations",
    )
    parser.add_argument(
        "--vecnormalize",
        metavar="FILE",
        help="statistics that VecNormalize of Stable-Baselines3 saved, for a FILE.zip",
    )
    parser.add_argument(
        "--seed", type=int, default=0, metavar="S", help="environment i gets seed S + i (0)"
    )
    add_option(parser)
    parser.add_argument(
        "-o",
        "--out",
        type=Path,
        metavar="FILE",
        help="file to write: .mp4, .gif, or .png for the last picture (ID.mp4)",
    )
    parser.add_argument("--steps", type=int, default=300, metavar="N", help="number of steps (300)")
    parser.add_argument(
        "--every", type=int, default=1, metavar="N", help="a picture every N steps (1)"
    )
    parser.add_argument("--fps", type=float, metavar="F", help="pictures per second")
    parser.add_argument(
        "--width",
        type=int,
        default=960,
        metavar="W",
        help="largest width of the mosaic in pixels (960)",
    )
    parser.add_argument(
        "--serve",
        action="store_true",
        help="serve a live page for a browser on this machine instead of a film",
    )
    parser.add_argument(
        "--port", type=int, default=0, metavar="P", help="port of the page (0: a free one)"
    )


def run(args: argparse.Namespace) -> int:
    """Make the film and say where it is; or serve until Ctrl-C.

    Raises OptionError, LibraryError and what `make` raises.
    """
    command = imported("parallel_pool_watch.command", "0", "`parallel-pool watch`", extra="watch")
    status: int = command.run(args, assigned(args.option))
    return status
