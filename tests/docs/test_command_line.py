"""The page about the command names every subcommand, and what it shows can be run."""

import re
from pathlib import Path

import pytest
from parallel_pool.cli import COMMANDS, main

PAGE = (Path(__file__).parents[2] / "docs" / "command-line.md").read_text()
BENCHES = re.findall(r"^\$? ?parallel-pool (bench .*)$", PAGE, re.MULTILINE)


def test_every_command_is_named() -> None:
    assert {each for each in COMMANDS if f"| `parallel-pool {each}" in PAGE} == set(COMMANDS)


@pytest.mark.parametrize("command", BENCHES)
def test_what_is_shown_runs(
    command: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    pytest.importorskip("parallel_pool_atari")
    monkeypatch.chdir(tmp_path)
    words = command.replace("1024", "16").split()
    assert main([*words, "--num-threads", "2", "--seconds", "0.2"]) == 0
    assert "steps/s" in capsys.readouterr().out
