"""The code of the page "Watching" works as it stands."""

from pathlib import Path

import pytest
from parallel_pool.cli import main
from test_envs.code_blocks import BLOCK, DOCS

POLICY, WRAPPED = BLOCK.findall((DOCS / "watching.md").read_text("utf-8"))


def test_the_policy_balances(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("policy.py").write_text(POLICY)
    assert "watch CartPole-v1 --policy policy.py:lean" in POLICY
    short = ["--num-envs", "2", "--steps", "100", "-o", "film.png"]
    assert main(["watch", "CartPole-v1", "--policy", "policy.py:lean", *short]) == 0
    assert "0 episodes ended" in capsys.readouterr().out  # random actions: 22 steps


def test_a_film_of_gymnasiums_wrapper(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    exec(WRAPPED, names)
    envs = names["envs"]
    envs.reset(seed=0)  # type: ignore[attr-defined]
    for _ in range(101):
        envs.step(envs.action_space.sample())  # type: ignore[attr-defined]
    envs.close()  # type: ignore[attr-defined]
    assert list(Path("films").glob("*.mp4"))
