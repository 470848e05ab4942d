"""The rollout of the page "Rollouts" works as it stands."""

import pytest
from test_envs.code_blocks import DOCS, run


def test_the_rollout_of_the_page_works(capsys: pytest.CaptureFixture[str]) -> None:
    run(DOCS / "rollouts.md")
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2
    assert all("episodes, mean" in line for line in lines)
