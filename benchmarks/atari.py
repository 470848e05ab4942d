"""Atari pools: ParallelPool, EnvPool, ale-py, Gymnasium and bare emulation in turn.

Pong and Breakout in several sizes, in lockstep and asynchronously; with --all-games every game, in
one size and in lockstep. --table measures nothing: it writes what was stored as Markdown, and as a
picture.
"""

from __future__ import annotations

import statistics
import sys
from ast import literal_eval
from functools import partial
from typing import Any

import atari_report
import harness
from bare import BareAle
from baselines import ale, gymnasium_vector
from parallel_pool.benchmarking.baselines import Task, parallel_pool
from parallel_pool.benchmarking.envpool import envpool
from parallel_pool_atari._games import ROMS, envpool_name

GAMES = {"Pong": "pong", "Breakout": "breakout"}
SIZES = (8, 32, 128)
ALL_GAMES_SIZES = (8,)
FRAME_SKIP = 4
GYMNASIUM_AT = 8
RIVALS = ("EnvPool", "ale-py")
# The same for all: gray 84x84 by area, the maximum of two frames, a stack of four, nothing sticky.
OPTIONS: dict[str, Any] = {
    "stack_num": 4,
    "frame_skip": FRAME_SKIP,
    "noop_max": 30,
    "episodic_life": False,
    "reward_clip": True,
    "use_fire_reset": True,
    "img_height": 84,
    "img_width": 84,
    "full_action_space": False,
    "repeat_action_probability": 0.0,
    "use_inter_area_resize": True,
    "gray_scale": True,
}


def main() -> None:
    """Prints the table; with --json the figures are stored after each group of cases."""
    parser = harness.timed_arguments(__doc__ or "", sizes=())
    every = {envpool_name(rom): rom for rom in ROMS}
    parser.add_argument(
        "--games", nargs="+", choices=every, metavar="GAME", help="default: " + ", ".join(GAMES)
    )
    parser.add_argument(
        "--all-games", action="store_true", help="every game, in lockstep, against the pools"
    )
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="of all pools, as gray_scale=False; may be repeated",
    )
    parser.add_argument("--threads", type=int, default=2, help="of each pool, and emulators (2)")
    parser.add_argument(
        "--divisor", type=int, default=4, help="asynchronous batches: environments / this (4)"
    )
    atari_report.add_arguments(parser)
    args = parser.parse_args()
    if args.table:
        atari_report.report(args)
        return
    facts = harness.environment()
    harness.print_environment(facts)
    games = {name: every[name] for name in args.games or (every if args.all_games else GAMES)}
    sizes = args.sizes or (ALL_GAMES_SIZES if args.all_games else SIZES)
    facts["measured"] = "games" if args.all_games else "pools"
    args.options = OPTIONS | {name: literal_eval(value) for name, value in map(split, args.option)}
    rows: list[harness.Row] = []
    for number, (game, rom) in enumerate(games.items(), 1):
        for num_envs in sizes:
            harness.say(f"{number}/{len(games)} {game}, {num_envs} environments ...")
            if args.all_games:
                rows += measure_game(game, rom, num_envs, args)
            else:
                rows += measure(game, rom, num_envs, args)
            harness.store(args.json, facts, rows)
    columns = atari_report.GAME_COLUMNS if args.all_games else atari_report.POOL_COLUMNS
    harness.print_table(columns, rows)
    if args.all_games:
        ratios = [row["to best rival"] for row in rows if row["to best rival"] is not None]
        if ratios:
            print(f"\nMedian of {len(ratios)}: {statistics.median(ratios):.2f} x")


def split(option: str) -> list[str]:
    """NAME=VALUE: its two sides. ValueError if it has not two."""
    name, value = option.split("=")
    return [name, value]


def measure(game: str, rom: str, num_envs: int, args: Any) -> list[harness.Row]:
    """The rows of one game and size. Rivals: EnvPool and ale-py in the same mode."""
    options = {**args.options, "game": rom}
    bare_name = f"bare ALE, {args.threads} processes"
    bare_ale = partial(BareAle, bare_name, rom, args.threads, FRAME_SKIP)
    builds: list[harness.Build] = [bare_ale]
    batches: dict[str, int] = {}
    if num_envs == GYMNASIUM_AT:
        task = Task(f"atari/{game}-v5", num_envs, options=options)
        builds += [partial(gymnasium_vector, task, mode) for mode in ("async", "sync")]
    for batch, mode in ((num_envs, "sync"), (max(1, num_envs // args.divisor), "async")):
        task = Task(f"atari/{game}-v5", num_envs, batch, args.threads, options)
        for build, side in zip(
            (envpool, ale, parallel_pool), (*RIVALS, "ParallelPool"), strict=True
        ):
            name = f"{side} {mode}"
            batches[name] = batch
            builds.append(partial(build, task, name=name))
    timings = harness.side_by_side(builds, rounds=args.rounds, seconds=args.slice)

    bare = next((each for each in timings if each.name == bare_name), None)
    rows = []
    for timing in timings:
        batch = batches.get(timing.name, num_envs)
        rival = harness.fastest(
            each for each in timings if each.name.startswith(RIVALS) and batches[each.name] == batch
        )
        rows.append(
            {
                "game": game,
                "envs": num_envs,
                "batch": None if timing is bare else batch,
                "case": timing.name,
                "best frames/s": FRAME_SKIP * timing.best,
                "median frames/s": FRAME_SKIP * timing.median,
                "to best rival": harness.ratio(timing, rival),
                "of bare ALE": harness.ratio(timing, bare),
            }
        )
    return rows


def measure_game(game: str, rom: str, num_envs: int, args: Any) -> list[harness.Row]:
    """One row: the three pools in lockstep."""
    task = Task(f"atari/{game}-v5", num_envs, num_envs, args.threads, {**args.options, "game": rom})
    builds: list[harness.Build] = [partial(build, task) for build in (envpool, ale, parallel_pool)]
    timings = {
        timing.name: timing
        for timing in harness.side_by_side(builds, rounds=args.rounds, seconds=args.slice)
    }
    ours = timings["ParallelPool"]
    rival = harness.fastest(timings[name] for name in RIVALS if name in timings)
    row: harness.Row = {"game": game, "envs": num_envs}
    row |= {name: FRAME_SKIP * timing.median for name, timing in timings.items()}
    row["to best rival"] = harness.ratio(ours, rival)
    ratio = row["to best rival"]
    harness.say(f"    {ratio:.2f} x" if ratio is not None else "    no rival")
    return [row]


if __name__ == "__main__":
    sys.exit(main())
