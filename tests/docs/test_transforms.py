"""The example and the table of the page "Transforms"."""

from parallel_pool.config.arguments import table
from parallel_pool.config.transform.kinds import MEMBERS
from test_envs.code_blocks import DOCS, run

PAGE = DOCS / "transforms.md"


def test_the_example_of_the_page_works() -> None:
    run(PAGE)


def test_the_table_is_that_of_the_code() -> None:
    assert table(MEMBERS, "name") in PAGE.read_text("utf-8")
