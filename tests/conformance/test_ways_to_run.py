"""The kit as authors run it, by the command. The class: tests/template/test_new.py."""

import json
from pathlib import Path

import pytest
from parallel_pool.cli import main
from registry.sites import Site
from test_envs.programs import ran


def test_a_machine_with_one_cpu() -> None:
    """Where the kit's threads are more than there are CPUs, and warnings are errors."""
    words = ["check", "classic", "--env", "CartPole-v1", "--steps", "60", "--only", "independence"]
    program = (
        "import os; os.sched_setaffinity(0, [min(os.sched_getaffinity(0))])\n"
        f"from parallel_pool.cli import main; raise SystemExit(main({words}))"
    )
    done = ran("-W", "error", "-c", program, seconds=240)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.usefixtures("quick_kit")
def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["check", "classic", "--env", "CartPole-v1", "--steps", "60"]
    assert main(words) == 0
    said, begun = capsys.readouterr()
    for expected in ("ok      classic  declaration", "ok      classic/CartPole-v1  independence"):
        assert expected in said
    assert "0 failed" in said
    assert "begins  classic/CartPole-v1  rows\nbegins  classic/CartPole-v1  statics\n" in begun
    assert main([*words, "--only", "seeding", "--json"]) == 0
    assert [each["outcome"] for each in json.loads(capsys.readouterr().out)] == ["passed"]
    assert main(["check", "classic", "--only", "nothing"]) == 2
    assert "there is no check 'nothing'" in capsys.readouterr().err
    assert main(["check", "nobody"]) == 1
    assert "no plugin provides the family 'nobody'" in capsys.readouterr().err


def test_a_plugin_that_imports_what_is_heavy(tmp_path: Path) -> None:
    source = "import numpy"
    Site(tmp_path).install("heavy", source, envs="'heavy/Stone-v0', backend='python'")
    words = ("-m", "parallel_pool.cli", "check", "heavy")
    done = ran(*words, seconds=240, PYTHONPATH=str(tmp_path))
    assert done.returncode == 1, done.stdout + done.stderr
    assert "FAILED  heavy  lightness: listing heavy imports numpy" in done.stdout
