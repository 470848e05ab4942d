"""`parallel-pool watch`, which the core calls (parallel_pool/cli/of_a_wheel.py)."""

from __future__ import annotations

import argparse
import math
from pathlib import Path

from parallel_pool.errors import OptionError
from parallel_pool.pool_api import Progress

from parallel_pool_watch.films import film, record, usual_path
from parallel_pool_watch.live.page import serve
from parallel_pool_watch.policies import add_policy, find_policy
from parallel_pool_watch.watch import Watch

_WIDEST = 16_384


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the command's arguments."""
    parser.add_argument("id", help="an id in any form that make accepts")
    parser.add_argument(
        "--num-envs", type=int, default=16, metavar="N", help="environments in the mosaic (16)"
    )
    add_policy(parser)
    parser.add_argument(
        "--seed", type=int, default=0, metavar="S", help="environment i gets seed S + i (0)"
    )
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
    """Makes the film and says where it is; or serves until Ctrl-C.

    Raises OptionError, LibraryError and what `make` raises.
    """
    for name in ("num_envs", "steps", "every", "width"):
        if getattr(args, name) < 1:
            flag = name.replace("_", "-")
            raise OptionError(f"--{flag} is {getattr(args, name)}, expected 1 or more")
    if args.width > _WIDEST:
        raise OptionError(f"--width is {args.width}, expected {_WIDEST} or less")
    if args.fps is not None and not 0 < args.fps < math.inf:
        raise OptionError(f"--fps is {args.fps:g}, expected more than 0")

    def build() -> Watch:
        return Watch(
            args.id,
            args.num_envs,
            lambda space: find_policy(
                args.policy, space, args.seed, args.checkpoint, args.vecnormalize
            ),
            seed=args.seed,
            width=args.width,
            arguments=args.option,
        )

    if args.serve:
        if args.out is not None:
            raise OptionError("--serve shows a page and writes no film: leave out --out")
        serve(build, args.port)
        return 0
    with build() as watch:
        return _film(watch, args)


def _film(watch: Watch, args: argparse.Namespace) -> int:
    path = args.out or usual_path(args.id)
    out = film(path, args.fps or watch.fps / args.every)
    progress = Progress(args.steps, "filming")
    finished: list[tuple[float, ...]] = []
    try:
        for step, ended in enumerate(record(watch, out, args.steps, args.every), 1):
            finished += [episode.players or (episode.total,) for episode in ended]
            progress.update(step, f"step {step}")
    except KeyboardInterrupt:
        pass  # the film has the steps until now
    finally:
        progress.close()
    out.close()
    means = ", ".join(f"{sum(each) / len(each):.2f}" for each in zip(*finished, strict=True))
    of = " of each player" if "," in means else ""
    mean = f", mean return{of} {means}" if finished else ""
    print(f"{path}: {watch.steps} steps of {args.num_envs} environments; ", end="")
    print(f"{len(finished)} episodes ended{mean}")
    return 0
