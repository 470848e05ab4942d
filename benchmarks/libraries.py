"""Each library on the pool and on its own vector environments: environments alone, and with a policy.

uv run --isolated --group libraries python benchmarks/libraries.py --json FILE

Environments alone: what the library calls for a step, with fixed actions. With a policy: Stable-Baselines3
trains (PPO); Tianshou, TorchRL and RLlib collect with a small network. The cases of a row take turns, each in
a process of its own. A row that the JSON file has is not measured again: the same command goes on.
"""

from __future__ import annotations

import json
import time
import warnings
from functools import partial
from statistics import median
from typing import Any

from harness import arguments, environment, print_environment, say, store, stored, table, whole
from in_turn import Slice, serve, take_turns
from library_cases import LIBRARIES, OURS


class Stepping:
    """A case of `take_turns`."""

    def __init__(self, library: str, **arguments: Any) -> None:
        warnings.simplefilter("ignore")
        import torch

        torch.set_num_threads(1)
        self.chunk, self.close = LIBRARIES[library][0](**arguments)
        self.chunk()  # warm

    def slice(self, seconds: float) -> Slice:
        """Works for about that long."""
        steps, begin = 0, time.perf_counter()
        while (passed := time.perf_counter() - begin) < seconds:
            steps += self.chunk()
        return {"steps/s": steps / passed}


def measured(library: str, what: str, args: Any, budget: float) -> list[dict[str, Any]]:
    """The lines of one row."""
    task_id, _, how = what.partition(", ")
    spec = {"library": library, "task_id": task_id, "num_envs": args.envs, "policy": how != "alone"}
    specs = {name: {**spec, "name": name} for name in LIBRARIES[library][1]}
    slices = take_turns(specs, budget=budget, seconds=args.slice)
    lines = []
    for name, mine in slices.items():
        line: dict[str, Any] = {"library": library, "what": what, "environments": name}
        line["steps/s"] = median(each["steps/s"] for each in mine)
        pairs = zip(slices.get(OURS, ()), mine, strict=False)
        ratios = [ours["steps/s"] / theirs["steps/s"] for ours, theirs in pairs]
        line["ParallelPool to it"] = median(ratios) if ratios and name != OURS else None
        lines.append(line)
    return lines


COLUMNS = {
    "library": str,
    "what": str,
    "environments": str,
    "steps/s": whole,
    "ParallelPool to it": "{:.1f} x".format,
}


def main() -> None:
    """Prints a table in Markdown; measures the rows asked for that the JSON file does not have."""
    parser = arguments(__doc__.splitlines()[0], sizes=())
    parser.add_argument("--envs", type=int, default=8, help="environments (8)")
    parser.add_argument("--ids", nargs="+", default=["CartPole-v1"])
    parser.add_argument("--only", nargs="+", choices=LIBRARIES, default=list(LIBRARIES))
    parser.add_argument("--minutes", type=float, default=10, help="for all rows together (10)")
    parser.add_argument("--slice", type=float, default=0.4, help="seconds of a slice (0.4)")
    parser.add_argument("--case", type=json.loads, help="for processes that this script starts")
    args = parser.parse_args()
    if args.case:
        serve(partial(Stepping, **args.case))
        return
    facts = environment()
    print_environment(facts)
    rows = stored(args.json)[1] if args.json and args.json.exists() else []
    there = {(row["library"], row["what"]) for row in rows}
    asked = [
        (library, f"{task_id}, {how}")
        for library in args.only
        for task_id in args.ids
        for how in ("alone", "with a policy")
        # The networks are those for CartPole, and what trains with rl_games is a configuration.
        if how == "alone" or (task_id == "CartPole-v1" and library != "rl_games")
    ]
    ahead = [each for each in asked if each not in there]
    end = time.monotonic() + args.minutes * 60
    for done, (library, what) in enumerate(ahead):
        budget = max(end - time.monotonic(), 0) / (len(ahead) - done)
        say(f"{library}, {what}, {done + 1} of {len(ahead)}, {budget:.0f} s")
        rows += measured(library, what, args, budget)
        store(args.json, facts, rows)
    print(table(COLUMNS, [row for row in rows if (row["library"], row["what"]) in asked]))


if __name__ == "__main__":
    main()
