"""The examples of the page "The pool" work as they stand."""

import gymnasium
import parallel_pool
from test_envs.code_blocks import DOCS, run


def test_the_run_of_the_page_is_repeated() -> None:
    names = run(DOCS / "pool.md", parallel_pool=parallel_pool, gymnasium=gymnasium)
    assert len(names["log"].batches) == 100
