"""The example of the page "The pool" about logs of batches works as it stands."""

import re
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "pool.md"


def test_the_run_of_the_page_is_repeated() -> None:
    source = re.search(
        r"```python\n(import parallel_pool\nfrom parallel_pool.learning.*?)```",
        PAGE.read_text(),
        re.DOTALL,
    )
    assert source
    names: dict[str, object] = {}
    exec(source[1], names)
    assert len(names["log"].batches) == 100  # type: ignore[attr-defined]
