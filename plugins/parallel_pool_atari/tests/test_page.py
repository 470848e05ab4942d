"""The table of docs/atari.md, "How to get what you want": every line makes what it says."""

import re
from pathlib import Path
from typing import Any

import parallel_pool
import pytest

PAGE = (Path(__file__).parents[3] / "docs/atari.md").read_text("utf-8")
SECTION = PAGE.split("## How to get what you want\n")[1].split("\n## ")[0]
ROWS = re.findall(r"^\| ([^|]+) \| `([^`]*=[^`]*|make\([^`]*)`", SECTION, re.MULTILINE)
SHAPES = {
    "pictures of 96 x 96 in colour, without a stack": (3, 96, 96),
    "channels last": (84, 84, 4),
    "the raw screen, 210 x 160 x 3": (210, 160, 3),
    "the 128 bytes of RAM as the observation": (128,),
}


@pytest.mark.parametrize(("wanted", "said"), ROWS, ids=[row[0] for row in ROWS])
def test_a_line_of_the_table(wanted: str, said: str) -> None:
    def make(task_id: str | list[str], **options: Any) -> Any:
        return parallel_pool.make(task_id, num_envs=2, **options)

    if "rom_path" in said:
        return  # names no file
    call = said if said.startswith("make(") else f"make('Pong-v5', {said})"
    with eval(call, {"make": make}) as envs:
        obs, _ = envs.reset(seed=0)
        assert obs.shape[1:] == SHAPES.get(wanted, obs.shape[1:])


def test_there_are_lines() -> None:
    assert len(ROWS) > 9
    assert set(SHAPES) <= {row[0] for row in ROWS}
