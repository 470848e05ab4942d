"""`parallel-pool evaluate`, which the core calls (parallel_pool/cli/of_a_wheel.py)."""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
from itertools import count
from pathlib import Path
from typing import Any

from gymnasium.vector.utils import batch_space
from parallel_pool.errors import OptionError, ParallelPoolError
from parallel_pool.pool_api import GymnasiumPool, Progress, imported

from parallel_pool_learning.evaluating.episode import Episode
from parallel_pool_learning.evaluating.episodes import Episodes, LostEpisodesError
from parallel_pool_learning.evaluating.evaluation import Evaluation
from parallel_pool_learning.evaluating.evaluator import FIRST_SEED, evaluation_of, pool_for
from parallel_pool_learning.evaluating.picture import said, write_svg


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the command's arguments."""
    parser.add_argument("id", help="an id in any form that make accepts")
    parser.add_argument(
        "--policy",
        default="random",
        metavar="P",
        help="random, or as `parallel-pool watch` takes it",
    )
    for name in ("--checkpoint", "--vecnormalize"):
        parser.add_argument(name, metavar="FILE", help="for --policy, as of `parallel-pool watch`")
    parser.add_argument(
        "--episodes", type=int, default=100, metavar="N", help="number of episodes (100)"
    )
    parser.add_argument(
        "--seed",
        type=int,
        default=FIRST_SEED,
        metavar="S",
        help="of the first episode; those after it have S + 1, S + 2, ... (2**31)",
    )
    parser.add_argument(
        "--num-envs", type=int, metavar="N", help="environments at a time (32, or fewer episodes)"
    )
    parser.add_argument(
        "--rows", type=int, metavar="N", help="rows that the policy gets at a time (--num-envs)"
    )
    parser.add_argument(
        "--info", action="append", default=[], metavar="NAME", help="an info of the last step"
    )
    parser.add_argument(
        "--film", type=Path, metavar="FILE", help="film the worst episode: .mp4, .gif or .png"
    )
    parser.add_argument(
        "--picture", type=Path, metavar="FILE.svg", help="write a picture of the distribution"
    )
    parser.add_argument("--json", action="store_true", help="print as JSON")


def run(args: argparse.Namespace) -> int:
    """Plays, and prints a table or JSON. Returns 130 after Ctrl-C, of what had ended by then; else 0.

    Raises OptionError, LibraryError, what `make` raises, and ParallelPoolError if the policy raises.
    """
    if args.episodes < 1:
        raise OptionError(f"--episodes is {args.episodes}, expected 1 or more")
    if args.picture is not None and args.picture.suffix != ".svg":
        raise OptionError(f"--picture {args.picture}: expected a name that ends with .svg")
    given = {} if args.num_envs is None else {"num_envs": args.num_envs}
    # Plugins and policies may print, and that is no part of the answer.
    with contextlib.redirect_stdout(sys.stderr):
        evaluation, interrupted = _played(args, {**args.option, **given})
    if args.picture is not None:
        title = f"{args.id}, {len(evaluation.episodes)} episodes: {said(evaluation.mean)}"
        write_svg(args.picture, title, evaluation.values, evaluation.mean)
    _print(args, evaluation, interrupted=interrupted)
    if args.film is not None:
        with contextlib.redirect_stdout(sys.stderr):
            print(evaluation.film(1, args.film))
    return 130 if interrupted else 0


def _played(args: argparse.Namespace, options: dict[str, Any]) -> tuple[Evaluation, bool]:
    """The evaluation, and whether Ctrl-C ended it."""
    with pool_for(args.id, args.episodes, options) as pool:
        policy = _policy(args, pool)
        seeds = range(args.seed, args.seed + args.episodes)
        how = {"rows": args.rows, "infos": args.info, "freeze": True}
        with Episodes(pool, policy, seeds, order="ends", **how) as playing:
            found: list[Episode] = []
            lost, interrupted = _play(playing, found)
        found.sort(key=lambda episode: episode.seed)
        return evaluation_of(pool, policy, args.rows, found, lost), interrupted


def _play(playing: Episodes, found: list[Episode]) -> tuple[list[Any], bool]:
    progress = Progress(len(playing), "evaluating")
    total = 0.0
    try:
        for episode in playing:
            found.append(episode)
            total += episode.value
            progress.update(
                len(found), f"{len(found)} of {len(playing)}, mean {total / len(found):.4g}"
            )
    except LostEpisodesError as error:
        if not found:
            raise
        return error.lost, False
    except KeyboardInterrupt:
        if not found:
            raise ParallelPoolError("interrupted before an episode had ended") from None
        return [], True
    except ParallelPoolError:
        raise
    except Exception as error:
        said = "; ".join([f"{type(error).__name__}: {error}", *getattr(error, "__notes__", ())])
        raise ParallelPoolError(f"the policy failed: {said}") from error
    finally:
        progress.close()
    return [], False


def _print(args: argparse.Namespace, evaluation: Evaluation, *, interrupted: bool) -> None:
    if args.json:
        numbers = {"id": args.id, "policy": args.policy, **evaluation.as_dict()}
        print(json.dumps({**numbers, "interrupted": interrupted}, indent=2, default=str))
        return
    print(evaluation)
    if interrupted:
        print("interrupted: short episodes end first, so these figures are biased towards them")


def _policy(args: argparse.Namespace, pool: GymnasiumPool) -> Any:
    space = batch_space(pool.single_action_space, args.rows or pool.num_envs)
    if args.policy == "random" and args.checkpoint is args.vecnormalize is None:
        space.seed(args.seed)
        return lambda _: space.sample()
    needed_by = f"--policy {args.policy}"
    policies = imported("parallel_pool_watch.policies", "0", needed_by, extra="watch")
    path, colon, name = args.policy.rpartition(":")
    if colon and path.endswith(".py") and args.vecnormalize is None:
        return policies.from_file(Path(path), name, args.checkpoint)
    step = count()
    act = policies.find_policy(args.policy, space, args.seed, args.checkpoint, args.vecnormalize)
    return lambda observations: act(observations, next(step))
