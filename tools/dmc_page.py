"""The part of docs/dmc.md that says, domain by domain, what tasks there are, and its picture.

uv run python tools/dmc_page.py [--draw]

Made from the specs of the environments, so it says what they are. Writes the page; with --draw also
docs/images/dmc.png, for which MuJoCo needs OpenGL. The plugin's tests hold the page to it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
from parallel_pool.cli.list import summary_of
from parallel_pool.making import make, make_spec
from parallel_pool.registry import registry
from parallel_pool_dmc._tasks import TASKS, Task

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs/dmc.md"
PICTURE = ROOT / "docs/images/dmc.png"
BEGIN = "<!-- tasks: python tools/dmc_page.py -->\n"
END = "<!-- end of tasks -->"
WIDTH, HEIGHT, COLUMNS = 160, 120, 7

IN_ALL = frozenset(each["name"] for each in make_spec("dmc/pendulum-swingup").declared_options)
"""Options that every domain has."""


def main() -> None:
    """Writes the page."""
    before, _, rest = PAGE.read_text().partition(BEGIN)
    parts = [section(domain, list(tasks)) for domain, tasks in domains()]
    PAGE.write_text(before + BEGIN + "\n" + "\n".join(parts) + "\n" + END + rest.partition(END)[2])
    if "--draw" in sys.argv:
        draw()


def domains() -> Iterator[tuple[str, Iterator[Task]]]:
    """The tasks by domain, in the order of the table."""
    return groupby(TASKS, lambda task: task.domain)


def section(domain: str, tasks: list[Task]) -> str:
    """A domain on the page: what its tasks share, a line for each, and the options that only they have."""
    specs = [make_spec(task.id) for task in tasks]
    first = specs[0]
    steps = first.config.max_episode_steps
    seconds = 1 / tasks[0].fps if tasks[0].fps else tasks[0].control_timestep
    length = f"Episodes of {steps:,} steps" if steps else "Episodes without a limit, steps"
    size = first.action_space.shape[0]
    numbers = "a number" if size == 1 else f"{size} numbers"
    lines = [
        f"### {domain}",
        "",
        f"{length} of {seconds:g} s; an action is {numbers} {bounds(first.action_space)}.",
        "",
        "| task | also as | what to do | observation |",
        "|---|---|---|---|",
        *(row(task, spec) for task, spec in zip(tasks, specs, strict=True)),
        "",
    ]
    own = [each for each in first.declared_options if each["name"] not in IN_ALL]
    lines += [f"- `{each['name']}`: {each['doc']}" for each in own]
    return "\n".join([*lines, ""] if own else lines)


def row(task: Task, spec: Any) -> str:
    """The line of a task. spec: from make_spec."""
    shapes = ", ".join(
        f"`{key}` ({', '.join(map(str, space.shape))})"
        for key, space in spec.observation_space.spaces.items()
    )
    names = f"`{task.domain}-{task.name}` | `{task.envpool_id}`"
    return f"| {names} | {summary_of(registry().resolve(task.id).spec)} | {shapes} |"


def bounds(space: Any) -> str:
    """The range of all numbers of an action together."""
    low, high = float(np.min(space.low)), float(np.max(space.high))
    return "of any size" if high >= 1e10 else f"from {low:g} to {high:g}"


def draw() -> None:
    """A picture of the first task of every domain, in the order of the page."""
    os.environ.setdefault("MUJOCO_GL", "egl")
    from PIL import Image

    first = [next(iter(tasks)) for _, tasks in domains()]
    sheet = np.full((-(-len(first) // COLUMNS) * HEIGHT, COLUMNS * WIDTH, 3), 255, np.uint8)
    for number, task in enumerate(first):
        size = {"width": WIDTH, "height": HEIGHT}
        with make(task.id, seed=1, render_mode="rgb_array", camera_id=0, **size) as pool:
            pool.reset()
            top, left = number // COLUMNS * HEIGHT, number % COLUMNS * WIDTH
            sheet[top : top + HEIGHT, left : left + WIDTH] = pool.render()[0]
    Image.fromarray(sheet).save(PICTURE, optimize=True)


if __name__ == "__main__":
    main()
