"""The programs with Ray of the page "Beyond one process" work as they stand."""

from typing import Any

import pytest
from test_envs.code_blocks import BLOCK, DOCS
from test_envs.libraries import needed

needed("ray", "ray.rllib.algorithms.ppo")

PROGRAMS = [
    each
    for each in BLOCK.findall((DOCS / "scaling.md").read_text("utf-8"))
    if "parallel_pool_ray" in each or "rllib" in each
]


@pytest.mark.parametrize("source", PROGRAMS)
def test_a_program_of_the_page_works(cluster: Any, source: str) -> None:
    exec(source, {})
