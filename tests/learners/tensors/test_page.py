"""The programs of docs/torch.md and docs/training.md run alone, as they stand, but for what needs a GPU."""

from typing import Any

import torch
from test_envs.code_blocks import DOCS, blocks


def test_where_the_time_goes() -> None:
    names: dict[str, Any] = {}
    (program,) = blocks(DOCS / "training.md")
    exec(program, names)
    assert {*names["shares"].seconds()} == {"policy", "waiting", "steps", "other"}


def test_the_programs_of_the_page() -> None:
    loop, on_a_gpu = blocks(DOCS / "torch.md")
    assert 'device="cuda"' in on_a_gpu
    for source in (loop, on_a_gpu.replace('"cuda"', '"cpu"')):
        names: dict[str, Any] = {}
        exec(source, names)
        assert isinstance(names["obs"], torch.Tensor)
        assert names["obs"].shape == (64, 4, 84, 84)
        names["envs"].close()
