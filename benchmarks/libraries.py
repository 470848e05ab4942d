"""Each library on the pool and on its own vector environments: environments alone, and with a policy.

uv run --isolated --group libraries python benchmarks/libraries.py --json FILE

Environments alone: what the library calls for a step, with fixed actions. With a policy: Stable-Baselines3
trains (PPO); Tianshou, TorchRL and RLlib collect with a small network. The cases of a row take turns, each in
a process of its own.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Iterator, Sequence
from statistics import median

from figures import Row, table, whole
from in_turn import Slice, again, ratio, take_turns
from library_cases import LIBRARIES, OURS
from study import Study, run

TASK_ID = "CartPole-v1"
ENVS = 8
HOW = ("alone", "with a policy")


class Stepping:
    """A case of `take_turns`."""

    def __init__(self, library: str, name: str, how: str) -> None:
        warnings.simplefilter("ignore")
        import torch

        torch.set_num_threads(1)
        made = LIBRARIES[library][0]
        self.chunk, self.close = made(name, TASK_ID, ENVS, how != "alone")

    def slice(self, seconds: float) -> Slice:
        """Works for about that long."""
        steps, begin, passed = 0, time.perf_counter(), 0.0
        while passed < seconds:
            steps += self.chunk()
            passed = time.perf_counter() - begin
        return {"steps/s": steps / passed}


def measure(case: str, args: argparse.Namespace) -> Iterator[Row]:
    """A row for each kind of vector environment."""
    library, _, how = case.partition(", ")
    specs = {name: {"library": library, "name": name, "how": how} for name in LIBRARIES[library][1]}
    slices = take_turns(again(specs), rounds=args.rounds, seconds=args.slice)
    ours = slices.get(OURS)
    for name, mine in slices.items():
        row: Row = {"environments": name, "steps/s": median(each["steps/s"] for each in mine)}
        if ours and name != OURS:
            row["ParallelPool to it"] = ratio(ours, mine, "steps/s")
        yield row


def text(rows: Sequence[Row]) -> str:
    columns = {"case": str, "environments": str, "steps/s": whole}
    return table({**columns, "ParallelPool to it": "{:.1f} x".format}, rows)


if __name__ == "__main__":
    # What trains with rl_games is a configuration.
    cases = [f"{name}, {how}" for name in LIBRARIES for how in HOW]
    cases.remove("rl_games, with a policy")
    run(
        Study(cases, measure, text, rounds=10, seconds=0.4, process=Stepping, packages=("torch",)),
        __doc__,
    )
