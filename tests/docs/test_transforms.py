"""The example and the table of the page "Ready for a learner"."""

import re
from pathlib import Path

from parallel_pool.config.arguments import table
from parallel_pool.config.transform.kinds import MEMBERS

PAGE = (Path(__file__).parents[2] / "docs" / "transforms.md").read_text()


def test_the_example_of_the_page_works() -> None:
    source = re.search(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert source
    exec(source[1], {})


def test_the_table_is_that_of_the_code() -> None:
    assert table(MEMBERS, "name") in PAGE
