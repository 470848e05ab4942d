"""Images of MiniGrid and BabyAI as pictures, compared with minigrid's wrappers in Gymnasium's SyncVectorEnv.

Tiles of eight pixels, two threads. The environments of minigrid are 32, whose rate is the same for any number.
"""

from __future__ import annotations

import argparse
import contextlib
import io
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import gymnasium
import minigrid  # noqa: F401 (registers its environments)
from figures import Row, table, times, whole
from measuring.baselines import Task, gymnasium_vector, parallel_pool
from minigrid.wrappers import RGBImgObsWrapper, RGBImgPartialObsWrapper
from study import Study, compare, run

IDS = (
    "MiniGrid-Empty-8x8-v0",
    "MiniGrid-DoorKey-8x8-v0",
    "MiniGrid-MultiRoom-N6-v0",
    "MiniGrid-KeyCorridorS6R3-v0",
    "BabyAI-GoToLocal-v0",
    "BabyAI-BossLevel-v0",
)
WRAPPERS: dict[str, Callable[[Any], Any]] = {
    "rgb_partial": RGBImgPartialObsWrapper,
    "rgb": RGBImgObsWrapper,
}


def measure(case: str, args: argparse.Namespace) -> Iterator[Row]:
    """A row for each kind of picture."""
    for image, wrap in WRAPPERS.items():
        task = Task(f"minigrid/{case}", 64, num_threads=2, options={"image": image})
        original = partial(drawn, case, wrap)
        builds = {
            "ParallelPool": partial(parallel_pool, task),
            "minigrid": partial(
                gymnasium_vector, Task(case, 32), "sync", name="minigrid", factory=original
            ),
        }
        # What minigrid prints when it rejects a level goes nowhere.
        with contextlib.redirect_stdout(io.StringIO()):
            yield {"image": f"`{image}`", **compare(builds, args)}


def drawn(env_id: str, wrap: Callable[[Any], Any]) -> Any:
    """minigrid's environment."""
    return wrap(gymnasium.make(env_id, disable_env_checker=True))


def text(rows: Sequence[Row]) -> str:
    columns = {"case": str, "image": str, "ParallelPool": whole, "minigrid": whole}
    return table({**columns, "to minigrid": times}, rows)


if __name__ == "__main__":
    run(
        Study(
            IDS, measure, text, "docs/minigrid.md", rounds=5, seconds=0.3, packages=("minigrid",)
        ),
        __doc__,
    )
