"""docs/libraries.md: its snippets run, and its versions are those that the adapters name."""

import importlib.util
import os
import re
from pathlib import Path

import pytest
from parallel_pool import pool_api
from parallel_pool_learning import library
from parallel_pool_learning.library import Library

PAGE = (Path(__file__).parents[2] / "docs/libraries.md").read_text(encoding="utf-8")
SECTIONS = {part.split("\n", 1)[0]: part for part in PAGE.split("\n## ")[1:]}
LIBRARIES = {each.title: each for each in vars(library).values() if isinstance(each, Library)}
SNIPPETS = {
    title: re.findall(r"```python\n(.*?)```", part, re.S) for title, part in SECTIONS.items()
}


@pytest.mark.parametrize("title", [title for title, found in SNIPPETS.items() if found])
def test_snippets_run(title: str) -> None:
    module = LIBRARIES[title].module if title in LIBRARIES else None
    if module and importlib.util.find_spec(module) is None and "PP_LIBRARIES" not in os.environ:
        pytest.skip(f"{module} is not here")
    for snippet in SNIPPETS[title]:
        exec(compile(snippet, f"docs/libraries.md, {title}", "exec"), {"__name__": "snippet"})


@pytest.mark.parametrize("each", LIBRARIES.values(), ids=lambda each: each.title)
def test_the_table_names_what_the_adapters_name(each: Library) -> None:
    row = next(line for line in PAGE.splitlines() if line.startswith(f"| [{each.title}]"))
    assert each.tested in row
    assert f"from {each.least})" in row
    assert f"`parallel-pool[{each.extra}]`" in row


def test_the_page_lists_what_a_package_around_pools_may_use() -> None:
    rows = re.findall(r"^\| (`.*?) \|", SECTIONS["A package around pools"], re.M)
    listed = {name for row in rows for name in re.findall(r"`(\w+)(?:\(.*?\))?`", row)}
    assert listed - {"parallel_pool"} == {
        name for name in vars(pool_api) if not name.startswith("_")
    }
