"""The programs with Ray of the page "Beyond one process" work as they stand."""

import re
from pathlib import Path
from typing import Any

import pytest
from test_envs.libraries import needed

needed("ray")

PAGE = Path(__file__).parents[2] / "docs" / "scaling.md"
PROGRAMS = [
    each
    for each in re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    if "parallel_pool.distributed" in each
]


@pytest.mark.parametrize("source", PROGRAMS)
def test_a_program_of_the_page_works(cluster: Any, source: str) -> None:
    exec(source, {})
