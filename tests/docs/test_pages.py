"""Pages whose examples do more than run: what they print, write and find is what the page says."""

from pathlib import Path
from typing import Any

import pytest
from parallel_pool.cli import main
from parallel_pool.config.arguments import table
from parallel_pool.config.transform.kinds import MEMBERS
from test_envs.code_blocks import BLOCK, DOCS, run


def programs(page: str) -> list[str]:
    return BLOCK.findall((DOCS / page).read_text("utf-8"))


def test_classroom_gives_points_and_errors_that_a_student_understands(
    capsys: pytest.CaptureFixture[str],
) -> None:
    names = run(DOCS / "classroom.md")
    lean, damped, floats = capsys.readouterr().out.splitlines()
    assert 30 < float(lean.split()[-1]) < 60
    assert 400 < float(damped.split()[-1]) <= 500
    assert floats.startswith("floats TypeError: ")
    assert names["grade"](lambda obs: 1 / 0) == "ZeroDivisionError: division by zero"


def test_pool_repeats_its_run() -> None:
    assert len(run(DOCS / "pool.md")["log"].batches) == 100


def test_rollouts_end_episodes(capsys: pytest.CaptureFixture[str]) -> None:
    run(DOCS / "rollouts.md")
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2
    assert all("episodes, mean" in line for line in lines)


def test_scaling_has_a_program_for_torchrun(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RANK", "1")
    monkeypatch.setenv("WORLD_SIZE", "2")
    found: dict[str, Any] = {}
    exec(programs("scaling.md")[0], found)
    with found["pool"] as pool:
        assert pool.global_env_ids[0] == 64


def test_transforms_has_the_table_of_the_code() -> None:
    run(DOCS / "transforms.md")
    assert table(MEMBERS, "name") in (DOCS / "transforms.md").read_text("utf-8")


def test_watching_films_a_policy_a_pool_and_a_wrapper(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    policy, filmed, wrapped = programs("watching.md")
    Path("policy.py").write_text(policy)
    assert "watch CartPole-v1 --policy policy.py:lean" in policy
    short = ["--num-envs", "2", "--steps", "100", "-o", "film.png"]
    assert main(["watch", "CartPole-v1", "--policy", "policy.py:lean", *short]) == 0
    assert "0 episodes ended" in capsys.readouterr().out  # random actions: 22 steps

    names: dict[str, Any] = {}
    exec(filmed.replace("steps=100", "steps=10"), names)
    names["envs"].close()
    assert Path("cartpole.gif").read_bytes().startswith(b"GIF")

    exec(wrapped.replace("length=100", "length=9"), names := {})
    names["envs"].reset(seed=0)
    for _ in range(10):
        names["envs"].step(names["envs"].action_space.sample())
    names["envs"].close()
    assert list(Path("films").glob("*.mp4"))
