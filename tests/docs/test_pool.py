"""The examples of the page "The pool" work as they stand."""

from test_envs.code_blocks import DOCS, run


def test_the_run_of_the_page_is_repeated() -> None:
    names = run(DOCS / "pool.md")
    assert len(names["log"].batches) == 100
