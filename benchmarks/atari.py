"""Pong and Breakout: ParallelPool, EnvPool, ale-py, Gymnasium and bare emulation in turn."""

from __future__ import annotations

from functools import partial
from typing import Any

import harness
from bare import BareAle
from parallel_pool.benchmarking.contestants import (
    Task,
    ale,
    envpool,
    gymnasium_vector,
    parallel_pool,
)

GAMES = {"Pong": "pong", "Breakout": "breakout"}
SIZES = (8, 32, 128)
FRAME_SKIP = 4
GYMNASIUM_AT = 8
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
    """Prints the table."""
    parser = harness.timed_arguments(__doc__ or "", sizes=SIZES)
    parser.add_argument("--games", nargs="+", default=list(GAMES), choices=list(GAMES))
    parser.add_argument("--threads", type=int, default=2, help="of each pool, and emulators (2)")
    parser.add_argument(
        "--divisor", type=int, default=4, help="asynchronous batches: environments / this (4)"
    )
    args = parser.parse_args()
    facts = harness.environment()
    harness.print_environment(facts)
    rows: list[harness.Row] = []
    for game in args.games:
        for num_envs in args.sizes:
            harness.say(f"{game}, {num_envs} environments ...")
            rows += measure(game, num_envs, args)
    harness.print_table(
        {
            "game": str,
            "envs": str,
            "batch": str,
            "case": str,
            "best frames/s": harness.whole,
            "median frames/s": harness.whole,
            "to best rival": harness.times,
            "of bare ALE": harness.percent,
        },
        rows,
    )
    harness.store(args.json, facts, rows)
    for row in rows:
        row["line"] = f"{row['game']}: {row['case']}"
    harness.plot(args.plot, rows, title="Atari", x="envs", y="median frames/s", label="line")


def measure(game: str, num_envs: int, args: Any) -> list[harness.Row]:
    """The rows of one game and size. Rivals: EnvPool and ale-py in the same mode."""
    options = {**OPTIONS, "game": GAMES[game]}
    bare_name = f"bare ALE, {args.threads} processes"
    bare_ale = partial(BareAle, bare_name, GAMES[game], args.threads, FRAME_SKIP)
    builds: list[harness.Build] = [bare_ale]
    batches: dict[str, int] = {}
    if num_envs == GYMNASIUM_AT:
        task = Task(f"atari/{game}-v5", num_envs, options=options)
        builds += [partial(gymnasium_vector, task, mode) for mode in ("async", "sync")]
    for batch, mode in ((num_envs, "sync"), (max(1, num_envs // args.divisor), "async")):
        task = Task(f"atari/{game}-v5", num_envs, batch, args.threads, options)
        for build, who in ((envpool, "EnvPool"), (ale, "ale-py"), (parallel_pool, "ParallelPool")):
            name = f"{who} {mode}"
            batches[name] = batch
            builds.append(partial(build, task, name=name))
    timings = harness.side_by_side(builds, rounds=args.rounds, seconds=args.slice)

    bare = next((each for each in timings if each.name == bare_name), None)
    rows = []
    for timing in timings:
        batch = batches.get(timing.name, num_envs)
        rival = harness.fastest(
            each
            for each in timings
            if each.name.startswith(("EnvPool", "ale-py")) and batches[each.name] == batch
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


if __name__ == "__main__":
    main()
