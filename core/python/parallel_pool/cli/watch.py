"""`parallel-pool watch`: a mosaic of environments with their returns, as a film or live in a browser."""

import argparse
import math
import signal
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from parallel_pool.cli.assignments import add_option, assigned
from parallel_pool.cli.progress import Progress
from parallel_pool.errors import OptionError

if TYPE_CHECKING:
    from parallel_pool.watching.watch import Watch


_WIDEST = 16_384


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
    for name in ("num_envs", "steps", "every", "width"):
        if getattr(args, name) < 1:
            flag = name.replace("_", "-")
            raise OptionError(f"--{flag} is {getattr(args, name)}, expected 1 or more")
    if args.width > _WIDEST:
        raise OptionError(f"--width is {args.width}, expected {_WIDEST} or less")
    if args.fps is not None and not 0 < args.fps < math.inf:
        raise OptionError(f"--fps is {args.fps:g}, expected more than 0")
    from parallel_pool.watching.policies import find_policy
    from parallel_pool.watching.watch import Watch

    arguments = assigned(args.option)

    def build() -> Watch:
        return Watch(
            args.id,
            args.num_envs,
            lambda space: find_policy(
                args.policy, space, args.seed, args.checkpoint, args.vecnormalize
            ),
            seed=args.seed,
            width=args.width,
            arguments=arguments,
        )

    if args.serve:
        if args.out is not None:
            raise OptionError("--serve shows a page and writes no film: leave out --out")
        return _serve(build, args.port)
    with build() as watch:
        return _film(watch, args)


def _serve(build: Callable[[], "Watch"], port: int) -> int:
    from parallel_pool.watching.page import PageServer, as_jpeg
    from parallel_pool.watching.player import Player

    # SDL, which draws some environments, would otherwise catch it, and nothing would end.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with (
        Player(build, as_jpeg) as player,
        PageServer(player, port) as server,
        server.serving() as thread,
    ):
        try:
            print(
                f"{server.address}\nOpen it in a browser on this machine; Ctrl-C ends.", flush=True
            )
            while thread.is_alive():
                thread.join(0.2)  # Windows tells of Ctrl-C when a wait ends
        except KeyboardInterrupt:
            print()
    return 0


def _film(watch: "Watch", args: argparse.Namespace) -> int:
    from parallel_pool.watching.films import film

    path = args.out or Path(args.id.rpartition("/")[2].replace(":", "-") + ".mp4")
    out = film(path, args.fps or watch.fps / args.every)
    progress = Progress(args.steps, "filming")
    finished: list[float] = []
    try:
        only_last = path.suffix == ".png"
        for step in range(1, args.steps + 1):
            finished += [episode.total for episode in watch.step()]
            if step == args.steps or (not only_last and step % args.every == 0):
                out.add(watch.picture())
            progress.update(step, f"step {step}")
    except KeyboardInterrupt:
        pass  # what there is becomes the film
    finally:
        progress.close()
    out.close()
    mean = f", mean return {sum(finished) / len(finished):.2f}" if finished else ""
    print(f"{path}: {watch.steps} steps of {args.num_envs} environments; ", end="")
    print(f"{len(finished)} episodes ended{mean}")
    return 0
