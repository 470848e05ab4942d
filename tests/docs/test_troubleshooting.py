"""The page "Troubleshooting" has every check of `parallel-pool doctor`, and quotes errors as users see them."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import parallel_pool
import pytest
from parallel_pool.cli.doctor_system import OLDEST

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "troubleshooting.md").read_text("utf-8")
QUOTED = [
    line
    for block in re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL)
    for line in block.splitlines()
]
SOURCES = [
    path
    for folder in (
        ROOT / "core/python/parallel_pool",
        ROOT / "core/include",
        ROOT / "core/src",
        *(each / "python" for each in (ROOT / "plugins").glob("parallel_pool_*")),
    )
    for path in folder.rglob("*.*")
    if path.suffix in {".py", ".hpp", ".cpp"}
]


def test_every_check_has_its_section() -> None:
    named = {"python", *OLDEST}
    for path in SOURCES:
        source = path.read_text("utf-8")
        if path.suffix == ".py" and "Check(" in source:
            named |= set(re.findall(r'\bCheck\(\s*"([^"]+)"', source))
            if path.parent.name == "cli":
                named |= set(re.findall(r'\bname = f?"([^"{]+)"', source))
                named |= set(re.findall(r'_tried\(plugin, "([^"]+)"', source))
    headings = re.findall(r"^### (.*)$", PAGE, re.MULTILINE)
    sections = {name for each in headings for name in re.findall(r"`([^`]+)`", each)}
    sections |= {name.partition(": ")[2] for name in sections}
    assert {each.replace("{plugin.family}", "FAMILY") for each in named} <= sections


def used(id: str, *calls: Callable[[Any], object], **arguments: Any) -> None:
    with parallel_pool.make(id, **arguments) as envs:
        for call in calls:
            call(envs)


def reset(envs: Any) -> None:
    envs.reset()


def stepped(actions: Any) -> Callable[[Any], object]:
    return lambda envs: envs.step(actions)


C, FOUR = "CartPole-v1", {"num_envs": 4}
ENDS = {"autoreset_mode": "Disabled", "max_episode_steps": 1}
PROVOKED: list[Callable[[], object]] = [
    lambda: parallel_pool.make("CartPoll-v1"),
    lambda: parallel_pool.make("CartPole-v7"),
    lambda: parallel_pool.make("Pong-v5", frameskip=4),
    lambda: parallel_pool.make("Pendulum-v1", g=[9.8, 1.6]),
    lambda: parallel_pool.make(C, num_envs=4, batch_size=8),
    lambda: parallel_pool.make(["Pong-v5", "Breakout-v5"]),
    lambda: parallel_pool.make(C, render_mode="human"),
    lambda: used(C, reset, stepped(np.zeros((4, 1), int)), **FOUR),
    lambda: used(C, reset, stepped(np.zeros(4)), **FOUR),
    lambda: used(C, reset, stepped([0, 1, 2, 0]), **FOUR),
    lambda: used("Pendulum-v1", reset, stepped(np.full((1, 1), np.nan, np.float32))),
    lambda: used(C, stepped([0])),
    lambda: used(C, reset, stepped([0]), stepped([0]), **ENDS),
    lambda: used(C, lambda envs: envs.async_reset(), lambda envs: envs.send([0])),
    lambda: used(C, reset, lambda envs: envs.recv()),
    lambda: used(
        C,
        lambda envs: envs.reset(env_id=[0, 1]),
        lambda envs: envs.send([0], [0]),
        lambda envs: envs.recv(),
        batch_size=2,
        **FOUR,
    ),
    lambda: used(C, reset, lambda envs: envs.render()),
]

WORDS = [
    "which is not installed: ",
    "cannot be found, because plugin ",
    "there is no ROM {game!r} in {folder} (",
    " was built for plugin ABI ",
    ", which is missing: ",
    " makes a pool with worker processes when it is imported, and worker processes import it: ",
    "the results of this pool need ",
    "the environments of this pool ",
    "needs worker processes, which need Linux, and this is ",
    "environments written in Python run in a thread of this program, one after the other: ",
    "the threads of this pool have waited ",
    " is no array of numbers",
    " failed earlier; reset it before stepping it: reset(env_id=[",
    " is in another call (render, get_state, set_state, read_array or the ",
    "The others' results are in this error's `result`; ",
    "its step or reset cannot be stopped",
    "this pool was made before the process forked, and its threads stayed in the parent. ",
    " cannot save or restore states: ",
    " s, so nothing is drawn in this process any more. ",
    "more threads than CPUs only slow each other down. Leave num_threads out for ",
    "pools of this process have ",
    "Details: `parallel-pool doctor`. ",
    "To hide it: ",
]
"""Of errors that take more to provoke."""


def of_the_page(said: str) -> list[str]:
    """Lines of the page that quote this; they may leave out something at the end."""
    return [
        line
        for line in QUOTED
        if line == said or (line.endswith("...") and said.startswith(line.removesuffix("...")))
    ]


def test_errors_are_quoted_as_they_are() -> None:
    quoted = set()
    for provoke in PROVOKED:
        with pytest.raises((ValueError, TypeError, parallel_pool.ParallelPoolError)) as caught:
            provoke()
        said = f"{caught.type.__name__}: {caught.value}"
        assert of_the_page(said), said
        quoted |= set(of_the_page(said))
    # Literals of several lines joined.
    code = re.sub(r'"\s*f?"', "", "\n".join(path.read_text("utf-8") for path in SOURCES))
    for words in WORDS:
        assert words in code, words
        shown = re.sub(r"\\\{[^}]*\}", ".+", re.escape(words))
        here = {line for line in QUOTED if re.search(shown, line)}
        assert here, words
        quoted |= here
    assert set(QUOTED) == quoted
