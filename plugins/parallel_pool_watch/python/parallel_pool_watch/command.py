"""`parallel-pool watch`, whose arguments the core declares (parallel_pool/cli/watch.py)."""

from __future__ import annotations

import argparse
import math
from typing import Any

from parallel_pool.errors import OptionError
from parallel_pool.pool_api import Progress

from parallel_pool_watch.films import film, record, usual_path
from parallel_pool_watch.live.page import serve
from parallel_pool_watch.policies import find_policy
from parallel_pool_watch.watch import Watch

_WIDEST = 16_384


def run(args: argparse.Namespace, arguments: dict[str, Any]) -> int:
    """Makes the film and says where it is; or serves until Ctrl-C. arguments: of `parallel_pool.make`.

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
            arguments=arguments,
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
        pass  # what there is becomes the film
    finally:
        progress.close()
    out.close()
    means = ", ".join(f"{sum(each) / len(each):.2f}" for each in zip(*finished, strict=True))
    of = " of each player" if "," in means else ""
    mean = f", mean return{of} {means}" if finished else ""
    print(f"{path}: {watch.steps} steps of {args.num_envs} environments; ", end="")
    print(f"{len(finished)} episodes ended{mean}")
    return 0
