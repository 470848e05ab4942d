"""The rollout of the page "Rollouts" works as it stands."""

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "rollouts.md"


def test_the_rollout_of_the_page_works(capsys: pytest.CaptureFixture[str]) -> None:
    source = re.search(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert source
    exec(source[1], {})
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2
    assert all("episodes, mean" in line for line in lines)
